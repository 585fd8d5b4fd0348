"""Tools of servers are found with their schemas, which stand in the result alone."""

import json
from dataclasses import replace

import pytest

from plimsoll.tools.mcp.find_tools import LONGEST, MOST_SCHEMAS, UNTRUSTED, FindTools
from plimsoll.tools.ports.context import CallContext
from tools.mcp.memory_host import MemoryHost, a_tool, an_offer, an_unknown_server

ECHO = a_tool("echo", "Says again what it is told.\u202e", text={"type": "string"})


@pytest.fixture
def trusted(context: CallContext) -> CallContext:
    return replace(context, trusted=lambda: True)


async def found(host: MemoryHost, query: str, context: CallContext) -> list[str]:
    tool = FindTools(host)
    intent = tool.prepare({"query": query}, context)
    assert not intent.ask
    return (await tool.run(intent, context)).text.split("\n")


async def test_a_tool_is_described_on_one_line_with_nothing_hidden(trusted: CallContext):
    host = MemoryHost([an_offer(ECHO, a_tool("add", "Adds numbers."))])
    head, line = await found(host, "say again", trusted)
    assert head == "[1 of 2 tools, as their servers describe them]"
    assert json.loads(line) == {
        "name": "mcp__box__echo",
        "description": "Says again what it is told.⟨U+202E⟩",
        "parameters": ECHO.parameters,
    }
    assert host.starts == []


async def test_one_that_was_never_started_is_started_once_it_is_looked_for(trusted: CallContext):
    host = MemoryHost([an_unknown_server()], started={"box": an_offer(ECHO)})
    heard: list[str] = []
    hearing = replace(trusted, hear_output=heard.append)
    assert len(await found(host, "echo", hearing)) == 2
    assert host.starts == ["box"]
    assert heard == ["starting box"]
    assert len(await found(host, "echo", hearing)) == 2
    assert heard == ["starting box"]
    other = MemoryHost([an_unknown_server()])
    assert await found(other, "echo", replace(trusted, trusted=lambda: False)) == [
        "No tool fits these words. Try others.",
        UNTRUSTED,
    ]
    assert other.starts == []


async def test_what_is_found_is_bounded_and_further_names_are_told(trusted: CallContext):
    tools = [a_tool(f"read_{n}", "Reads. " * 200, n={"enum": ["x" * 700]}) for n in range(40)]
    lines = await found(MemoryHost([an_offer(*tools)]), "read", trusted)
    assert lines[0].startswith(f"[{MOST_SCHEMAS} of 40 tools")
    assert lines[-1].startswith("[others that may fit: mcp__box__read_")
    assert sum(map(len, lines)) < LONGEST + 1_000
    huge = [a_tool(f"read_{n}", n={"enum": ["x" * LONGEST]}) for n in range(3)]
    lines = await found(MemoryHost([an_offer(*huge)]), "read", trusted)
    assert lines[0].startswith("[1 of 3 tools") and len(lines) == 3


async def test_servers_that_cannot_be_used_are_named(trusted: CallContext):
    broken = replace(an_unknown_server("web"), state="failed", error="It ended at once.")
    off = replace(ECHO, enabled=False)
    host = MemoryHost([an_offer(off), broken])
    lines = await found(host, "echo", trusted)
    assert lines[1:] == ["[the server web cannot be used: It ended at once.]"]
    assert host.starts == []
