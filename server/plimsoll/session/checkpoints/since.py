"""Tells whether somebody changed a file between a checkpoint and the agent's first edit.

The copy of a file is made at that edit, so going back brings what stood there then. The times of
the file system tell whether that was already there at the checkpoint.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from plimsoll.context.log.entries import Entry
from plimsoll.tools.ports.intent import TextChange
from plimsoll.tools.ports.times import ChangeTimes

CLOCK_STEP = 10_000
"""Microseconds by which the time of a file may lie before the time at which it was changed."""
CHANGED = (
    "Somebody may have changed it between the prompt and the agent's first edit; what stood there "
    "at that edit comes back."
)
APPEARED = (
    "The agent created it. Should another file of this name have been there at the prompt, no copy "
    "of that one is kept."
)


def last_changed(
    change: TextChange, folders_left: dict[Path, tuple[int, int]], left_at: Callable[[], str]
) -> int | None:
    """Return when a file was last changed, by anybody, before the agent's change of it.

    In microseconds since 1970; None if unknown. For a file that was missing it is the
    time at which somebody else last changed the folder.

    ``folders_left``: see ``FileCopies``. ``left_at``: returns when the agent left it with the text
    that was found, or now.
    """
    if change.times is None:
        return None
    folder = _folder_changed(folders_left, change.times)
    if change.before is None:
        return folder
    if change.times.file is not None:
        return _micro(change.times.file)
    return moment(left_at())


def moment(at: str) -> int | None:
    """Return the microseconds since 1970 of a time in the log; None if it is malformed."""
    try:
        found = datetime.fromisoformat(at)
    except ValueError:
        return None
    aware = found if found.tzinfo is not None else found.replace(tzinfo=UTC)
    return max(0, round(aware.timestamp() * 1e6))


def why_another(changed: int | None, checkpoint: Entry | None, *, missing: bool) -> str | None:
    """Say why a file may have differed at the checkpoint from its state at the first edit.

    ``missing``: there was no file at the edit. Null: it was the same, or nothing is known.
    """
    at = None if checkpoint is None else moment(checkpoint.at)
    if changed is None or at is None or changed < at - CLOCK_STEP:
        return None
    return APPEARED if missing else CHANGED


def _folder_changed(folders_left: dict[Path, tuple[int, int]], times: ChangeTimes) -> int | None:
    """Return when somebody else last changed the folder; note its time after the agent's change."""
    found = next((each for each in times.folders if each.at is not None), None)
    if found is None or found.at is None:
        return None
    left = folders_left.get(found.path)
    changed = left[1] if left is not None and left[0] == found.at else found.at
    for each in times.folders_after:
        if each.at is not None:
            folders_left[each.path] = each.at, changed
    return _micro(changed)


def _micro(nanoseconds: int) -> int:
    return max(0, nanoseconds // 1_000)
