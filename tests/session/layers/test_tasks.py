"""An accepted plan: pinned, its steps the tasks, until it is done, given up or dropped."""

from dataclasses import replace

import pytest

from plimsoll.context.log.entries import TaskItem
from plimsoll.context.view.request_messages import render
from plimsoll.errors import ToolFailed
from plimsoll.session.background.between_turns import compact_in
from plimsoll.session.layers.tasks import accept_plan, held_plan, set_tasks
from plimsoll.session.ports.agent import Agent
from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.events import NoticeGiven, TasksChanged
from session.harness import SECRET, Harness, harness
from session.reduction.compaction_rig import GOOD, rig, storm

TEXT = "Plan:\n1. Read the lock\n2. Mend it"
PROPOSE = {"calls": [{"name": "plan", "arguments": {"steps": ["Read the lock", "Mend it"]}}]}
DONE = {"text": "Done."}
TASKS = (TaskItem("Read the lock", "pending"), TaskItem("Mend it", "pending"))
ACCEPTED = Decision(allowed=True)


def plan_of(own: Harness) -> str | None:
    held = held_plan(own.session.state.log.fold)
    return held.text if held else None


def tasks_of(own: Harness) -> tuple[TaskItem, ...]:
    frame = own.session.state.log.fold.frames.get("tasks")
    return frame.tasks if frame else ()


async def test_an_accepted_plan_is_pinned_its_steps_are_tasks_and_edit_mode_begins(tmp_path):
    async with harness(tmp_path, PROPOSE, DONE, mode="plan", answers=(ACCEPTED,)) as own:
        await own.turn("Plan it.")
        assert [call.intent.proposal for call in own.person.asked] == [TEXT]
        assert (plan_of(own), tasks_of(own), own.session.state.mode) == (TEXT, TASKS, "edit")
        assert own.heard(TasksChanged)[-1].tasks == TASKS
        tail = [message.text for message in own.provider.requests[-1].messages[-3:]]
        assert tail[0] == f"[pinned 1] {TEXT}"
        assert tail[1].startswith("Mode: edit.")
        assert tail[2] == "# Tasks\n[ ] Read the lock\n[ ] Mend it"
        assert (
            own.provider.requests[0].messages[0].text == own.provider.requests[-1].messages[0].text
        )
        await own.consistent()


async def test_what_the_person_changed_is_what_is_pinned(tmp_path):
    edited = "Plan:\n1. Oil the lock"
    answers = (replace(ACCEPTED, edited=edited),)
    async with harness(tmp_path, PROPOSE, DONE, mode="plan", answers=answers) as own:
        await own.turn("Plan it.")
        assert plan_of(own) == edited
        assert tasks_of(own) == (TaskItem("Oil the lock", "pending"),)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (Decision(allowed=False, reason="Too few steps."), "Reason: Too few steps."),
        (replace(ACCEPTED, edited="Plan:\n"), "A plan without a step is no plan"),
    ],
)
async def test_a_plan_that_was_sent_back_or_emptied_changes_nothing(tmp_path, answer, told):
    async with harness(tmp_path, PROPOSE, DONE, mode="plan", answers=(answer,)) as own:
        await own.turn("Plan it.")
        assert (plan_of(own), tasks_of(own), own.session.state.mode) == (None, (), "plan")
        assert told in own.said()[-2][1]
        await own.consistent()


async def test_a_new_plan_takes_the_place_of_the_one_before(tmp_path):
    other = {"calls": [{"name": "plan", "arguments": {"steps": ["Paint it"]}}]}
    async with harness(tmp_path, PROPOSE, other, DONE, answers=(ACCEPTED,)) as own:
        await own.turn("Plan it.")
        pins = own.session.state.log.fold.pins.values()
        assert [pin.text for pin in pins] == ["Plan:\n1. Paint it"]
        assert tasks_of(own) == (TaskItem("Paint it", "pending"),)


@pytest.mark.parametrize(
    ("tasks", "stays", "notice"),
    [
        ((TaskItem("a", "completed"), TaskItem("b", "pending")), True, None),
        ((TaskItem("a", "completed", (TaskItem("c", "inProgress"),)),), True, None),
        ((TaskItem("a", "completed"), TaskItem("b", "cancelled")), False, "The plan is done"),
        ((TaskItem("a", "cancelled"),), False, "The plan was given up"),
        ((), False, "The plan was given up"),
    ],
)
async def test_a_plan_stays_until_no_task_is_open(tmp_path, tasks, stays, notice):
    async with harness(tmp_path) as own:
        state = own.session.state
        await accept_plan(state, TEXT, ("Read the lock", "Mend it"))
        await set_tasks(state, tasks)
        assert (plan_of(own) is not None) is stays
        told = [each.markdown for each in own.heard(NoticeGiven)]
        assert (told == []) if notice is None else told[0].startswith(notice)
        await set_tasks(state, tasks)
        assert len(own.heard(NoticeGiven)) == len(told)
        await own.consistent()


async def test_a_person_drops_a_plan_by_its_pin(tmp_path):
    async with harness(tmp_path) as own:
        await accept_plan(own.session.state, TEXT, ("Read the lock",))
        await own.session.unpin(held_plan(own.session.state.log.fold).id)
        assert plan_of(own) is None


async def test_reload_and_fork_keep_it(tmp_path):
    async with harness(tmp_path, DONE) as own:
        await own.turn("Hello.")
        await accept_plan(own.session.state, f"{TEXT} {SECRET}", ("Read the lock",))
        kept = plan_of(own)
        assert kept == f"{TEXT} [redacted]"
        await own.project.live.pop(own.session.id).close()
        own.session = await own.project.load(own.session.id)
        assert plan_of(own) == kept
        own.session = await own.project.fork(own.session.id)
        assert (plan_of(own), own.session.state.mode) == (kept, "edit")
        assert tasks_of(own) == (TaskItem("Read the lock", "pending"),)


async def test_plan_tasks_and_workplace_stand_after_every_compaction(tmp_path):
    own = await rig(tmp_path, *[{"text": GOOD}] * 3)
    state = own.session.state
    await accept_plan(state, TEXT, ("Read the lock", "Mend it"))
    where = state.log.fold.frames["environment"].text
    for number in range(4):
        await own.said(*storm(10, first=100 * number))
        await compact_in(own.session)
        request = "\n".join(message.text for message in render(state.log.fold.view))
        for stands in (TEXT, "# Tasks\n[ ] Read the lock\n[ ] Mend it", where, "Date: 2000-01-01."):
            assert stands in request, (number, stands)
        assert request.count(TEXT) == 1
        assert "Mode: edit." in request
    assert len(state.log.fold.edits) == 4


async def test_a_plan_that_does_not_fit_and_one_of_another_agent_are_refused(tmp_path):
    async with harness(tmp_path) as own:
        state = own.session.state
        with pytest.raises(ToolFailed, match=r"over their .* Make the plan shorter"):
            await accept_plan(state, "word " * 9_000, ("word",))
        state.agent = Agent("explore", 1)
        with pytest.raises(ToolFailed, match="Plans are the main agent's"):
            await accept_plan(state, TEXT, ("Read the lock",))
        assert plan_of(own) is None
