import pytest

from plimsoll.context.log.messages import ToolSchema
from plimsoll.errors import ToolFailed
from plimsoll.tools.arguments import check_arguments

SCHEMA = ToolSchema(
    "demo",
    "",
    {
        "type": "object",
        "properties": {
            "path": {"type": "string", "minLength": 1, "maxLength": 5},
            "limit": {"type": "integer", "minimum": 1, "maximum": 9},
            "share": {"type": "number"},
            "deep": {"type": "boolean"},
            "mode": {"type": "string", "enum": ["fast", "slow"]},
            "names": {"type": "array", "items": {"type": "string"}},
            "inner": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
        },
        "required": ["path"],
    },
)


@pytest.mark.parametrize(
    "arguments",
    [
        {"path": "a"},
        {"path": "abcde", "limit": 9, "share": 1, "deep": False},
        {"path": "a", "share": 0.5, "mode": "slow", "names": ["x", ""]},
        {"path": "a", "inner": {"a": "b"}, "names": []},
    ],
)
def test_good_arguments_come_back(arguments):
    assert check_arguments(SCHEMA, arguments) == arguments


def test_an_optional_null_is_left_out():
    assert check_arguments(SCHEMA, {"path": "a", "limit": None}) == {"path": "a"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "path is missing"),
        ({"path": None}, "path is missing"),
        ({"path": ""}, "path must not be empty"),
        ({"path": "abcdef"}, "path has 6 characters, more than 5"),
        ({"path": 1}, "path must be a string, not 1"),
        ({"path": "a", "limit": "3"}, "limit must be an integer, not '3'"),
        ({"path": "a", "limit": True}, "limit must be an integer, not True"),
        ({"path": "a", "limit": 3.0}, "limit must be an integer, not 3.0"),
        ({"path": "a", "limit": 0}, "limit must be at least 1, not 0"),
        ({"path": "a", "limit": 10}, "limit must be at most 9, not 10"),
        ({"path": "a", "deep": "yes"}, "deep must be true or false, not 'yes'"),
        ({"path": "a", "deep": 1}, "deep must be true or false, not 1"),
        ({"path": "a", "mode": "swift"}, "mode must be one of fast, slow, not 'swift'"),
        ({"path": "a", "names": "x"}, "names must be an array, not 'x'"),
        ({"path": "a", "names": ["x", 2]}, "names[1] must be a string, not 2"),
        ({"path": "a", "inner": {}}, "inner.a is missing"),
        ({"path": "a", "inner": {"a": "b", "c": 1}}, "there is no inner.c"),
        ({"path": "\ud800"}, "half a character"),
        ({"path": "a", "file_path": "b"}, "there is no file_path"),
    ],
)
def test_bad_arguments_are_told(arguments, told):
    with pytest.raises(ToolFailed) as failure:
        check_arguments(SCHEMA, arguments)
    assert told in failure.value.message
    assert "{path, limit?, share?, deep?, mode?, names?, inner?}" in failure.value.message


def test_every_problem_is_told_at_once():
    with pytest.raises(ToolFailed) as failure:
        check_arguments(SCHEMA, {"limit": "x", "more": 1})
    assert failure.value.message.count(";") == 2
