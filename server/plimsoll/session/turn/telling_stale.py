"""What the model is told before a request of files that are not as it read them."""

import asyncio
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path

from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import ItemState, Slot
from plimsoll.context.log.messages import Source
from plimsoll.context.view.sources import file_of
from plimsoll.context.view.view import RenderedItem
from plimsoll.session.ports.entries import new_frame
from plimsoll.session.state.session_state import SessionState
from plimsoll.session.turn.staleness import MOST_BYTES, mark_changed
from plimsoll.text.lines import line_range
from plimsoll.text.paths import name_in

MOST_FILES = 100
"""Files that are looked at before a request, those that were read last."""
MOST_NAMED = 8
"""Files that the model is told of by name."""
SLOT = "stale"
"""The slot of the frame that tells the model."""


async def tell_stale(state: SessionState) -> None:
    """Check before a request which read files have changed, and append a frame that says so."""
    files = state.log.fold.sources().newest_files(MOST_FILES)
    # Where no file was read nothing is waited for: a first request goes out at once.
    changed = await asyncio.to_thread(_changed_files, files, state.files_seen) if files else ()
    for path in changed:
        text = await asyncio.to_thread(state.files.present_text, path, MOST_BYTES)
        if text is not None or not path.exists():
            await mark_changed(state, path, text)
    told = _stale_told(state.log.indexes, state.files.root)
    held = state.log.fold.frames.get(SLOT)
    if told is not None and (held is None or held.text != state.redact(told)):
        await state.append(new_frame(state.clock, SLOT, Slot.SYSTEM, told, place="tail"))


def stale_text(stale: Sequence[RenderedItem], root: Path) -> str:
    """Write the frame's text: the files with a stale read, and the lines that were read."""
    places: dict[str, list[str]] = {}
    for shown in stale:
        source = shown.part.source
        path = path_of_source(source) if source is not None else None
        if source is None or path is None:
            continue
        name = name_in(root, path)
        lines = line_range(*source.lines) if source.lines else ""
        places.setdefault(" ".join(name.split()), []).append(lines)
    named = [_place(name, lines) for name, lines in list(places.items())[:MOST_NAMED]]
    more = [f"{len(places) - MOST_NAMED} more"] if len(places) > MOST_NAMED else []
    return f"[Changed since you read it: {', '.join([*named, *more])}. Read again what you need.]"


NOTHING_STALE = "[Nothing that you read of a file is out of date any more.]"
STANDING = frozenset({ItemState.VERBATIM, ItemState.TRUNCATED, ItemState.REFERRED})
"""Forms in which what was read stands in the request, as a whole or in part."""


def to_tell(items: Sequence[RenderedItem], stale: AbstractSet[str]) -> list[RenderedItem]:
    """Return the stale reads to name to the model: those whose lines no later read has."""
    found: list[RenderedItem] = []
    later: dict[str, list[tuple[int, int] | None]] = {}
    for shown in reversed(items):
        source = shown.part.source
        if source is None or shown.state not in STANDING:
            continue
        newer = later.setdefault(source.uri, [])
        if shown.item not in stale:
            newer.append(source.lines)
        elif not any(_covers(each, source.lines) for each in newer):
            found.append(shown)
    return found[::-1]


def path_of_source(source: Source) -> Path | None:
    """Return the path of the file that a source names; None if it names no file."""
    found = file_of(source.uri)
    return None if found is None else Path(found)


def _place(name: str, lines: Sequence[str]) -> str:
    known = [each for each in dict.fromkeys(lines) if each]
    if not known or len(known) != len(lines):
        return name
    many = "s" if len(known) > 1 or "-" in known[0] else ""
    return f"{name} (line{many} {', '.join(known)})"


def _stale_told(indexes: Indexes, root: Path) -> str | None:
    """Return the present text about stale reads for the model; None if none was ever stale."""
    fold, stale = indexes.fold, indexes.read_notes.stale
    items = to_tell(fold.sources().items_of_same_files(stale), stale) if stale else []
    if items:
        return stale_text(items, root)
    return NOTHING_STALE if SLOT in fold.frames else None


def _changed_files(files: Iterable[str], seen: dict[Path, tuple[int, int] | None]) -> list[Path]:
    """List the files whose time or size has changed since last ``seen``, and update ``seen``."""
    changed: list[Path] = []
    for path in map(Path, files):
        try:
            status = path.stat()
        except OSError:
            now = None
        else:
            now = status.st_mtime_ns, status.st_size
        if path not in seen or seen[path] != now:
            changed.append(path)
        seen[path] = now
    return changed


def _covers(newer: tuple[int, int] | None, lines: tuple[int, int] | None) -> bool:
    if newer is None or lines is None:
        return newer is None
    return newer[0] <= lines[0] and lines[1] <= newer[1]
