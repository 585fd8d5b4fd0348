"""The short set of tools: calls as it describes them are calls of the tools themselves."""

from plimsoll.tools.brief import BRIEF_SCHEMAS


def test_each_argument_is_one_of_the_tool_and_none_that_it_needs_is_missing(tools):
    for brief in BRIEF_SCHEMAS:
        whole = tools[brief.name].schema.parameters
        assert brief.parameters["required"] == whole["required"]
        for name, kind in brief.parameters["properties"].items():
            assert whole["properties"][name]["type"] == kind["type"]
    names = [schema.name for schema in BRIEF_SCHEMAS]
    assert names == [name for name in tools if name in names]
