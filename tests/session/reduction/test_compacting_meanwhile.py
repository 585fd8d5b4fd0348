"""What happens while a model writes a summary: cancels, other requests, what a person does."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest

from builders import user
from plimsoll.context.log.entries import Stage
from plimsoll.errors import Busy
from plimsoll.providers.base import Chunk, Finished, Request, TextDelta, Waiting
from plimsoll.session.background.between_turns import compact_in
from plimsoll.session.commands.speaking import Speaking
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.events import TurnEnded, WaitLasted
from plimsoll.session.reduction.compaction import compact
from plimsoll.session.reduction.items import restore
from plimsoll.session.state.cost import cost_rows
from plimsoll.session.state.notes import failures_in_a_row
from session.reduction.compaction_rig import GOOD, rig, storm


class Gated:
    """A gate that says when somebody waits at it, and opens when it is told to."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.opened = asyncio.Event()

    async def __call__(self, name: str) -> None:
        self.reached.set()
        await self.opened.wait()


class Loading:
    """A provider that is waited for before it writes a summary."""

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        yield Waiting(reason="loading", lasted=2.0)
        yield TextDelta(GOOD)
        yield Finished("endTurn")

    async def close(self) -> None: ...


class Limited:
    """A provider that takes no request yet, so that none is with it."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        yield Waiting(reason="rateLimited", lasted=2.0)
        self.reached.set()
        await asyncio.Event().wait()

    async def close(self) -> None: ...


async def compacting(own, gate) -> asyncio.Task:
    task = asyncio.create_task(compact_in(own.session))
    await gate.reached.wait()
    return task


def gated(text: str = GOOD) -> dict[str, object]:
    return {"text": [{"gate": "slow"}, text]}


async def test_a_cancel_midway_leaves_all_as_it_was(tmp_path):
    gate = Gated()
    own = await rig(tmp_path, gated(), {"text": GOOD}, gate=gate)
    await own.said(*storm())
    before = own.view()
    task = await compacting(own, gate)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert own.view() == before
    assert failures_in_a_row(own.session.state.log.fold.entries) == 0
    assert (await compact_in(own.session)).stage is Stage.COMPACT


async def test_a_second_compaction_a_prompt_an_append_and_a_model_switch_are_told_to_wait(tmp_path):
    gate = Gated()
    own = await rig(tmp_path, gated(), chat=[{"text": "Done."}], gate=gate)
    await own.said(*storm())
    task = await compacting(own, gate)
    with pytest.raises(Busy):
        await compact_in(own.session)
    with pytest.raises(Busy):
        await own.session.prompt([PromptText("meanwhile")])
    with pytest.raises(Busy):
        await own.session.feed(lambda: [user("u99", "meanwhile")])
    with pytest.raises(Busy):
        await own.session.set_model("scripted/utility")
    with pytest.raises(Busy):
        await own.session.rewind("u0")
    gate.opened.set()
    assert (await task).stage is Stage.COMPACT
    await own.session.prompt([PromptText("now")])
    ended = await own.session.wait()
    assert ended.reason == "endTurn"
    assert "now" in [text for _, text in own.view()]


async def test_what_a_person_brings_back_meanwhile_stays(tmp_path):
    gate = Gated()
    own = await rig(tmp_path, gated(), gate=gate)
    await own.said(*storm())
    task = await compacting(own, gate)
    await restore(own.session.state, ["r3.0"])
    await own.session.pin("Tabs, not spaces.", None)
    gate.opened.set()
    await task
    shown = dict(own.view())
    assert "line 3 " in shown["r3.0"]
    assert "r2.0" not in shown
    assert "Tabs, not spaces." in "".join(shown.values())


async def test_a_pin_that_goes_while_the_model_writes_is_gone_afterwards(tmp_path):
    gate = Gated()
    own = await rig(tmp_path, gated(), gate=gate)
    await own.said(*storm())
    kept = await own.session.pin("Tabs, not spaces.", None)
    gone = await own.session.pin("Never use tabs.", None)
    task = await compacting(own, gate)
    await own.session.unpin(gone.id)
    gate.opened.set()
    assert (await task).stage is Stage.COMPACT
    assert list(own.session.state.log.fold.pins) == [kept.id]
    shown = "".join(text for _, text in own.view())
    assert "Tabs, not spaces." in shown
    assert "Never use tabs." not in shown


@pytest.mark.parametrize(("by_hand", "told"), [(True, [("", "loading")]), (False, [])])
async def test_a_wait_for_the_summary_is_told_to_whoever_asked_for_it(tmp_path, by_hand, told):
    own = await rig(tmp_path)
    own.shelf.utility = replace(own.shelf.utility, provider=Loading())
    await own.said(*storm())
    assert (await compact(own.session.state, by_hand=by_hand)).stage is Stage.COMPACT
    waits = own.heard(WaitLasted)
    assert [(wait.turn, wait.reason) for wait in waits] == told
    assert {wait.model for wait in waits} <= {own.shelf.utility.name}


async def test_a_cancel_before_it_was_sent_costs_nothing(tmp_path):
    own, provider = await rig(tmp_path), Limited()
    own.shelf.utility = replace(own.shelf.utility, provider=provider)
    await own.said(*storm())
    task = await compacting(own, provider)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert cost_rows(own.session.state.log.fold.entries) == ()


async def test_stop_ends_a_compaction_that_was_typed(tmp_path):
    gate, speaking = Gated(), Speaking()
    own = await rig(tmp_path, gated(), gate=gate)
    await own.said(*storm())
    before = own.view()
    turn = (await speaking.say(own.project, own.session, [PromptText("/compact")])).turn
    await gate.reached.wait()
    assert await speaking.cancel("another session") is False
    assert await speaking.cancel(own.session.id) is True
    assert own.heard(TurnEnded) == [TurnEnded(turn, "cancelled")]
    assert own.view() == before
    assert await speaking.cancel(own.session.id) is False
