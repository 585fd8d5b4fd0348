"""Finds what decides what a command's words run: the program, and the files of a runner.

Law: of a runner whose files cannot all be named nothing is covered. Programs outside of what
commands may write are known by their place alone: no command of the agent changes them.
"""

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.text.paths import name_in
from plimsoll.tools.files.opening import open_regular_file
from plimsoll.tools.permissions.words import NotLasting
from plimsoll.tools.ports.permission import DefiningFile

_LARGEST = 2_000_000
"""Bytes of a file that is searched for others that it takes in."""
MISSING, OUTSIDE = "missing", "outside"
_NODE = (
    *("package.json", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".pnpmfile.mjs"),
    *("pnpm-workspace.yaml", "bunfig.toml"),
)
_PYTHON = ("pyproject.toml", "setup.cfg")
_MAKE = ("GNUmakefile", "makefile", "Makefile")


@dataclass(frozen=True, slots=True)
class CommandPlaces:
    """Where commands run, and where they may write."""

    root: Path
    """The workspace folder's real path."""
    writable: tuple[Path, ...]
    """Real paths, the workspace folder too."""
    path: str
    """PATH as commands have it."""

    def may_change(self, path: Path) -> bool:
        """Tell whether a command may write to a path."""
        return any(path.is_relative_to(each) for each in self.writable)


@dataclass(frozen=True, slots=True)
class _Runner:
    files: tuple[str, ...]
    """What says what it runs; those that are missing may come."""
    needed: tuple[str, ...]
    """Of which one must be there: else it looks in the folders above."""
    includes: str | None = None
    """Lines by which a file takes in others."""


_RUNNERS: Mapping[str, _Runner] = {
    **{name: _Runner(_NODE, ("package.json",)) for name in ("npm", "pnpm", "yarn", "bun")},
    **{
        name: _Runner(_MAKE, _MAKE, r"^[ \t]*(-include|s?include|load|-load)\b|\$[({](eval|file)\b")
        for name in ("make", "gmake")
    },
    "just": _Runner(
        ("justfile", "Justfile", "JUSTFILE", ".justfile"),
        ("justfile", "Justfile", "JUSTFILE", ".justfile"),
        r"^[ \t]*(import|mod)\b",
    ),
    "tox": _Runner(
        ("tox.ini", "tox.toml", *_PYTHON), ("tox.ini", "tox.toml", "pyproject.toml", "setup.cfg")
    ),
    "nox": _Runner(("noxfile.py", "pyproject.toml"), ("noxfile.py",)),
    "rake": _Runner(("Rakefile", "rakefile", "Rakefile.rb", "rakefile.rb"), ("Rakefile",)),
    "composer": _Runner(("composer.json",), ("composer.json",)),
    "cargo": _Runner(
        (
            *("Cargo.toml", ".cargo/config.toml", ".cargo/config", "build.rs"),
            *("rust-toolchain", "rust-toolchain.toml"),
        ),
        ("Cargo.toml",),
    ),
    "task": _Runner(
        tuple(f"{n}.{e}" for n in ("Taskfile", "taskfile") for e in ("yml", "yaml", "dist.yml")),
        ("Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml"),
        r"^includes:",
    ),
    **{
        name: _Runner(("pyproject.toml", "Pipfile", "hatch.toml", "pdm.toml", "uv.toml"), ())
        for name in ("uv", "poetry", "pdm", "pipenv", "hatch", "rye", "poe")
    },
    **{
        name: _Runner(
            (
                *("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"),
                *("gradle.properties", "gradle/wrapper/gradle-wrapper.properties"),
            ),
            (),
        )
        for name in ("gradle", "gradlew")
    },
    **{name: _Runner(("pom.xml", ".mvn/maven.config"), ()) for name in ("mvn", "mvnw")},
}
_ELSEWHERE = re.compile(
    r"-[CcdfIwF]|--(prefix|cwd|dir|directory|file|makefile|include-dir|eval|workspace|workspaces|"
    r"filter|justfile|working-directory|manifest-path|config|taskfile|chdir|rakefile|script-shell|"
    r"shell|project|conf|workdir|noxfile|userconfig|globalconfig)(=|$)"
)
"""Options by which a runner reads other files than those beside it."""


def program_definitions(name: str, places: CommandPlaces) -> tuple[DefiningFile, ...] | NotLasting:
    """Return the file of a program, and the earlier places where it is looked for; blocks."""
    found = _at_path(name, places) if "/" in name else _in_path(name, places)
    return found if isinstance(found, NotLasting) else tuple(found)


def runner_definitions(
    words: tuple[str, ...], places: CommandPlaces
) -> tuple[DefiningFile, ...] | NotLasting:
    """Return the files that say what a runner runs; empty if it is no runner. Blocks."""
    runner = _RUNNERS.get(Path(words[0]).name)
    if runner is None:
        return ()
    found = _of_runner(runner, words, places)
    return found if isinstance(found, NotLasting) else tuple(found)


def file_definition(path: Path, places: CommandPlaces) -> DefiningFile:
    """Return a file with the digest of its content."""
    real = Path(os.path.realpath(path))
    name = name_in(places.root, path)
    try:
        with open_regular_file(real) as descriptor, open(descriptor, "rb", closefd=False) as file:
            return DefiningFile(name, hashlib.file_digest(file, "sha256").hexdigest())
    except FileNotFoundError:
        return DefiningFile(name, MISSING)
    except (OSError, ToolFailed):
        # Whatever it is, it is no file that could be compared: it never equals itself again.
        return DefiningFile(name, f"unreadable {os.urandom(8).hex()}")


def _in_path(name: str, places: CommandPlaces) -> list[DefiningFile] | NotLasting:
    found: list[DefiningFile] = []
    for entry in places.path.split(os.pathsep):
        if not entry.startswith("/"):
            return NotLasting("PATH has an entry that depends on the folder")
        # As it is written and as it is: a link may lead to what a command can write.
        candidate = Path(entry) / name
        real = Path(os.path.realpath(candidate))
        ours = places.may_change(real) or places.may_change(Path(os.path.normpath(candidate)))
        if ours:
            found.append(file_definition(candidate, places))
        if os.access(real, os.X_OK) and real.is_file():
            return found if ours else [*found, DefiningFile(str(candidate), OUTSIDE)]
    return NotLasting(f"no program `{name}` is found")


def _at_path(name: str, places: CommandPlaces) -> list[DefiningFile] | NotLasting:
    if ".." in name.split("/"):
        return NotLasting(f"`{name}` leads out of the folder")
    real = Path(os.path.realpath(places.root / name))
    if not (os.access(real, os.X_OK) and real.is_file()):
        return NotLasting(f"no program `{name}` is found")
    if places.may_change(real) or places.may_change(Path(os.path.normpath(places.root / name))):
        return [file_definition(places.root / name, places)]
    return [DefiningFile(str(real), OUTSIDE)]


def _of_runner(
    runner: _Runner, words: tuple[str, ...], places: CommandPlaces
) -> list[DefiningFile] | NotLasting:
    moved = next((word for word in words[1:] if _ELSEWHERE.match(word)), None)
    if moved is not None:
        return NotLasting(f"`{moved}` lets `{words[0]}` read other files")
    found = [file_definition(places.root / name, places) for name in runner.files]
    there = {each.name for each in found if each.state != MISSING}
    if runner.needed and not there & set(runner.needed):
        return NotLasting(f"this folder has nothing that says what `{words[0]}` runs")
    if runner.includes is not None:
        taken = next(_taking_in(runner.includes, there, places), None)
        if taken is not None:
            return NotLasting(f"`{taken}` takes in other files")
    return found


def _taking_in(pattern: str, names: Iterable[str], places: CommandPlaces) -> Iterator[str]:
    for name in sorted(names):
        try:
            with open_regular_file(places.root / name) as descriptor:
                data = os.read(descriptor, _LARGEST + 1)
        except (OSError, ToolFailed):
            yield name
        else:
            text = data.decode("utf-8", "replace")
            # What stands behind the end of what is read could take in others too.
            if len(data) > _LARGEST or re.search(pattern, text, re.MULTILINE):
                yield name
