"""What servers cost before a model has asked for any tool of theirs."""

from pathlib import Path

import pytest

from plimsoll.context.log.entries import Framed
from plimsoll.tokens.estimate import estimate
from session.harness import Harness, harness
from tools.mcp.known_servers import made_up_servers, real_servers
from tools.mcp.memory_host import MemoryHost, an_unknown_server


def added(own: Harness) -> int:
    """The tokens that stand in the first request because of servers."""
    frames = [entry for entry in own.entries if isinstance(entry, Framed) and entry.text]
    slots = ("mcp.", "tools.find_tools", "tools.call_tool")
    return sum(estimate(f.text) for f in frames if f.text and f.slot.startswith(slots))


def offers_with(tools: int) -> list:
    found = []
    for offer in [*real_servers(), *made_up_servers(tools)]:
        if sum(len(each.tools) for each in found) < tools:
            found.append(offer)
    return found


@pytest.mark.parametrize(("tools", "most"), [(88, 1_000), (1_000, 2_000)])
async def test_many_tools_cost_a_line_a_server(tmp_path: Path, tools: int, most: int):
    offers = offers_with(tools)
    assert sum(len(offer.tools) for offer in offers) >= tools
    host = MemoryHost(offers)
    async with harness(tmp_path, {"text": ["Yes."]}, mcp=host, window=200_000) as own:
        assert 0 < added(own) <= most
        assert host.starts == []


async def test_a_server_that_is_not_used_costs_little(tmp_path: Path):
    host = MemoryHost([an_unknown_server("github")])
    async with harness(tmp_path, {"text": ["Yes."]}, mcp=host) as own:
        await own.turn("Hello.")
        assert 0 < added(own) <= 200
        assert host.starts == []
