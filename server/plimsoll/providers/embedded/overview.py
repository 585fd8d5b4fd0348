"""Describes a project from its README, its manifest and its entry points."""

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from plimsoll.providers.embedded.places import SourceLine
from plimsoll.providers.embedded.ranking import BULK_PATH, DOC_PATH, TEST_PATH, defined_name

MANIFESTS = (
    *("pyproject.toml", "package.json", "Cargo.toml", "go.mod", "setup.cfg", "setup.py"),
    *("pom.xml", "build.gradle", "build.gradle.kts", "Gemfile", "composer.json"),
    *("CMakeLists.txt", "mix.exs"),
)
"""Manifests, the more informative first."""
ENTRY_NAMES = ("__main__", "main", "cli", "index", "app", "server", "manage", "__init__")
"""File names of entry points, likelier ones first; a library has its package."""
PATTERNS = ("README*", "*", *(f"**/{name}.*" for name in ENTRY_NAMES[:-1]), "*/__init__.*")
"""Patterns for files at the top of any project, and for entry points."""
SOURCES = frozenset({"py", "js", "ts", "tsx", "mjs", "go", "rs", "java", "kt", "rb", "php", "c"})
ASIDE = re.compile(r"(?:^|/)(?:examples?|samples?|scripts|tools|bench\w*|\.\w[^/]*)/")
MOST_ENTRIES = 3
MOST_QUOTED = 6
TELLING_FIELD = re.compile(
    r"^\s*[\"']?(name|description|main|bin|start|module|artifactId|console_scripts)[\"']?\s*[=:\s>]"
    r"|=\s*[\"']([\w.]+:\w+)[\"']",
    re.IGNORECASE,
)
"""A field of a manifest that describes the project, or a command with its function."""
START = re.compile(r"__name__\s*==|\bmain\s*\(|\bcreateServer\(|\.listen\(")
HANDED_ON = re.compile(r"^from \.\S* import |^export \* from ")
DECORATION = re.compile(r"^\s*(?:[<!|>]|\[!\[|```|[-=*_~]{3,}\s*$|\.\. )")
"""Badges, pictures, tables and rules: not sentences of a README."""


def telling_files(files: Iterable[str]) -> list[str]:
    """Choose the README, the manifest and the entry points among a project's files."""
    held = list(files)
    readmes = [path for path in held if re.match(r"readme(?:\.\w+)?$", path, re.IGNORECASE)]
    manifests = [name for name in MANIFESTS if name in held]
    entries = sorted({path for path in held if _is_entry(path)}, key=_nearness)
    return [*sorted(readmes, key=len)[:1], *manifests[:1], *entries[:MOST_ENTRIES]]


def telling_lines(path: str, lines: list[SourceLine]) -> tuple[str, list[SourceLine]]:
    """Return a title for one of these files, and its informative lines."""
    if path in MANIFESTS:
        first: dict[str, SourceLine] = {}
        for line in lines:
            # What comes later under a name is of something else.
            if match := TELLING_FIELD.search(line.text):
                first.setdefault((match[1] or match[2]).lower(), line)
        return f"`{path}` names it so:", list(first.values())[:MOST_QUOTED]
    if not _is_entry(path):
        told = [line for line in lines if line.text.strip() and not DECORATION.match(line.text)]
        return f"`{path}` says:", told[:MOST_QUOTED]
    starts = [line for line in lines if START.search(line.text)]
    defined = [line for line in lines if line.text[:1].strip() and defined_name(line.text)]
    handed_on = [line for line in lines if HANDED_ON.match(line.text)]
    return f"It likely starts in `{path}`:", (starts or defined or handed_on)[:3]


def _is_entry(path: str) -> bool:
    pure = PurePosixPath(path)
    aside = any(kind.search(path) for kind in (TEST_PATH, DOC_PATH, BULK_PATH, ASIDE))
    return pure.stem in ENTRY_NAMES and pure.suffix.lstrip(".") in SOURCES and not aside


def _nearness(path: str) -> tuple[int, int, str]:
    pure = PurePosixPath(path)
    return len(pure.parts), ENTRY_NAMES.index(pure.stem), path
