"""The brief: what the session of a subagent is told of its caller, and nothing of what was said.

It holds the person's standing instructions in their own words, the caller's tasks, and which files
are known. Pins stand in the other session as pins, an accepted plan among them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, takewhile

from plimsoll.context.index.calls import answered_calls
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Framed, Pinned, with_subtasks
from plimsoll.context.stages.standing import said_instructions
from plimsoll.context.stages.work_done import files
from plimsoll.context.view.fold import Fold
from plimsoll.session.memory.injecting import SLOT as MEMORIES
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import renew
from plimsoll.session.ports.ids import new_pin_id
from plimsoll.session.state.session_state import SessionState, person_of

MOST_TOKENS = 4_000
SHARE = 10
"""The brief takes at most this part of the effective window."""
MEMORIES_SHARE = 8
"""The same of the memories, as in every session."""
ROLES: Mapping[str, str] = {
    "explore": "You read for another agent, which sees your last message alone. You change "
    "nothing. Answer in few words, name places as path:line, and quote no whole files.",
    "work": "You work for another agent, which sees your last message alone. Say what you changed "
    "and what is open, name places as path:line, and quote no whole files.",
}
_RULES = "# The user's standing instructions (their own words)"
_TASKS = "# Tasks of the agent that called you"
_KNOWN = "# Files that it has read or edited, the newest last"


def brief_text(
    caller: SessionState, kind: str, most: int, count: Callable[[str], int], *, place: str = ""
) -> str:
    """Write the brief, in at most about ``most`` tokens; its first paragraph is the role.

    ``place``: what is to be known of the folder in which the subagent works, where it has its own.
    """
    root = person_of(caller)
    tasks = caller.log.fold.frames.get("tasks")
    sections = (
        (_RULES, _instructions(root.log.indexes)),
        (_TASKS, _task_lines(tasks)),
        (_KNOWN, _known_files(caller.log.fold)[::-1]),
    )
    role = f"{ROLES[kind]} {place}".rstrip()
    parts, room = [role], most - count(role)
    for title, lines in sections:
        kept = _fitting(lines, room - count(title), count)
        if kept:
            shown = kept[::-1] if title == _KNOWN else kept
            parts.append("\n".join([title, *shown]))
            room -= count(parts[-1])
    return "\n\n".join(parts)


def carried_pins(fold: Fold, clock: Clock) -> tuple[Pinned, ...]:
    """Return the caller's pins for another session; those of the folder keep their ids."""
    return tuple(
        replace(
            pin,
            id=pin.id if pin.scope == "workspace" else new_pin_id(clock),
            at=clock.now(),
            number=number,
            item=None,
        )
        for number, pin in enumerate(fold.pins.values(), 1)
    )


def carried_memories(fold: Fold, most: int, clock: Clock) -> tuple[Framed, ...]:
    """Return the memories in the caller's context, if they take at most so many tokens."""
    frame = fold.frames.get(MEMORIES)
    if frame is None or frame.text is None or fold.ledger.frame(frame.text, frame.kind) > most:
        return ()
    return (replace(renew(frame, clock), place="head"),)


def _instructions(indexes: Indexes) -> list[str]:
    held = sorted(said_instructions(indexes).standing, key=lambda each: each.rank)
    return [f"- {' '.join(each.text.split())}" for each in held]


def _task_lines(frame: Framed | None) -> list[str]:
    tasks = with_subtasks(frame.tasks) if frame else ()
    return [f"- {task.title} ({task.status})" for task in tasks]


def _known_files(fold: Fold) -> list[str]:
    said = (message for group in fold.groups for message in group.visible)
    return [f"- {' '.join(line.split())}" for line in files(answered_calls(said))]


def _fitting(lines: Sequence[str], room: int, count: Callable[[str], int]) -> list[str]:
    """Return the first lines that fit into ``room`` tokens."""
    sizes = accumulate(map(count, lines))
    return [line for line, _ in takewhile(lambda pair: pair[1] <= room, _pairs(lines, sizes))]


def _pairs(lines: Iterable[str], sizes: Iterable[int]) -> Iterator[tuple[str, int]]:
    return zip(lines, sizes, strict=True)
