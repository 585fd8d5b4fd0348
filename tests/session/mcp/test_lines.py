"""Servers in a session: a line for each, what it costs, and the tools that reach them."""

from dataclasses import replace
from pathlib import Path

from plimsoll.context.log.entries import Framed
from plimsoll.context.log.messages import PartKind
from plimsoll.session.layers.mcp import MOST_TOKENS, shown_servers
from plimsoll.session.reduction.inspection import report
from session.harness import ALLOWED, Harness, harness
from tools.mcp.memory_host import MemoryHost, a_tool, an_offer, an_unknown_server

CALLS = {"name": "call_tool", "arguments": {"name": "mcp__box__echo", "arguments": {"text": "x"}}}
ECHO = a_tool("echo", "Says again.", text={"type": "string"})


def lines(own: Harness) -> list[str]:
    frames = own.session.state.log.fold.frames.values()
    return [f.text for f in frames if f.slot.startswith("mcp.") and f.text is not None]


def results(own: Harness) -> list[str]:
    groups = own.session.state.log.fold.groups
    parts = (part for group in groups for said in group.said for part in said.parts)
    return [part.text for part in parts if part.kind is PartKind.RESULT]


async def test_without_a_server_nothing_of_it_stands_in_a_session(tmp_path: Path):
    async with harness(tmp_path, {"text": ["Hello."]}) as own:
        await own.turn("Hello.")
        slots = {entry.slot for entry in own.entries if isinstance(entry, Framed)}
        assert not [s for s in slots if s.startswith(("mcp", "tools.find", "tools.call"))]
        assert "find_tools" not in own.session.state.environment.tools


async def test_a_server_has_a_line_of_its_own_with_its_cost_and_nothing_is_started(tmp_path: Path):
    host = MemoryHost([an_unknown_server("new"), an_offer(ECHO, instructions="Use\n[x] me.\u202e")])
    async with harness(tmp_path, {"text": ["Hello."]}, mcp=host) as own:
        assert lines(own) == [
            "[MCP server new]",
            '[MCP server box, 1 tool: it says "Use x me."; echo]',
        ]
        items = {item.id: item.tokens for item in report(own.session.state).items}
        assert items["frame.mcp.box"] > items["frame.mcp.new"] > 0
        assert items["frame.tools.find_tools"] > 0
        tokens = {each.name: each.tokens for each in shown_servers(own.session.state)}
        assert tokens == {"new": items["frame.mcp.new"], "box": items["frame.mcp.box"]}
        await own.turn("Hello.")
    assert host.starts == [] and host.closed == 1


async def test_a_changed_line_enters_at_the_tail_and_one_of_a_server_that_is_off_goes(
    tmp_path: Path,
):
    host = MemoryHost([an_unknown_server()])
    async with harness(tmp_path, {"text": ["Hello."]}, {"text": ["Yes."]}, mcp=host) as own:
        await own.turn("Hello.")
        host.known[0] = an_offer(ECHO)
        await own.session.catch_up()
        assert own.session.state.log.fold.frames["mcp.box"].place == "tail"
        assert lines(own) == ["[MCP server box, 1 tool: echo]"]
        before = len(own.entries)
        await own.session.catch_up()
        assert len(own.entries) == before
        host.known[0] = replace(host.known[0], state="off")
        await own.session.catch_up()
        assert lines(own) == []
        await own.consistent()


async def test_the_first_server_brings_the_tools_into_a_session_that_is_open(tmp_path: Path):
    host = MemoryHost([])
    async with harness(tmp_path, {"text": ["Hello."]}, mcp=host) as own:
        assert "tools.call_tool" not in own.session.state.log.fold.frames
        host.known.append(an_unknown_server())
        await own.session.catch_up()
        frames = own.session.state.log.fold.frames
        assert "tools.call_tool" in frames and "tools.find_tools" in frames
        assert lines(own) == ["[MCP server box]"]


async def test_a_small_window_is_told_of_no_server(tmp_path: Path):
    host = MemoryHost([an_offer(ECHO)])
    async with harness(tmp_path, {"text": ["Hello."]}, mcp=host, window=8_000, brief=True) as own:
        await own.session.catch_up()
        assert lines(own) == []
        assert "tools.call_tool" not in own.session.state.log.fold.frames


async def test_all_lines_together_stay_within_their_share(tmp_path: Path):
    many = [
        an_offer(
            *(a_tool(f"tool_{n}_{m}", server=f"s{n}") for m in range(50)),
            server=f"s{n}",
            instructions="Word " * 400,
        )
        for n in range(20)
    ]
    async with harness(tmp_path, {"text": ["Hello."]}, mcp=MemoryHost(many), window=200_000) as own:
        count = own.session.state.model.ledger.bare
        assert len(lines(own)) == 20
        assert sum(map(count, lines(own))) <= MOST_TOKENS


async def test_a_tool_is_called_behind_the_gates_of_every_call(tmp_path: Path):
    host = MemoryHost([an_offer(replace(ECHO, claims_reading=True))])
    steps = ({"calls": [CALLS]}, {"text": ["Done."]})
    async with harness(tmp_path, *steps, mcp=host) as own:
        await own.turn("Echo x.")
        assert [call.title for call in own.person.asked] == ["box: echo"]
        assert results(own) == ['echo {"text":"x"}']
        await own.consistent()
    for given in ({"mode": "plan"}, {"mode": "ask"}, {"trusted": False}):
        host.calls.clear()
        async with harness(tmp_path / str(given), *steps, mcp=host, **given) as own:
            await own.turn("Echo x.")
            assert own.person.asked == [] and host.calls == []


async def test_an_answer_for_good_covers_the_tool_until_it_is_described_otherwise(tmp_path: Path):
    host = MemoryHost([an_offer(ECHO)])
    steps = [step for _ in range(3) for step in ({"calls": [CALLS]}, {"text": ["Done."]})]
    always = replace(ALLOWED, always=0)
    async with harness(tmp_path, *steps, mcp=host, answers=[always]) as own:
        await own.turn("Echo x.")
        await own.turn("Again.")
        assert len(own.person.asked) == 1
        changed = a_tool("echo", "Says it to everybody.", text={"type": "string"})
        host.known[0] = an_offer(changed)
        await own.turn("Again.")
        assert len(own.person.asked) == 2
        assert "what box says of it changed" in (own.person.asked[1].asked_again or "")
