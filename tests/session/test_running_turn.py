"""The phases of a turn: what leads from one to another, and what is refused."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.errors import Busy
from plimsoll.session.ports.events import TurnEnded
from plimsoll.session.running_turn import TRANSITIONS, RunningTurn, TurnPhase, TurnStep
from session.harness import harness


@given(st.lists(st.sampled_from(TurnStep)))
def test_every_way_through_the_table_ends_idle_once_the_end_was_told(steps):
    phase = TurnPhase.IDLE
    for step in steps:
        phase = TRANSITIONS.get((phase, step), phase)
    for step in (TurnStep.DONE, TurnStep.TOLD):
        phase = TRANSITIONS.get((phase, step), phase)
    assert phase is TurnPhase.IDLE


def test_a_turn_begins_only_where_none_runs_and_is_told_only_once_it_is_over():
    assert [before for before, step in TRANSITIONS if step is TurnStep.START] == [TurnPhase.IDLE]
    assert [before for before, step in TRANSITIONS if step is TurnStep.TOLD] == [TurnPhase.ENDING]


async def test_it_works_stops_ends_and_is_idle_again(tmp_path):
    async with harness(tmp_path) as own:
        turn = RunningTurn(lambda: own.session.state.record.title)
        phases, kept = [], asyncio.Event()

        async def work() -> TurnEnded:
            phases.append(turn.phase)
            await asyncio.Event().wait()
            raise AssertionError

        async def keep(ended: TurnEnded) -> TurnEnded:
            phases.append(turn.phase)
            await kept.wait()
            return ended

        turn.start("t1", work(), keep, lambda _: phases.append(turn.phase))
        await asyncio.sleep(0)
        stopping = asyncio.create_task(turn.cancel())
        await asyncio.sleep(0)
        phases.append(turn.phase)
        with pytest.raises(Busy):
            turn.refuse_busy()
        kept.set()
        assert await stopping
        ended = await turn.wait()
        assert (ended and ended.reason, turn.phase) == ("cancelled", TurnPhase.IDLE)
        assert phases == [TurnPhase.WORKING, TurnPhase.STOPPING, TurnPhase.ENDING, TurnPhase.ENDING]
        assert not await turn.cancel()
        turn.refuse_busy()
