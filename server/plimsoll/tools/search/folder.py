"""Attaches folders: the list of their files, and how the most telling of them begin.

Law: bounded in files, lines and characters, and the end says what was left out. Only what git would
include is listed. Of a protected file, or one that is named as those that hold secrets, the name is
all that is shown.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from plimsoll.errors import ToolFailed
from plimsoll.text.lines import lines_of
from plimsoll.text.wording import plural
from plimsoll.tools.display import visible_line
from plimsoll.tools.files import content
from plimsoll.tools.files.attaching import attached_text
from plimsoll.tools.files.opening import open_regular_file
from plimsoll.tools.files.paths import Target, resolve, shown_name
from plimsoll.tools.files.protected import why_protected
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.documents import known_buffers
from plimsoll.tools.ports.file_access import AttachedText
from plimsoll.tools.search.halt import Halt
from plimsoll.tools.search.ignore import IgnoreReader
from plimsoll.tools.search.secret_names import holds_secrets
from plimsoll.tools.search.walk import walk, walk_notes

MOST_LISTED = 300
"""Names in a listing."""
MOST_BEGUN = 12
"""Files of which the beginning is shown."""
FIRST_LINES = 12
"""Lines of a beginning."""
LINE_LENGTH = 160
"""Characters of a line."""
_SECONDS = 3.0
_READ = 8_000
"""Bytes in which a beginning is looked for."""
_TELLING = re.compile(r"readme|__init__|__main__|main|index|app|server|cli|mod|lib", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Beginning:
    """The first lines of a file."""

    lines: tuple[str, ...]
    whole: bool
    """True if the file has no more."""


def read_attached(path: Path, context: CallContext, most: int) -> AttachedText:
    """Read a file that a person attached, or list a folder; blocks.

    Raises:
        ToolFailed: The path leads out of the workspace, or cannot be attached.
    """
    target = resolve(str(path), context)
    if not target.path.is_dir():
        return attached_text(path, context, most)
    if not target.inside:
        raise ToolFailed(
            f"{visible_line(path.name)} is a folder outside the one that is open: "
            f"{visible_line(str(target.path))}. Attach single files of it."
        )
    return AttachedText(target.path, _listing(target, context), is_folder=True)


def _listing(target: Target, context: CallContext) -> str:
    halt = Halt(_SECONDS)
    reader, environment = IgnoreReader(), context.environment
    found = walk(context.root, target.path, halt, reader, environment=environment)
    files = sorted(found.files, key=lambda file: _depth_first(file, target.path))
    listed = files[:MOST_LISTED]
    rows = [shown_name(file, target.path) for file in listed]
    if len(files) > len(listed):
        rows.append(
            f"[{len(files) - len(listed):,} more files are not listed: name a folder below]"
        )
    begun = _beginnings(listed, context, halt)
    notes = [*walk_notes(found, context.root, halt)]
    count = plural(len(files), "file")
    head = f"{count}; of {len(begun)} the first lines" if begun else count
    return "\n".join([f"[{head}]", *rows, *begun, *notes])


def _depth_first(file: Path, folder: Path) -> tuple[int, str]:
    below = file.relative_to(folder)
    return len(below.parts), below.as_posix()


def _beginnings(files: Sequence[Path], context: CallContext, halt: Halt) -> list[str]:
    """Return the first lines of the files that tell most about a folder, such as its README."""
    shown: list[str] = []
    for file in sorted(files, key=_telling):
        if len(shown) == MOST_BEGUN or halt:
            break
        beginning = None if _is_guarded(file, context.root) else _beginning(file, context)
        if beginning is not None:
            shown.append(_block(shown_name(file, context.root), beginning))
    return shown


def _telling(file: Path) -> bool:
    return _TELLING.fullmatch(PurePath(file.name).stem) is None


def _is_guarded(file: Path, root: Path) -> bool:
    parts = file.relative_to(root).parts
    return why_protected(parts) is not None or holds_secrets(parts)


def _beginning(file: Path, context: CallContext) -> _Beginning | None:
    """Read the first lines of a text file; None if the file is empty, binary or gone."""
    text = known_buffers(context.documents)(file)
    size = None
    if text is None:
        try:
            with (
                open_regular_file(file) as descriptor,
                open(descriptor, "rb", closefd=False) as opened_file,
            ):
                data = opened_file.read(_READ + 1)
        except (OSError, ToolFailed):
            return None
        size = len(data)
        decoded = content.decode(data[:_READ])
        text = decoded.text if decoded is not None else ""
    if not text.strip():
        return None
    lines = list(lines_of(text))
    whole = len(lines) <= FIRST_LINES and (size is None or size <= _READ)
    return _Beginning(tuple(_cut(lines[:FIRST_LINES])), whole)


def _cut(lines: Iterable[str]) -> Iterable[str]:
    for line in lines:
        yield line if len(line) <= LINE_LENGTH else f"{line[:LINE_LENGTH]}…"


def _block(name: str, beginning: _Beginning) -> str:
    head = f"--- {name}" if beginning.whole else f"--- {name}, its first lines"
    return "\n".join(["", head, *beginning.lines])
