"""What bounds a summary beside the turn: the turn's own server, and the limits of spending."""

from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest

from plimsoll.context.budget import BudgetSettings, budget_for
from plimsoll.providers.base import Chunk, Request
from plimsoll.session.background.beside_turn import SummaryBeside, shares_server
from plimsoll.session.ports.rules import SessionRules, SpendLimit
from plimsoll.session.state.notes import failures_in_a_row
from session.background.test_beside_turn import DONE, beside, filled, turn, writer
from session.harness import NO_MEMORY, with_background
from session.reduction.compaction_rig import GOOD, Rig
from session.reduction.test_compacting_meanwhile import Gated, gated

HERE, ELSEWHERE = "http://127.0.0.1:8080", "http://127.0.0.1:9090"


class OneSlot:
    """A server on this machine that answers one request at a time; it notes who overlaps."""

    def __init__(self, chat, utility) -> None:
        self.chat, self.utility = chat, utility
        self.asked: list[str] = []
        self.busy = 0
        self.overlapped = False

    def of(self, name: str) -> "Slot":
        return Slot(self, name)


class Slot:
    def __init__(self, server: OneSlot, name: str) -> None:
        self._server, self._name = server, name

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        server = self._server
        server.asked.append(self._name)
        server.overlapped = server.overlapped or server.busy > 0
        server.busy += 1
        try:
            async for chunk in getattr(server, self._name).stream(request):
                yield chunk
        finally:
            server.busy -= 1

    async def close(self) -> None: ...


async def one_slot(tmp_path, *steps, at: str = HERE, **more) -> tuple[Rig, OneSlot, list]:
    own = await beside(tmp_path, *steps, **more)
    server, waits = OneSlot(own.chat, own.utility), []

    async def wait(seconds: float) -> None:
        waits.append(seconds)

    def watching(session):
        return SummaryBeside(session, wait)

    chat = replace(own.shelf.chat, address=HERE, local=True, provider=server.of("chat"))
    own.shelf.chat = chat
    own.shelf.utility = replace(
        own.shelf.utility, address=at, local=True, provider=server.of("utility")
    )
    own.session = with_background(own.project, own.session, watching)
    await own.session.state.load.use_model(chat)
    return own, server, waits


LOOK = {"calls": [{"name": "grep", "arguments": {"pattern": "x"}}]}


async def test_at_the_turns_own_server_it_is_not_written_while_the_turn_asks(tmp_path):
    own, server, _ = await one_slot(tmp_path, {"text": GOOD})
    await filled(own, 0.77)
    await turn(own)
    await writer(own).settle()
    assert server.asked == ["chat"]
    assert writer(own).ready is None


async def test_there_it_is_written_while_a_tool_runs_and_gives_way_to_the_next_request(tmp_path):
    gate = Gated()
    own, server, waits = await one_slot(tmp_path, gated(), gate=gate, chat=[LOOK, *DONE])
    await filled(own, 0.77)
    append = own.session.state.append

    async def slow(*entries):
        """The result of the tool comes once the summary has been begun."""
        if any(getattr(each, "role", None) == "tool" for each in entries):
            await gate.reached.wait()
        await append(*entries)

    own.session.state.append = slow
    await turn(own)
    assert waits == [1.0]
    assert server.asked == ["chat", "utility", "chat"]
    assert not server.overlapped
    assert failures_in_a_row(own.session.state.log.fold.entries) == 0
    assert not any("summary failed" in notice for notice in own.notices)


async def test_at_another_server_of_this_machine_both_are_asked_at_once(tmp_path):
    gate = Gated()
    own, server, _ = await one_slot(tmp_path, gated(), gate=gate, at=ELSEWHERE)
    await filled(own, 0.77)
    await turn(own)
    await gate.reached.wait()
    assert server.asked == ["chat", "utility"]
    gate.opened.set()
    await writer(own).settle()
    assert writer(own).ready is not None


@pytest.mark.parametrize(
    ("address", "local", "shared"),
    [
        ("http://127.0.0.1:8080", True, True),
        ("http://localhost:8080", True, True),
        ("http://127.0.0.1:8081", True, False),
        ("https://models.example:8080", False, False),
        ("", False, False),
    ],
)
async def test_which_server_is_the_turns_own(tmp_path, address, local, shared):
    own = await beside(tmp_path)
    model = replace(own.shelf.chat, address=HERE, local=True)
    assert shares_server(replace(model, address=address, local=local), model) is shared


async def limited(tmp_path, most: int, *steps, **more) -> Rig:
    rules = SessionRules(memory=NO_MEMORY, spending=(SpendLimit("session", "tokens", most),))
    return await beside(tmp_path, *steps, rules=lambda: rules, **more)


async def test_it_stays_within_the_limit_and_asks_nobody(tmp_path):
    own = await limited(tmp_path, 4_000, {"text": GOOD})
    await filled(own, 0.77)
    await turn(own)
    await writer(own).settle()
    assert own.utility.requests == []
    own = await limited(tmp_path / "more", 40_000, {"text": GOOD})
    await filled(own, 0.77)
    await turn(own)
    await writer(own).settle()
    assert len(own.utility.requests) == 1


async def test_one_that_is_given_up_counts_toward_the_limit(tmp_path):
    gate = Gated()
    own = await limited(tmp_path, 40_000, gated(), gate=gate)
    await filled(own, 0.77)
    await turn(own)
    await gate.reached.wait()
    account = own.session.state.account
    spent = account.summary().tokens.input
    await writer(own).give_up()
    assert account.summary().tokens.input - spent > 1_000


@pytest.mark.parametrize(("share", "asked"), [(0.25, 0), (0.33, 1), (0.45, 0)])
async def test_a_compact_mark_that_is_set_lower_leaves_as_much_time(tmp_path, share, asked):
    """With it at 0.4 the warning mark stands one token below."""
    own = await beside(tmp_path, {"text": GOOD}, window=8_000)
    budget = budget_for(8_000, BudgetSettings(compact_at=0.4))
    await own.session.state.load.use_model(replace(own.shelf.chat, budget=budget))
    await filled(own, share)
    await turn(own)
    await writer(own).settle()
    assert len(own.utility.requests) == asked
