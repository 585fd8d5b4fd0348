"""Skills on disk: folders with a ``SKILL.md``, of the workspace and of the person's own.

The format is that of https://agentskills.io/specification: a front matter with ``name`` and
``description``, then a text. What it says of tools that are allowed has no effect here.
"""

import os
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.text.lines import version_of
from plimsoll.tools.display import visible_line
from plimsoll.tools.files.front_matter import front_matter
from plimsoll.tools.files.opening import failure, open_regular_file
from plimsoll.tools.ports.written import FoundSkill, SkillSource, SkillText
from plimsoll.tools.process.walking import walk

FOLDERS = (".agents/skills", ".claude/skills")
"""Where a workspace, and a person's home, have skills."""
FILE = "SKILL.md"
MOST_SKILLS = 200
"""In one place; the first by name."""
HEAD_BYTES = 16_000
"""A front matter is looked for in so much of a file."""
MOST_BYTES = 100_000
"""Of one file of a skill."""
MOST_NAMES = 50
"""Other files of a skill that are named."""
MOST_FOLDERS = 500
"""Of a skill, in which they are looked for."""
LONGEST_DESCRIPTION = 1_024
_SIGNS = frozenset({"Cc", "Cf", "Cs"})


@dataclass(frozen=True, slots=True)
class SkillFolders:
    """The skills on disk for one workspace: its own and the person's."""

    root: Path
    """The workspace's real path."""
    own: Sequence[Path]
    """The person's own folders of skills, the first one counts for a name."""

    def find(self, *, trusted: bool) -> tuple[FoundSkill, ...]:
        """Find all skills, the person's own first; a workspace's only if trusted. Blocks.

        A workspace's skill never replaces a person's own of the same name.
        """
        places: list[tuple[Path, SkillSource]] = [(place, "person") for place in self.own]
        if trusted:
            places.extend((self.root / name, "folder") for name in FOLDERS)
        found: dict[str, FoundSkill] = {}
        seen: set[Path] = set()
        for place, source in places:
            for skill in _in_place(place, source, self.root):
                if skill.folder not in seen:
                    seen.add(skill.folder)
                    found.setdefault(skill.name, skill)
        return tuple(found.values())

    def read(self, skill: FoundSkill, file: str | None) -> SkillText:
        """Read a skill's text, or another file of it. Blocks.

        Raises:
            ToolFailed: There is no such text file, or it lies outside of the skill's folder.
        """
        name = file or FILE
        path = _inside(skill, name)
        if skill.source == "folder" and not path.is_relative_to(self.root):
            raise ToolFailed(f"{visible_line(name)} leads out of the workspace and was not read.")
        text = _text_of(path, name, MOST_BYTES)
        body = front_matter(text).body if file is None else text
        others = tuple(_others(skill.folder)) if file is None else ()
        return SkillText(body.strip("\n"), path, version_of(text), others)


def _in_place(place: Path, source: SkillSource, root: Path) -> Iterator[FoundSkill]:
    try:
        with os.scandir(place) as entries:
            names = sorted(entry.name for entry in islice(entries, MOST_SKILLS * 5))
    except OSError:
        # Most people have no skills there.
        return
    for name in names[:MOST_SKILLS]:
        found = _skill(place / name, source, root)
        if found is not None:
            yield found


def _skill(folder: Path, source: SkillSource, root: Path) -> FoundSkill | None:
    """Read a skill's front matter; return None if it is no skill or leads out of its workspace."""
    real = Path(os.path.realpath(folder))
    file = Path(os.path.realpath(real / FILE))
    outside = not file.is_relative_to(real)
    if outside or (source == "folder" and not real.is_relative_to(root)):
        return None
    try:
        head = front_matter(_text_of(file, FILE, HEAD_BYTES))
    except ToolFailed:
        return None
    name = head.name if head.name and _is_name(head.name) else folder.name
    description = _without_signs(" ".join(head.description.split()))
    if not _is_name(name) or not description:
        return None
    return FoundSkill(
        name=name,
        description=description[:LONGEST_DESCRIPTION],
        source=source,
        folder=real,
        asks_for_tools=head.allowed_tools,
    )


def _without_signs(text: str) -> str:
    """Remove characters that control a terminal or hide text, for lists that people see."""
    return "".join(sign for sign in text if unicodedata.category(sign) not in _SIGNS)


def _is_name(text: str) -> bool:
    plain = text.replace("-", "").replace("_", "")
    return 0 < len(text) <= 64 and plain.isascii() and plain.isalnum()


def _inside(skill: FoundSkill, name: str) -> Path:
    if not name.strip() or "\0" in name:
        raise ToolFailed("file is a path below the skill's folder, such as references/api.md.")
    path = Path(os.path.realpath(skill.folder / name))
    if not path.is_relative_to(skill.folder):
        raise ToolFailed(
            f"{visible_line(name)} leads out of the skill {skill.name} and was not read."
        )
    return path


def _text_of(path: Path, name: str, most: int) -> str:
    try:
        with open_regular_file(path) as descriptor, os.fdopen(os.dup(descriptor), "rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise failure(name, error) from error
    if b"\0" in data:
        raise ToolFailed(f"{visible_line(name)} is not a text file.")
    text = data[:most].decode("utf-8-sig", "replace")
    if len(data) <= most or most == HEAD_BYTES:
        return text
    return f"{text}\n[cut here: of a file of a skill {most:,} bytes are read]"


def _others(folder: Path) -> Iterator[str]:
    """Yield the other files of a skill, by their paths below it."""
    count = 0
    for here, folders, files in islice(walk(folder), MOST_FOLDERS):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = (here / name).relative_to(folder).as_posix()
            if path == FILE or name.startswith("."):
                continue
            if count == MOST_NAMES:
                yield "…"
                return
            count += 1
            yield visible_line(path)
