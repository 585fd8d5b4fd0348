"""The project's own rules for agents: ``AGENTS.md`` and its kin, in a trusted workspace alone.

The file of the root stands in every request; that of a folder enters when a tool has read or
edited a file there, and the nearest one counts. What they say is injected as it stands on disk, up
to a limit; a changed file takes its place when the provider's cache is cold anyway (law 5), since
two versions of a rule would contradict each other.
"""

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from plimsoll.context.log.entries import Framed, Place, Slot
from plimsoll.context.log.messages import Source, clean
from plimsoll.errors import ToolFailed
from plimsoll.session.layers.imports import follow_imports
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_frame
from plimsoll.session.ports.environment import Environment
from plimsoll.session.ports.model import Model
from plimsoll.session.resources.files import WorkspaceFiles, folder_files
from plimsoll.session.state.session_state import SessionState
from plimsoll.storage.base import Redactor
from plimsoll.text.lines import line_number
from plimsoll.tools.ports.file_access import FileText

NAMES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md")
"""The first that is there counts, in each folder."""
SLOT = "instructions"
MOST_TOKENS = 8_000
SHARE = 4
"""One file takes at most this part of the effective window."""
MOST_BYTES = 1_000_000

INVISIBLE = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff]")
"""Orders that a person who looks at the file cannot see: zero widths, directions, tags."""
_OUR_MARKS = re.compile(
    r"^([ \t]*)\[(?=(?:pinned \d|instructions from |end of |summary of |you are the agent ))",
    re.MULTILINE | re.IGNORECASE,
)


async def opening_frames(environment: Environment, model: Model) -> tuple[Framed, ...]:
    """Read the instructions with which a session begins."""
    files = folder_files(environment)
    if not files.trusted():
        return ()
    await environment.commands.settle()
    reading = RuleFiles(files, model, environment.clock)
    found = await asyncio.to_thread(reading.read, "", "head")
    return (found,) if found else ()


async def changed_instructions(state: SessionState) -> tuple[Framed, ...]:
    """Return the frames to append so that the view has the present instructions.

    Without trust all of them leave. With it, those of the root enter once they exist; a changed
    file is taken over when the cache is cold, and when the session was just opened.
    """
    held, clock = _instruction_frames(state.log.fold.frames), state.clock
    if not state.files.trusted():
        return tuple(
            _removal_frame(slot, clock) for slot, frame in held.items() if frame.text is not None
        )
    await state.settle_commands()
    anew = state.load.cache_expired or not state.instructions_read
    state.instructions_read = True
    standing = {slot for slot, frame in held.items() if frame.text is not None}
    slots = {SLOT, *standing} if anew else {SLOT} - standing
    reading = RuleFiles(state.files, state.model, clock)
    return tuple(await asyncio.to_thread(reading.changes, slots, held, state.redact, anew=anew))


async def nested_instructions(state: SessionState, paths: Iterable[Path]) -> tuple[Framed, ...]:
    """Return frames of the instructions of folders in which a tool has just worked, each once."""
    if not state.files.trusted():
        return ()
    frames = state.log.fold.frames
    await state.settle_commands()
    reading = RuleFiles(state.files, state.model, state.clock)
    found = [await asyncio.to_thread(reading.nearest, path, frames) for path in paths]
    return tuple({frame.slot: frame for frame in found if frame is not None}.values())


def instruction_text(
    name: str,
    file: FileText,
    most: int,
    count: Callable[[str], int],
    followed: tuple[str, ...] = (),
) -> tuple[str, int | None]:
    """Return a rules file's text as it is injected, and its whole size in tokens if it was cut.

    ``most``: the limit in tokens; a notice says what was cut. ``followed``: the imported files,
    whose text is included.
    """
    fitted = fit_text(file.text, most, count)
    kept, whole = fitted.kept, fitted.whole
    told = f"{name}, with {', '.join(followed)}" if followed else name
    lines = [f"[instructions from {told}: the project's own rules. What the user says counts more]"]
    lines.append(kept)
    partial = len(file.text) < file.size and file.size > MOST_BYTES
    if fitted.is_cut or partial:
        left = f"{whole - count(kept):,} of {whole:,} tokens" if not partial else "the rest"
        line = line_number(kept, len(kept)) + 1
        where = f"each of {told}" if followed else f"{name} with offset {line}"
        lines.append(f"[left out: {left}; file_read {where} shows them]")
    lines.append(f"[end of {name}]")
    return "\n".join(lines), whole if fitted.is_cut or partial else None


@dataclass(frozen=True, slots=True)
class FittedText:
    """The text of a file, cleaned and cut for the prompt."""

    kept: str
    whole: int
    """The tokens of all of it."""
    is_cut: bool


def fit_text(text: str, most: int, count: Callable[[str], int]) -> FittedText:
    """Cut a text to so many tokens, without what nobody sees and without marks like ours."""
    plain = _OUR_MARKS.sub(r"\1(", INVISIBLE.sub("", text)).strip("\n")
    whole = count(plain)
    kept = plain if whole <= most else _cut(plain, most, count)
    return FittedText(kept, whole, is_cut=kept != plain)


def folder_of(slot: str) -> str:
    """Return the folder of a slot, relative to the workspace; empty: the root."""
    return slot.removeprefix(SLOT).removeprefix(".")


def slot_of(folder: str) -> str:
    """Return the slot of a folder's instructions."""
    return f"{SLOT}.{folder}" if folder else SLOT


def _instruction_frames(frames: Mapping[str, Framed]) -> dict[str, Framed]:
    return {
        slot: frame
        for slot, frame in frames.items()
        if frame.kind is Slot.INSTRUCTIONS and slot.partition(".")[0] == SLOT
    }


def _removal_frame(slot: str, clock: Clock) -> Framed:
    return new_frame(clock, slot, Slot.INSTRUCTIONS, None)


def _as_kept(frame: Framed, redact: Redactor) -> str:
    """Return a frame's text as the store keeps it: without known secrets, valid Unicode."""
    return redact(clean(frame.text or ""))


class RuleFiles:
    """Reads the rules for agents in the folders of a workspace, as a model may be told of them."""

    def __init__(self, files: WorkspaceFiles, model: Model, clock: Clock) -> None:
        self._files = files
        self._model = model
        self._clock = clock

    def changes(
        self, slots: Iterable[str], held: Mapping[str, Framed], redact: Redactor, *, anew: bool
    ) -> list[Framed]:
        """Return the frames to append so that these slots match their files. Blocks.

        ``anew``: a changed file takes the place of its older version.
        """
        fresh: list[Framed] = []
        for slot in sorted(slots):
            before = held.get(slot)
            gone = before is not None and before.text is None
            # What comes back after it was taken out stands where its older version would show.
            now = self.read(folder_of(slot), "head" if anew or gone else "tail")
            if now is not None and (before is None or before.text != _as_kept(now, redact)):
                fresh.append(now)
            elif now is None and before is not None and not gone:
                fresh.append(_removal_frame(slot, self._clock))
        return fresh

    def read(self, folder: str, place: Place) -> Framed | None:
        """Read a folder's rules file; if it is refused, return the reason. Blocks."""
        refused: str | None = None
        for base in NAMES:
            name = f"{folder}/{base}" if folder else base
            try:
                file = self._files.read(name, MOST_BYTES)
            except ToolFailed as error:
                refused = refused or f"[no instructions: {error.message}]"
                continue
            if file is not None and file.text.strip():
                return self._frame(folder, name, file, place)
        if refused is None:
            return None
        return new_frame(self._clock, slot_of(folder), Slot.INSTRUCTIONS, refused, place=place)

    def nearest(self, path: Path, frames: Mapping[str, Framed]) -> Framed | None:
        """Find the nearest rules file above a file, unless the context has it already. Blocks."""
        for folder in _folders(path, self._files.root):
            held = frames.get(slot_of(folder))
            if held is not None and held.text is not None:
                return None
            found = self.read(folder, "tail" if held is None else "head")
            if found is not None:
                return found
        return None

    def _frame(self, folder: str, name: str, file: FileText, place: Place) -> Framed:
        model = self._model
        most, count = min(MOST_TOKENS, model.budget.effective // SHARE), model.ledger.bare
        found = follow_imports(name, file.text, self._imported, count)
        shown = " ".join(name.split())
        followed = tuple(each.path for each in found.files if each.outcome == "followed")
        text, original = instruction_text(
            shown, replace(file, text=found.text), most, count, followed=followed
        )
        return new_frame(
            self._clock,
            slot_of(folder),
            Slot.INSTRUCTIONS,
            text,
            place=place,
            source=Source((self._files.root / name).as_uri(), version=file.version),
            original=original,
            imports=found.files,
        )

    def _imported(self, name: str) -> str | None:
        """Read a file that a rules file imports; raises ToolFailed if it is refused."""
        file = self._files.read(name, MOST_BYTES)
        return file.text if file is not None else None


def _folders(path: Path, root: Path) -> Iterator[str]:
    """Yield the folders above a file, the nearest first, without the root."""
    if path.is_relative_to(root):
        inner = PurePosixPath(path.relative_to(root).as_posix())
        yield from (str(folder) for folder in inner.parents if folder != PurePosixPath())


def _cut(text: str, most: int, count: Callable[[str], int]) -> str:
    """Cut a text to its first ``most`` tokens, at the end of a line if possible."""
    # A token of prose or code has about four characters; twice that leaves room to look.
    low, high = 0, min(len(text), most * 8)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(text[:middle]) <= most else (low, middle - 1)
    end = text.rfind("\n", 0, low)
    return text[: end if end > low // 2 else low]
