"""Shows the hunks that the agent made, and keeps or undoes those that a person chooses.

Laws: a hunk is undone only where its lines stand as the agent wrote them, and the old ones come
back in one step; what a person has changed is theirs and is never touched; each choice is in the
log before it takes effect.
"""

import asyncio
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from plimsoll.cancellation import wait_through_cancel
from plimsoll.context.log.entries import Framed, Slot
from plimsoll.errors import StoreError, ToolFailed
from plimsoll.session.checkpoints.changes import FileChange, change_note, keep_copies
from plimsoll.session.checkpoints.restoring import UNTRUSTED
from plimsoll.session.hunks.tracked import TrackedFile, base_of, chosen_note, tracked_files
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_frame
from plimsoll.session.state.session_state import SessionState
from plimsoll.text.hunks import Hunk, hunks_between, rebase, with_hunks
from plimsoll.text.lines import split_lines, version_of
from plimsoll.tools.ports.file_access import FileToRestore

MOST_BYTES = 5_000_000
MOST_NAMED = 8
"""Files of which the model is told the places."""
SLOT = "undone"
"""The slot of the frame that tells the model."""
UNDONE = (
    "[The user undid parts of your changes: {places}. What stood there before stands there again. "
    "Do not make these changes again unless the user asks for them.]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeHunk:
    """Lines that the agent wrote, in the file as it is now."""

    id: str
    """The same while the lines stay as they are."""
    start: int
    """The first line, from 0, as an editor counts."""
    end: int
    """The line behind the last one; the first line where lines were only taken out."""
    old: str
    """What stood there before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileHunks:
    """The hunks of a file."""

    path: Path
    hunks: tuple[MadeHunk, ...]


@dataclass(frozen=True, slots=True)
class FileLeft:
    """A file whose hunks a person wanted undone, but could not be."""

    path: Path
    why: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """The hunks that a person has chosen."""

    path: Path | None = None
    """The real path of the file; none: all files."""
    hunks: Collection[str] | None = None
    """Their ids; none: all of the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _FileNow:
    """The present text of a file, and its base without the agent's hunks."""

    file: TrackedFile
    base: str
    now: str

    def hunks(self) -> list[tuple[str, Hunk]]:
        """Return each hunk with its id."""
        old, new = split_lines(self.base), split_lines(self.now)
        seen: dict[str, int] = {}
        found: list[tuple[str, Hunk]] = []
        for hunk in hunks_between(old, new):
            gone = "".join(old[hunk.start : hunk.end])
            come = "".join(new[hunk.new_start : hunk.new_end])
            name = version_of(f"{len(gone)} {gone}{come}")[:12]
            seen[name] = seen.get(name, 0) + 1
            found.append((f"{name}.{seen[name]}", hunk))
        return found

    def numbers(self, chosen: Chosen) -> list[int]:
        """Return the numbers of the hunks that a person chose."""
        every = enumerate(self.hunks())
        return [n for n, (name, _) in every if chosen.hunks is None or name in chosen.hunks]


class AgentHunks:
    """Shows the hunks that the agent of a session made, and keeps or undoes some of them."""

    def __init__(self, state: SessionState) -> None:
        self._log = state.log
        self._append = state.append
        self._files = state.files
        self._copies = state.copies
        self._clock = state.clock

    async def open_hunks(self) -> list[FileHunks]:
        """Return the hunks that nobody has kept or undone, file by file."""
        return await asyncio.to_thread(self._open)

    async def keep(self, chosen: Chosen) -> None:
        """Accept hunks as part of their files' bases; changes no file."""
        for looked in await asyncio.to_thread(self._meant, chosen):
            numbers = looked.numbers(chosen)
            if numbers:
                file = await asyncio.to_thread(self._kept, looked, numbers)
                await self._append(chosen_note(file, self._clock))

    async def undo(self, chosen: Chosen) -> list[FileLeft]:
        """Undo hunks, restoring the lines before them; returns the files that could not be changed.

        A cancel waits until nothing can take effect any more.
        """
        undoing = asyncio.ensure_future(self._undo(chosen))
        if await wait_through_cancel(undoing):
            raise asyncio.CancelledError from undoing.exception()
        return undoing.result()

    def _copy(self, version: str) -> str | None:
        try:
            return self._copies.texts.read(version)
        except StoreError:
            return None

    def _look(self) -> Iterator[_FileNow]:
        """Read the files that may hold hunks. Blocks."""
        for file in tracked_files(list(self._log.fold.entries), self._copy):
            try:
                found = self._files.read(file.path, MOST_BYTES)
            except ToolFailed:
                continue
            base, left = base_of(file, self._copy), self._copy(file.left)
            if found is None or found.size > MOST_BYTES or base is None or left is None:
                continue
            yield _FileNow(file=file, base=rebase(base, left, found.text), now=found.text)

    def _open(self) -> list[FileHunks]:
        found: list[FileHunks] = []
        for looked in self._look():
            old = split_lines(looked.base)
            hunks = tuple(
                MadeHunk(
                    id=name,
                    start=hunk.new_start,
                    end=hunk.new_end,
                    old="".join(old[hunk.start : hunk.end]),
                )
                for name, hunk in looked.hunks()
            )
            if hunks:
                found.append(FileHunks(path=self._files.root / looked.file.path, hunks=hunks))
        return found

    def _meant(self, chosen: Chosen) -> list[_FileNow]:
        return [
            looked
            for looked in self._look()
            if chosen.path is None or self._files.root / looked.file.path == chosen.path
        ]

    def _kept(self, looked: _FileNow, numbers: Sequence[int]) -> TrackedFile:
        """Return the file with some hunks moved into its base, and store both texts."""
        base = with_hunks(looked.base, looked.now, numbers)
        if base != looked.now:
            # Where no copy may be kept, the marks of the other hunks go with this choice.
            keep_copies(self._copies, (base, looked.now))
        return replace(looked.file, base=version_of(base), left=version_of(looked.now))

    async def _undo(self, chosen: Chosen) -> list[FileLeft]:
        left, done = list[FileLeft](), list[str]()
        for looked in await asyncio.to_thread(self._meant, chosen):
            numbers = looked.numbers(chosen)
            if not numbers:
                continue
            places = _places(looked, numbers)
            try:
                await self._write_without(looked, numbers)
            except ToolFailed as error:
                path, why = self._files.root / looked.file.path, error.message
                left.append(FileLeft(path, self._copies.redact(why)))
            else:
                done.append(places)
        if done:
            await self._append(_frame(self._clock, done))
        return left

    async def _write_without(self, looked: _FileNow, numbers: Sequence[int]) -> None:
        """Write the file without some hunks, after noting the change.

        Raises:
            ToolFailed: The folder is not trusted, or the file has changed meanwhile.
        """
        file, copies, clock = looked.file, self._copies, self._clock
        if not copies.trusted():
            raise ToolFailed(UNTRUSTED)
        others = set(range(len(looked.hunks()))).difference(numbers)
        text = with_hunks(looked.base, looked.now, others)
        wanted = None if file.base is None and text == "" else text
        now, after = version_of(looked.now), None if wanted is None else version_of(wanted)
        why = await asyncio.to_thread(keep_copies, copies, (looked.now, wanted, looked.base))
        change = FileChange(
            path=file.path, before=now, after=after, encoding=file.encoding, why=why
        )
        await self._append(change_note(change, clock))
        put = FileToRestore(name=file.path, left=now, wanted=wanted, encoding=file.encoding)
        try:
            await copies.restore(put)
        except ToolFailed:
            undone = replace(change, before=after, after=now)
            base = None if file.base is None and looked.base == "" else version_of(looked.base)
            as_it_was = chosen_note(replace(file, base=base, left=now), clock)
            await self._append(change_note(undone, clock), as_it_was)
            raise


def _places(looked: _FileNow, numbers: Sequence[int]) -> str:
    """Name the lines, from 1, at which hunks stood before they were undone."""
    hunks = [hunk for _, hunk in looked.hunks()]
    name = " ".join(looked.file.path.split())
    lines = [
        str(h.new_start + 1) if h.new_end - h.new_start <= 1 else f"{h.new_start + 1}-{h.new_end}"
        for h in (hunks[n] for n in numbers)
    ]
    return f"{name} (at line{'s' if lines[1:] else ''} {', '.join(lines)})"


def _frame(clock: Clock, done: Sequence[str]) -> Framed:
    more = [f"{len(done) - MOST_NAMED} more files"] if len(done) > MOST_NAMED else []
    places = ", ".join([*done[:MOST_NAMED], *more])
    return new_frame(clock, SLOT, Slot.SYSTEM, UNDONE.format(places=places), place="tail")
