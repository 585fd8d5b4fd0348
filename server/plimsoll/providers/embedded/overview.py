"""What a project does and where it starts: from its README, its manifest and its entry points."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from plimsoll.providers.embedded.places import Evidence, SourceLine
from plimsoll.providers.embedded.ranking import BULK_PATH, DOC_PATH, TEST_PATH
from plimsoll.providers.embedded.search import Wanted

MANIFESTS = (
    "pyproject.toml",
    "package.json",
    "Cargo.toml",
    "go.mod",
    "setup.cfg",
    "setup.py",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "Gemfile",
    "composer.json",
    "CMakeLists.txt",
    "mix.exs",
)
"""The more telling one first."""
ENTRY_NAMES = ("__main__", "main", "cli", "index", "app", "server", "manage", "__init__")
"""Names of files in which programs begin, the likelier one first; a library has its package."""
SOURCES = frozenset({"py", "js", "ts", "tsx", "mjs", "go", "rs", "java", "kt", "rb", "php", "c"})
ASIDE = re.compile(r"(?:^|/)(?:examples?|samples?|scripts|tools|bench\w*|\.\w[^/]*)/")
MOST_ENTRIES = 3
README_LINES = 60
MANIFEST_LINES = 120
ENTRY_LINES = 200
QUOTED_LINES = 6
QUOTED_FIELDS = 5
QUOTED_STARTS = 3
TELLING_FIELD = re.compile(
    r"^\s*[\"']?(name|description|main|bin|start|module|artifactId|console_scripts)[\"']?\s*[=:\s>]"
    r"|=\s*[\"']([\w.]+:\w+)[\"']",
    re.IGNORECASE,
)
"""A field that says what it is, or a command with the function that it runs."""
STARTS = (
    re.compile(
        r"__name__\s*==|^\s*(?:(?:pub|public|static|async|export|default)\s+)*"
        r"(?:void|def|function|func|fn|int)\s+main\b|\bcreateServer\(|\.listen\("
    ),
    re.compile(r"^(?:export\s+)?(?:default\s+)?(?:class|def|function|func|fn)\s+\w"),
    re.compile(r"^from \.\S* import |^export \* from "),
)
"""What begins a program; else what a file defines; else what it hands on."""
DECORATION = re.compile(r"^\s*(?:[<!|>]|\[!\[|```|[-=*_~]{3,}\s*$|\.\. )")
"""Badges, pictures, tables and rules: no sentence of a README."""


def overview_globs() -> list[Wanted]:
    """Look for what every project has at its top, and for files in which programs begin."""
    patterns = ["README*", "*", *(f"**/{name}.*" for name in ENTRY_NAMES[:-1])]
    return [Wanted("glob", {"pattern": pattern}) for pattern in (*patterns, "*/__init__.*")]


def overview_reads(files: Sequence[str]) -> list[Wanted]:
    """Choose what to read of the files that there are."""
    chosen = [
        *((path, README_LINES) for path in _readme(files)),
        *((path, MANIFEST_LINES) for path in _manifest(files)),
        *((path, ENTRY_LINES) for path in _entries(files)),
    ]
    return [
        Wanted("file_read", {"path": path, "offset": 1, "limit": lines}) for path, lines in chosen
    ]


def overview_places(evidence: Evidence) -> list[tuple[str, list[SourceLine]]]:
    """Return what to quote, each below its title."""
    by_file: dict[str, list[SourceLine]] = defaultdict(list)
    for line in evidence.read:
        by_file[line.path].append(line)
    readme, manifest = _readme(by_file), _manifest(by_file)
    parts = [(f"`{path}` says:", _sentences(by_file[path])) for path in readme]
    parts += [(f"`{path}` names it so:", _fields(by_file[path])) for path in manifest]
    entries = [path for path in _entries(by_file) if path not in readme]
    parts += [(f"It likely starts in `{path}`:", _beginnings(by_file[path])) for path in entries]
    return [(title, lines) for title, lines in parts if lines]


def _readme(files: Iterable[str]) -> list[str]:
    found = [path for path in files if re.match(r"readme(?:\.\w+)?$", path, re.IGNORECASE)]
    return sorted(found, key=len)[:1]


def _manifest(files: Iterable[str]) -> list[str]:
    held = set(files)
    return [name for name in MANIFESTS if name in held][:1]


def _entries(files: Iterable[str]) -> list[str]:
    fitting = [path for path in files if _is_entry(PurePosixPath(path))]
    plain = [
        path
        for path in fitting
        if not any(kind.search(path) for kind in (TEST_PATH, DOC_PATH, BULK_PATH, ASIDE))
    ]
    return sorted(set(plain), key=_place)[:MOST_ENTRIES]


def _is_entry(path: PurePosixPath) -> bool:
    return path.stem in ENTRY_NAMES and path.suffix.lstrip(".") in SOURCES


def _place(path: str) -> tuple[int, int, str]:
    pure = PurePosixPath(path)
    return len(pure.parts), ENTRY_NAMES.index(pure.stem), path


def _sentences(lines: Sequence[SourceLine]) -> list[SourceLine]:
    """Return the title of a README and its first sentences."""
    told = [line for line in lines if line.text.strip() and not DECORATION.match(line.text)]
    return told[:QUOTED_LINES]


def _fields(lines: Sequence[SourceLine]) -> list[SourceLine]:
    """Return each telling field once: what comes later under its name is of something else."""
    first: dict[str, SourceLine] = {}
    for line in lines:
        if match := TELLING_FIELD.search(line.text):
            first.setdefault((match[1] or match[2]).lower(), line)
    return list(first.values())[:QUOTED_FIELDS]


def _beginnings(lines: Sequence[SourceLine]) -> list[SourceLine]:
    found = ([line for line in lines if kind.search(line.text)] for kind in STARTS)
    return next(filter(None, found), list[SourceLine]())[:QUOTED_STARTS]
