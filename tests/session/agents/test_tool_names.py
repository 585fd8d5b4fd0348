"""Which tools the names in a custom agent's file mean, and that unknown ones mean none."""

from pathlib import Path

import pytest

from plimsoll.session.agents.tool_names import KEPT, fewer_of, tools_of
from plimsoll.tools import TOOLS
from plimsoll.tools.ports.written import CustomFile


def file(tools: tuple[str, ...] | None, without: tuple[str, ...] = ()) -> CustomFile:
    path = Path("/work/a.md")
    return CustomFile(
        kind="agent",
        name="a",
        source="folder",
        path=path,
        shown="a.md",
        tools=tools,
        without=without,
    )


@pytest.mark.parametrize(
    ("named", "meant"),
    [
        ("Read", {"file_read"}),
        ("Edit", {"file_edit"}),
        ("edit", {"file_edit", "file_write"}),
        ("edit/editFiles", {"file_edit", "file_write"}),
        ("Write", {"file_write"}),
        ("Bash", {"shell", "shell_read"}),
        ("execute", {"shell", "shell_read"}),
        ("runCommands", {"shell", "shell_read"}),
        ("Grep", {"grep"}),
        ("search", {"grep", "glob"}),
        ("search/codebase", {"grep", "glob"}),
        ("LS", {"glob"}),
        ("WebFetch", {"web_fetch"}),
        ("web", {"web_fetch", "web_search"}),
        ("Task", {"subagent"}),
        ("agent", {"subagent"}),
        ("TodoWrite", {"tasks"}),
        ("problems", {"diagnostics"}),
        ("memory_save", {"memory_save"}),
    ],
)
def test_names_of_others_mean_ours(named: str, meant: set[str]):
    found = tools_of(file((named,)), TOOLS)
    assert found.names == meant | KEPT and found.unknown == ()


@pytest.mark.parametrize("named", ["Bash(git:*)", "vscode/newWorkspace", "rm", ""])
def test_what_has_no_clear_equal_is_named_and_means_none(named: str):
    found = tools_of(file((named, "Read")), TOOLS)
    assert found.names == {"file_read"} | KEPT and found.unknown == (named,)


def test_none_named_is_all_of_the_callers_and_an_empty_list_none():
    assert tools_of(file(None), TOOLS).names is None
    assert tools_of(file(("*",)), TOOLS).names is None
    assert tools_of(file(()), TOOLS).names == KEPT


def test_what_is_refused_is_taken_away():
    all_but = tools_of(file(None, without=("Bash", "Nothing")), TOOLS).names
    assert all_but == set(TOOLS) - {"shell", "shell_read"}
    assert tools_of(file(("Read", "Bash"), ("Bash",)), TOOLS).names == {"file_read"} | KEPT


SERVERS = frozenset({"find_tools", "call_tool"})


@pytest.mark.parametrize(
    ("named", "meant"),
    [("mcp__x__y", "mcp__x__y"), ("mcp__x", "mcp__x__*"), ("mcp__x__*", "mcp__x__*")],
)
def test_tools_of_servers_are_named_as_other_agents_name_them(named: str, meant: str):
    assert tools_of(file((named,)), TOOLS).names == SERVERS | {meant} | KEPT
    assert tools_of(file((named,)), {*TOOLS} - {"call_tool"}).unknown == (named,)


@pytest.mark.parametrize(
    ("wanted", "callers", "both"),
    [
        ({"mcp__x__a"}, set(), {"call_tool", "mcp__x__a"}),
        (set(), {"mcp__x__*"}, {"call_tool", "mcp__x__*"}),
        ({"mcp__x__a", "mcp__y__b"}, {"mcp__x__*"}, {"call_tool", "mcp__x__a"}),
        ({"mcp__x__*"}, {"mcp__y__*"}, set()),
        (set(), set(), {"call_tool"}),
    ],
)
def test_an_agent_has_no_tool_of_a_server_that_its_caller_has_not(wanted, callers, both):
    one, other = ({"call_tool", "grep", *names} for names in (wanted, callers))
    assert fewer_of(frozenset(one), frozenset(other)) == both | {"grep"}
