"""The agent's tasks, and the accepted plan from which they came, which is pinned until it is done.

An accepted plan is a pin of the session, so every reduction, reload and fork keeps it word for
word, and a person can drop it as they unpin anything.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from plimsoll.context.log.entries import (
    Framed,
    Pinned,
    Slot,
    TaskItem,
    with_subtasks,
)
from plimsoll.context.log.notes import ACCEPTED_PLAN, notes_of_kind
from plimsoll.context.view.fold import Fold
from plimsoll.errors import InvalidInput, ToolFailed
from plimsoll.session.layers.framing import mode_frames
from plimsoll.session.layers.pins import budget_of, next_number, pins_tokens, refuse_over
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_frame, new_note, new_pin, new_undone
from plimsoll.session.ports.events import NoticeGiven, TasksChanged
from plimsoll.session.state.session_state import SessionState
from plimsoll.session.state.voice import SessionVoice
from plimsoll.storage.base import Redactor

MARKS = {"pending": "[ ]", "inProgress": "[~]", "completed": "[x]", "cancelled": "[-]"}
LONGEST_TITLE = 200
_OPEN = frozenset({"pending", "inProgress"})


def task_lines(tasks: Iterable[TaskItem], indent: str = "") -> Iterator[str]:
    """Write a tree of tasks, each on a line with its mark, subtasks below their task."""
    for task in tasks:
        yield f"{indent}{MARKS[task.status]} {task.title}"
        yield from task_lines(task.children, f"{indent}  ")


def tasks_frame(tasks: Sequence[TaskItem], clock: Clock) -> Framed:
    """Return the frame of the tasks; it enters at the tail, so that the prefix stays."""
    return new_frame(
        clock,
        "tasks",
        Slot.TASKS,
        "\n".join(["# Tasks", *task_lines(tasks)]) if tasks else None,
        place="tail",
        tasks=tuple(tasks),
    )


async def set_tasks(state: SessionState, tasks: Sequence[TaskItem]) -> None:
    """Replace the task list; a plan is unpinned when all its tasks are done or given up."""
    clock, held = state.clock, held_plan(state.log.fold)
    over = held if not any(task.status in _OPEN for task in with_subtasks(tasks)) else None
    gone = (new_undone(clock, over.id),) if over else ()
    await state.append(tasks_frame(tasks, clock), *gone)
    _tell(state.voice, state.redact, tasks)
    if over:
        done = any(task.status == "completed" for task in with_subtasks(tasks))
        what = "is done" if done else "was given up"
        state.voice.emit(NoticeGiven(f"The plan {what}: it is no longer pinned.", "info"))


def held_plan(fold: Fold) -> Pinned | None:
    """Return the pin of the plan in force; None if none was accepted, or it is over."""
    newest = None
    for note in notes_of_kind(fold.entries, ACCEPTED_PLAN):
        newest = note.text("pin")
    return fold.pins.get(newest or "")


def check_plan(state: SessionState, text: str) -> Pinned:
    """Make the pin of a plan, which replaces one accepted before; raises if it cannot be kept.

    Raises:
        ToolFailed: The session works for another agent, or the pins would be too large.
    """
    if state.agent.kind != "main":
        raise ToolFailed("Plans are the main agent's. Tell your parent what you would do.")
    fold, clock, held = state.log.fold, state.clock, held_plan(state.log.fold)
    pin = new_pin(clock, text, next_number(fold))
    others = (each for each in fold.pins.values() if each is not held)
    try:
        refuse_over(pins_tokens((*others, pin), fold.ledger), budget_of(state.model))
    except InvalidInput as error:
        raise ToolFailed(f"{error.message} Make the plan shorter.") from error
    return pin


async def accept_plan(state: SessionState, text: str, steps: Sequence[str]) -> None:
    """Pin a plan that a person accepted, make its steps the tasks, and begin edit mode.

    Raises what ``check_plan`` raises.
    """
    pin, held, clock = check_plan(state, text), held_plan(state.log.fold), state.clock
    tasks = tuple(TaskItem(step[:LONGEST_TITLE], "pending") for step in steps)
    note = new_note(clock, ACCEPTED_PLAN, {"pin": pin.id})
    gone = (new_undone(clock, held.id),) if held else ()
    mode = mode_frames("edit", clock) if state.mode != "edit" else ()
    # One unit: a plan is never pinned without its tasks, nor told without its mode.
    await state.append(*gone, pin, note, *mode, tasks_frame(tasks, clock))
    if mode:
        await state.save(replace(state.record, mode="edit"))
    _tell(state.voice, state.redact, tasks)


def _tell(voice: SessionVoice, redact: Redactor, tasks: Iterable[TaskItem]) -> None:
    voice.emit(TasksChanged(_redact_titles(tasks, redact)))


def _redact_titles(tasks: Iterable[TaskItem], redact: Redactor) -> tuple[TaskItem, ...]:
    return tuple(
        replace(task, title=redact(task.title), children=_redact_titles(task.children, redact))
        for task in tasks
    )
