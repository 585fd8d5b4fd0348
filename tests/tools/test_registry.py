import re
import subprocess
import sys

import pytest

from plimsoll.context.log.messages import canonical
from plimsoll.errors import ToolFailed
from plimsoll.tokens.estimate import estimate
from plimsoll.tools import TOOLS, open_tools

ORDER = ["file_read", "file_write", "file_edit", "grep", "glob", "shell", "shell_read"]
READING = {"file_read", "grep", "glob", "shell_read"}


def test_the_order_is_that_of_the_registry(tools):
    assert list(TOOLS) == list(tools) == [tool.schema.name for tool in tools.values()]
    # Whatever is added comes after: what stands before it keeps its place in cached prefixes.
    assert list(TOOLS)[: len(ORDER)] == ORDER


def test_who_may_run_in_plan_mode(tools):
    assert {name for name in ORDER if tools[name].reading} == READING


def test_the_schemas_are_cheap(tools):
    schemas = [
        {
            "name": t.schema.name,
            "description": t.schema.description,
            "parameters": t.schema.parameters,
        }
        for t in map(tools.__getitem__, ORDER)
    ]
    assert estimate(canonical(schemas)) < 1_500


@pytest.mark.parametrize("name", ORDER)
def test_a_schema_is_whole(name, tools):
    parameters = tools[name].schema.parameters
    assert set(parameters) == {"type", "properties", "required"}
    assert set(parameters["required"]) <= set(parameters["properties"])
    assert re.fullmatch("[a-z_]+", name)
    assert tools[name].schema.description.endswith(".")


@pytest.mark.parametrize("name", ORDER)
@pytest.mark.parametrize("arguments", [{}, {"nonsense": 1}, {"path": 5, "pattern": 5, "id": 5}])
def test_bad_arguments_name_the_tool(name, arguments, prepare):
    with pytest.raises(ToolFailed, match=f"Bad arguments for {name}: "):
        prepare(name, **arguments)


def test_a_missing_service_is_an_error():
    with pytest.raises(KeyError, match="code_index"):
        open_tools({})


@pytest.mark.slow
def test_the_tools_load_without_their_heavy_parts():
    program = (
        "import sys; from plimsoll.tools import open_tools;"
        "open_tools({'processes': None, 'searches': None, 'code_index': None});"
        "assert 'regex' not in sys.modules, 'regex';"
        "assert 'tiktoken' not in sys.modules, 'tiktoken'"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
