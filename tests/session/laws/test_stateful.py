"""A live session in any order: turns, storms, models, lying summarisers, quiet times, restarts.

The pure core has its own (tests/context/test_stateful.py); here the same happens through the
session, its store and its leases, with the model's every answer scripted.
"""

import asyncio
import tempfile
from collections.abc import AsyncGenerator, Coroutine, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from builders import exchange
from examples import examples
from plimsoll.context.log.entries import TaskItem
from plimsoll.context.view.fold import view_of
from plimsoll.context.view.frames import pin_text
from plimsoll.context.view.ledger import violations
from plimsoll.context.view.request_messages import render
from plimsoll.errors import InvalidInput, NotUndoable, ToolFailed
from plimsoll.providers.base import Chunk, Request
from plimsoll.providers.scripted import Scripted
from plimsoll.session.background.beside_turn import SummaryBeside
from plimsoll.session.background.between_turns import IdleWatch, compact_in
from plimsoll.session.layers.tasks import accept_plan, held_plan, set_tasks
from plimsoll.session.ports.content import PromptText
from plimsoll.session.project import Project
from plimsoll.session.reduction.items import evict, restore
from plimsoll.session.reduction.summarising import ATTEMPTS, CUT_TRIES
from plimsoll.session.reduction.undoing import newest_edit, undo
from plimsoll.session.session import Session
from session.laws.test_no_progress import rested
from session.reduction.compaction_rig import GOOD, LYING, PROVIDER_ERRORS, rig

RUNS = examples(80)
STEPS = 12
SUMMARIES: Mapping[str, Mapping[str, object]] = {
    "honest": {"text": GOOD},
    **{name: step for name, (step, _) in LYING.items()},
    **{error: {"text": ["## Goal\nhalf"], "error": error} for error in PROVIDER_ERRORS},
}


KINDS = st.sampled_from([*["honest"] * 10, *sorted(SUMMARIES)])
SIZES = st.sampled_from([3, 60, 300, 900])


def most_asked(kind: str) -> int:
    """How often a summary is asked for: again where it lacks something, or while it is cut."""
    return CUT_TRIES if kind == "cut" else ATTEMPTS


class Voice:
    """A provider that says what it was told to say last."""

    def __init__(self) -> None:
        self.step: Mapping[str, object] = {"text": "Done."}
        self.requests: list[Request] = []

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        self.requests.append(request)
        async for chunk in Scripted(steps=[self.step]).stream(request):
            yield chunk

    async def close(self) -> None:
        """Nothing to give back."""


async def at_once(seconds: float) -> None:
    """The editor has been quiet for so long."""


class WhenTold:
    """A watch that gives way to a person, and begins to wait only when a step of the test says."""

    def __init__(self, watch: IdleWatch) -> None:
        self.on_activity, self.on_close = watch.on_activity, watch.on_close

    def on_turn_end(self, *, failed: bool = False) -> None:
        """The step `rest` begins."""


class Sitting(RuleBasedStateMachine):
    """A session that somebody works in; after each step store, fold and laws are as they must."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.runner = asyncio.Runner()
        self.number = 0

    def run(self, work: Coroutine) -> object:
        return self.runner.run(work)

    @initialize(window=st.sampled_from([3_000, 6_000]), load=st.sampled_from([0, 0.5, 0.65, 0.8]))
    def begin(self, window: int, load: float) -> None:
        self.own = self.run(
            rig(Path(self.folder.name), window=window, at_mark="model", idle_seconds=240)
        )
        shelf = self.own.shelf
        self.chat, self.utility = Voice(), Voice()
        shelf.chat = replace(shelf.chat, provider=self.chat)
        shelf.utility = replace(shelf.utility, provider=self.utility)
        self.session = self.own.session
        self.run(self.session.state.load.use_model(shelf.chat))
        self.watch()
        while self.fold.view.tokens < load * self.session.state.model.budget.effective:
            self.storm(60, 1)

    def watch(self) -> None:
        def watching(session: Session) -> WhenTold:
            self.idle = IdleWatch(session, at_once)
            return WhenTold(self.idle)

        self.session = Session(self.session.state, (watching, SummaryBeside))

    @property
    def fold(self):
        return self.session.state.log.fold

    def asked(self) -> int:
        return len(self.chat.requests) + len(self.utility.requests)

    def items(self) -> list[str]:
        return [f"{said.id}.0" for group in self.fold.groups for said in group.visible]

    @rule(size=SIZES, error=st.sampled_from([None, None, None, "overflow", "cut"]))
    def turn(self, size: int, error: str | None) -> None:
        voice = self.session.state.model.provider
        voice.step = {"text": "Done."} if error is None else {"error": error}
        asked = self.asked()
        self.run(self.session.prompt([PromptText(f"Do it. {'word ' * size}")]))
        assert self.run(self.session.wait()) is not None
        self.run(self.session.state.load.ahead_of_mark.settle())
        # The turn asks at most twice, and so does whoever writes its summary beside it.
        assert self.asked() - asked <= 4

    @rule(size=SIZES, count=st.integers(1, 6))
    def storm(self, size: int, count: int) -> None:
        for _ in range(count):
            self.number += 1
            entries = exchange(self.number, f"line {self.number} {'word ' * size}")
            self.run(self.session.feed(lambda entries=entries: entries))

    @rule(kind=KINDS)
    def compact(self, kind: str) -> None:
        self.utility.step = SUMMARIES[kind]
        before, asked = self.fold.view.tokens, len(self.utility.requests)
        try:
            receipt = self.run(compact_in(self.session))
        except InvalidInput:
            assert self.fold.view.tokens == before
        else:
            assert self.fold.view.tokens == receipt.after < before
        assert len(self.utility.requests) - asked <= most_asked(kind)

    @rule(kind=KINDS, times=st.integers(1, 4))
    def go_away(self, kind: str, times: int) -> None:
        """However often the editor is quiet, without anything new the model is asked twice."""
        self.utility.step = SUMMARIES[kind]
        edits, asked = len(self.fold.edits), len(self.utility.requests)
        for _ in range(times):
            self.run(self.rest())
        assert len(self.fold.edits) - edits <= 1
        assert len(self.utility.requests) - asked <= most_asked(kind)

    async def rest(self) -> None:
        if self.session.state.model.settings.compaction.auto:
            await rested(self.idle)

    @rule()
    def take_back(self) -> None:
        """Undo; what does not fit is refused and changes nothing."""
        before = self.fold.view
        try:
            self.run(undo(self.session.state, newest_edit(self.fold)))
        except NotUndoable:
            assert self.fold.view is before
        else:
            assert self.fold.view.tokens <= self.session.state.model.budget.effective

    @rule(data=st.data())
    def let_go(self, data: st.DataObject) -> None:
        if items := self.items():
            self.run(evict(self.session.state, [data.draw(st.sampled_from(items))]))

    @rule(data=st.data())
    def bring_back(self, data: st.DataObject) -> None:
        before, items = self.fold.view, self.items()
        if not items:
            return
        try:
            self.run(restore(self.session.state, [data.draw(st.sampled_from(items))]))
        except NotUndoable:
            assert self.fold.view is before
        else:
            assert self.fold.view.tokens <= self.session.state.model.budget.effective

    @rule()
    def pin(self) -> None:
        self.run(self.session.pin(f"Always so, {len(self.fold.entries)}.", None))

    @rule()
    def plan(self) -> None:
        """A person accepts a plan; whatever comes, it stands until the next one or its end."""
        steps = (f"Step {len(self.fold.entries)}", "Done")
        try:
            self.run(accept_plan(self.session.state, "Plan: " + ", ".join(steps), steps))
        except ToolFailed:
            return

    @rule(status=st.sampled_from(["inProgress", "completed"]))
    def work_on_it(self, status: str) -> None:
        self.run(set_tasks(self.session.state, (TaskItem("All of it", status),)))

    @rule()
    def unpin(self) -> None:
        for name in list(self.fold.pins)[:1]:
            self.run(self.session.unpin(name))

    @rule(turns=st.sampled_from([0, 2, None]))
    def postpone(self, turns: int | None) -> None:
        self.run(self.session.postpone(turns))

    @rule(name=st.sampled_from(["scripted/chat", "scripted/utility"]))
    def switch_model(self, name: str) -> None:
        self.run(self.session.set_model(name))

    @rule(data=st.data())
    def rewind(self, data: st.DataObject) -> None:
        said = [each.id for group in self.fold.groups for each in group.visible]
        if said:
            self.run(self.session.rewind(data.draw(st.sampled_from(said))))

    @rule()
    def restart(self) -> None:
        """Another process opens the session and sees what stood."""
        before, used = self.fold.view, self.session.state.load.meter().used
        until = self.session.state.load.postponed_until
        self.run(self.session.close())
        project = Project(self.own.project.environment)
        self.session = self.run(project.load(self.session.id))
        self.watch()
        assert self.fold.view == before
        assert self.session.state.load.postponed_until == until
        assert self.session.state.load.meter().used == used

    @invariant()
    def store_fold_and_laws_are_as_they_must(self) -> None:
        if not hasattr(self, "own"):
            return
        state, fold = self.session.state, self.fold
        assert self.run(state.environment.store.entries(self.session.id)) == fold.entries
        assert fold.view == view_of(fold.entries, state.model.ledger)
        found = violations(render(fold.view), fold.pins.values(), 0, 1)
        assert not [each for each in found if each.law in {"pairing", "pins"}]
        self.told_in_every_request()
        meter = state.load.meter()
        assert sum(meter.parts.values()) == meter.used

    def told_in_every_request(self) -> None:
        """Plan, tasks and workplace stand in the next request, as they are now."""
        texts = [shown.part.text for shown in self.fold.view.items()]
        for slot in ("environment", "date", "tasks", "mode"):
            frame = self.fold.frames.get(slot)
            assert frame is None or frame.text is None or frame.text in texts
        held = held_plan(self.fold)
        assert held is None or pin_text(held) in texts

    def teardown(self) -> None:
        if hasattr(self, "own"):
            self.run(self.session.close())
        self.runner.close()
        self.folder.cleanup()


@pytest.mark.timeout(400)
def test_a_session_holds_in_any_order() -> None:
    limits = settings(
        max_examples=RUNS,
        stateful_step_count=STEPS,
        report_multiple_bugs=False,
    )
    run_state_machine_as_test(Sitting, settings=limits)
