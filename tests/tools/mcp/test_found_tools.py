"""Tools are found: exact names always, and nearly always by words of what they do."""

import pytest

from plimsoll.tools.mcp.found_tools import ToolSearch
from tools.mcp.known_servers import QUESTIONS, made_up_servers, real_servers, tools_of

REAL = tools_of(real_servers())
find = ToolSearch().find
MANY = [*REAL, *tools_of(made_up_servers(1_000 - len(REAL)))]


def test_the_questions_are_two_hundred_about_nearly_every_tool():
    assert len(QUESTIONS) == 200
    known = {f"{tool.server}:{tool.name}" for tool in REAL}
    asked = {name for name, _ in QUESTIONS}
    assert asked <= known
    assert len(known - asked) <= 1
    assert len(MANY) == 1_000


@pytest.mark.parametrize(("tools", "every"), [(REAL, 1), (MANY, 5)])
def test_the_right_tool_is_among_the_first_five(tools, every):
    """``every``: of which so many one is asked; all of them are: `every = 1`."""
    asked = QUESTIONS[::every]
    missed = [
        (name, question)
        for name, question in asked
        if name not in {f"{tool.server}:{tool.name}" for tool in find(tools, question, 5)}
    ]
    assert len(missed) <= 0.05 * len(asked), missed


def test_an_exact_name_is_found_always():
    for tool in MANY[::25]:
        for words in (tool.called, f"{tool.server}:{tool.name}", f"Use `{tool.called}`, please."):
            assert find(MANY, words, 1) == [tool]
    same = {tool.name for tool in find(MANY, "create_issue", 5)[:2]}
    assert same == {"create_issue"}
    assert find(REAL, "GIT_LOG", 1)[0].name == "git_log"


def test_what_no_tool_fits_finds_none():
    assert find(REAL, "the of and", 5) == []
    assert find(REAL, "zzzzqqqq", 5) == []
    assert find([], "read a file", 5) == []
