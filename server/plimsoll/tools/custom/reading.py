"""Reads custom commands and agents: which files count, and what their front matter says.

What cannot be used is named with the reason, and never an error.
"""

import os
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.text.lines import lines_of, version_of
from plimsoll.tools.custom.places import CustomPlace
from plimsoll.tools.display import visible_line, visible_path
from plimsoll.tools.files.content import decode
from plimsoll.tools.files.front_matter import FrontMatter, front_matter
from plimsoll.tools.files.opening import failure, open_regular_file
from plimsoll.tools.ports.written import CustomFile, CustomKind
from plimsoll.tools.process.walking import walk

MOST_BYTES = 50_000
"""Of one file; a larger one is named and not used, since nobody would see what was cut."""
MOST_FILES = 100
"""In one place; the first by name."""
MOST_FOLDERS = 100
"""In one place, that are looked into."""
DEEPEST = 3
"""Folders in one another, whose names stand before the file's."""
LONGEST_DESCRIPTION = 1_024
LONGEST_HINT = 100
LONGEST_NAME = 64
_SIGNS = frozenset({"Cc", "Cf", "Cs"})


def read_places(
    kind: CustomKind, places: Sequence[CustomPlace], root: Path, home: Path
) -> tuple[CustomFile, ...]:
    """Read the files of all places; the first of a name counts, those with problems are kept."""
    found: dict[str, CustomFile] = {}
    broken: list[CustomFile] = []
    seen: set[Path] = set()
    for place in places:
        for file in _in_place(kind, place, root, home):
            if file.path in seen:
                continue
            seen.add(file.path)
            if file.problem is not None:
                broken.append(file)
            else:
                found.setdefault(file.name, file)
    return (*found.values(), *broken)


def _in_place(kind: CustomKind, where: CustomPlace, root: Path, home: Path) -> Iterator[CustomFile]:
    names = _names(where)
    for name in names[:MOST_FILES]:
        yield _read(kind, where, name, root=root, home=home)
    if len(names) > MOST_FILES:
        problem = f"holds {len(names):,} files, of which {MOST_FILES} are read"
        yield CustomFile(
            kind=kind,
            name=where.kept.folder,
            source=where.source,
            path=where.folder,
            shown=where.kept.folder,
            problem=problem,
        )


def _names(where: CustomPlace) -> list[str]:
    """List the files of a place by their paths below it; a folder behind a link is no part."""
    folder, ending = where.folder, where.kept.ending
    found: list[str] = []
    for here, folders, files in islice(walk(folder), MOST_FOLDERS):
        below = here.relative_to(folder)
        deep = len(below.parts) < DEEPEST and where.kept.nested
        folders[:] = sorted(name for name in folders if deep and not name.startswith("."))
        found += [
            (below / name).as_posix()
            for name in islice(sorted(files), 10 * MOST_FILES)
            if name.endswith(ending) and not name.startswith(".")
        ]
    return sorted(found)


def _read(kind: CustomKind, where: CustomPlace, name: str, *, root: Path, home: Path) -> CustomFile:
    path = Path(os.path.realpath(where.folder / name))
    shown = _show_path(where, name, home)
    own_name = ":".join(name.removesuffix(where.kept.ending).split("/"))
    bare = CustomFile(kind=kind, name=own_name, source=where.source, path=path, shown=shown)
    if where.source == "folder" and not path.is_relative_to(root):
        return _with_problem(bare, "leads out of the workspace")
    try:
        text = _text_of(path)
    except ToolFailed as error:
        said = error.message.removeprefix(visible_line(path.name))
        return _with_problem(bare, said.strip(" ."))
    return _custom(bare, front_matter(text), version_of(text))


def _custom(bare: CustomFile, head: FrontMatter, version: str) -> CustomFile:
    name = bare.name
    if bare.kind == "agent" and _is_name(head.name):
        name = head.name
    if not all(map(_is_name, name.split(":"))):
        signs = "letters, digits, - and _"
        return _with_problem(bare, f"has a name of other signs than {signs}, or a long one")
    description = _line(head.description, LONGEST_DESCRIPTION)
    problem = head.problem
    if problem is None and not head.body.strip():
        problem = "is empty"
    if problem is None and bare.kind == "agent" and not description:
        problem = "has no description, by which it would be chosen"
    return CustomFile(
        kind=bare.kind,
        name=name,
        source=bare.source,
        path=bare.path,
        shown=bare.shown,
        description=description or (_first_line(head.body) if bare.kind == "command" else ""),
        hint=_line(head.text("argument-hint"), LONGEST_HINT),
        text=head.body.strip("\n"),
        version=version,
        models=_names_in(head, "model") or (),
        tools=_names_in(head, "tools" if "tools" in head.fields else "allowed-tools"),
        without=_names_in(head, "disallowedTools") or (),
        problem=problem,
    )


def _names_in(head: FrontMatter, field: str) -> tuple[str, ...] | None:
    """Return the names of a list; an empty list, unlike an empty field, names none."""
    listed = head.words(field)
    return None if listed is None else tuple(_line(each, LONGEST_HINT) for each in listed)


def _with_problem(bare: CustomFile, problem: str) -> CustomFile:
    return CustomFile(
        kind=bare.kind,
        name=visible_line(bare.name, LONGEST_NAME),
        source=bare.source,
        path=bare.path,
        shown=bare.shown,
        problem=problem,
    )


def _text_of(path: Path) -> str:
    try:
        with open_regular_file(path) as descriptor, os.fdopen(os.dup(descriptor), "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise failure(path.name, error) from error
    if len(data) > MOST_BYTES:
        raise ToolFailed(f"has more than {MOST_BYTES:,} bytes.")
    decoded = decode(data)
    if decoded is None:
        raise ToolFailed("is no text file.")
    return decoded.text


def _show_path(where: CustomPlace, name: str, home: Path) -> str:
    path = where.folder / name
    if where.source == "folder":
        return visible_path(f"{where.kept.folder}/{name}")
    below = path.relative_to(home).as_posix() if path.is_relative_to(home) else None
    return f"~/{visible_line(below)}" if below is not None else visible_line(str(path))


def _first_line(text: str) -> str:
    lines = (line.strip(" \t#") for line in lines_of(text))
    return _line(next(filter(None, lines), ""), 80)


def _line(text: str, most: int) -> str:
    """Return a text on one line, without signs that act on a terminal or hide text."""
    whole = " ".join(text.split())
    kept = "".join(sign for sign in whole if unicodedata.category(sign) not in _SIGNS)
    return kept if len(kept) <= most else f"{kept[: most - 1].rstrip()}…"


def _is_name(text: str) -> bool:
    plain = text.replace("-", "").replace("_", "")
    fits = 0 < len(text) <= LONGEST_NAME and text[0].isalnum()
    return fits and plain.isascii() and plain.isalnum()
