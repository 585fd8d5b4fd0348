"""Compaction while the editor is quiet; the tests say when time has passed."""

import asyncio

import pytest

from plimsoll.context.log.entries import Edited, Stage
from plimsoll.context.pipeline.settings import (
    CacheSettings,
    CompactionSettings,
    PipelineSettings,
    PruningSettings,
)
from plimsoll.session.background.between_turns import IdleWatch
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.session.reduction.undoing import undo
from plimsoll.session.session import Session
from session.harness import with_background
from session.reduction.compaction_rig import GOOD, Rig, rig, storm


class Clock:
    """Time passes when a test says so."""

    def __init__(self) -> None:
        self.asked: list[float] = []
        self.passed = asyncio.Event()

    async def __call__(self, seconds: float) -> None:
        self.asked.append(seconds)
        await self.passed.wait()


async def watched(own: Rig) -> tuple[IdleWatch, Clock]:
    clock = Clock()
    made: list[IdleWatch] = []

    def watching(session: Session) -> IdleWatch:
        made.append(IdleWatch(session, clock))
        return made[0]

    own.session = with_background(own.project, own.session, watching)
    return made[0], clock


async def elapse(watch: IdleWatch, clock: Clock) -> None:
    """Let the time pass and see what comes of it."""
    task = watch._waiting
    clock.passed.set()
    if task is not None:
        await asyncio.wait([task])
        task.result()


def compactions(own: Rig) -> list[Edited]:
    return [e for e in own.session.state.log.fold.entries if isinstance(e, Edited)]


def test_the_editor_counts_as_quiet_before_the_cache_expires():
    assert CompactionSettings().idle_seconds < CacheSettings().cache_seconds


async def test_a_fuller_session_is_compacted_and_told_of_once(tmp_path):
    own = await rig(tmp_path, {"text": GOOD}, idle_seconds=240, chat=[{"text": "Done."}])
    watch, clock = await watched(own)
    await own.said(*storm())
    await own.session.prompt([PromptText("go on")])
    await own.session.wait()
    await asyncio.sleep(0)
    assert clock.asked == [240]
    own.events.clear()
    await elapse(watch, clock)
    assert [edit.stage for edit in compactions(own)] == [Stage.COMPACT]
    assert [edit.why for edit in compactions(own)] == ["the editor was quiet"]
    assert len(own.heard(NoticeGiven)) == 1
    assert "tokens freed" in own.notices[0]


IDLE = 0.6 * 3_000


@pytest.mark.parametrize(
    ("settings", "size", "stages"),
    [
        ({}, 150, [Stage.COMPACT]),
        ({}, 60, []),
        ({"idle_threshold": 0.2}, 100, [Stage.COMPACT]),
        ({"auto": False}, 150, []),
    ],
    ids=["over", "under", "lower threshold", "automatic compaction is off"],
)
async def test_only_above_its_threshold_and_when_it_may(tmp_path, settings, size, stages):
    own = await rig(tmp_path, {"text": GOOD}, **{"idle_seconds": 240, **settings})
    watch, clock = await watched(own)
    await own.said(*storm(10, size))
    assert (own.session.state.log.fold.view.tokens >= IDLE) is (size == 150)
    watch.on_turn_end()
    await elapse(watch, clock)
    assert [edit.stage for edit in compactions(own)] == stages


@pytest.mark.parametrize(
    ("pruning", "covered"),
    [
        (PruningSettings(enabled=False), 0),
        (PruningSettings(enabled=False, protect_turns=0, protect_tokens=500), 7),
    ],
    ids=["the turn at hand", "the newest output"],
)
async def test_what_is_protected_from_a_prune_stays(tmp_path, pruning, covered):
    """The person comes back to what they were at: nobody needs the room yet."""
    whole = PipelineSettings(pruning=pruning)
    own = await rig(tmp_path, {"text": GOOD}, idle_seconds=240, pipeline=whole)
    watch, clock = await watched(own)
    await own.said(*storm())
    watch.on_turn_end()
    await elapse(watch, clock)
    groups = [group for edit in compactions(own) for op in edit.ops for group in op.groups]
    assert len(groups) == covered


async def test_not_when_a_person_has_postponed(tmp_path):
    own = await rig(tmp_path, {"text": GOOD}, idle_seconds=240)
    watch, clock = await watched(own)
    await own.said(*storm())
    watch.on_turn_end()
    await own.session.postpone(None)
    await elapse(watch, clock)
    assert compactions(own) == []


async def test_a_prompt_ends_the_waiting(tmp_path):
    own = await rig(tmp_path, {"text": GOOD}, idle_seconds=240, chat=[{"text": "Done."}] * 2)
    watch, _ = await watched(own)
    await own.said(*storm())
    watch.on_turn_end()
    task = watch._waiting
    await own.session.prompt([PromptText("I am back")])
    assert task.cancelled()
    await own.session.wait()


async def test_a_prompt_gives_up_a_compaction_that_has_begun_and_finds_the_session_free(tmp_path):
    reached = asyncio.Event()

    async def gate(name: str) -> None:
        reached.set()
        await asyncio.Event().wait()

    slow = {"text": [{"gate": "slow"}, GOOD]}
    own = await rig(tmp_path, slow, idle_seconds=240, gate=gate, chat=[{"text": "Done."}])
    watch, clock = await watched(own)
    await own.said(*storm())
    watch.on_turn_end()
    clock.passed.set()
    await reached.wait()
    before = own.view()
    await own.session.prompt([PromptText("I am back")])
    ended = await own.session.wait()
    assert ended.reason == "endTurn"
    assert compactions(own) == []
    assert own.view()[: len(before)] == before
    assert own.notices == []


async def test_it_respects_the_breaker_and_what_a_person_undid(tmp_path):
    own = await rig(tmp_path, *[{"text": ""}] * 9, idle_seconds=240, max_failures=1)
    watch, clock = await watched(own)
    await own.said(*storm())
    watch.on_turn_end()
    await elapse(watch, clock)
    assert [edit.stage for edit in compactions(own)] == [Stage.DIGEST]
    assert len(own.utility.requests) == 1
    await undo(own.session.state, compactions(own)[0].id)
    own.events.clear()
    watch.on_turn_end()
    await elapse(watch, clock)
    assert len(compactions(own)) == 1
    assert len(own.utility.requests) == 1
    assert own.notices == []


async def test_the_breaker_ends_the_calls_of_idle_compaction_too(tmp_path):
    """The count began anew below the warning mark: eight of them made sixteen failing calls."""
    own = await rig(tmp_path, *[{"text": ""}] * 20, idle_seconds=240, chat=[{"text": "Done."}] * 8)
    watch, clock = await watched(own)
    for number in range(8):
        await own.said(*storm(8 if number else 11, first=20 * number))
        await own.session.prompt([PromptText("go on")])
        await own.session.wait()
        await asyncio.sleep(0)
        await elapse(watch, clock)
    assert [edit.stage for edit in compactions(own)] == [Stage.DIGEST] * 8
    assert own.session.state.log.fold.view.tokens < own.session.state.model.budget.warning
    assert len(own.utility.requests) == 3
    assert (
        len([notice for notice in own.notices if "could not be used 3 times in a row" in notice])
        == 1
    )


async def test_what_would_free_too_little_costs_no_call_and_no_news(tmp_path):
    """copilot compacts again and again without progress; here nothing happens at all."""
    own = await rig(tmp_path, {"text": GOOD}, idle_seconds=240, idle_threshold=0.05)
    watch, clock = await watched(own)
    await own.said(*storm(3, 100))
    for _ in range(5):
        watch.on_turn_end()
        await elapse(watch, clock)
    assert compactions(own) == []
    assert own.utility.requests == []
    assert own.notices == []
