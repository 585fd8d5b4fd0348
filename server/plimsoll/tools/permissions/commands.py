"""What a person can allow for good of a command: exactly its words, or its first words.

Law: it decides by the words alone and by the files that say what they run. Whatever it is not sure
of it gives no scope, so it is asked about. A scope counts inside the full sandbox alone; that is
the session's to see.
"""

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from plimsoll.tools.permissions.arguments import AllowedArguments, first_words
from plimsoll.tools.permissions.definitions import (
    CommandPlaces,
    file_definition,
    program_definitions,
    runner_definitions,
)
from plimsoll.tools.permissions.words import NotLasting, plain_words
from plimsoll.tools.ports.permission import DefiningFile, PermissionScope

_HIDING_WORDS = (
    "sudo su doas env xargs nohup nice ionice timeout stdbuf setsid time watch parallel find ssh "
    "strace ltrace gdb script unshare nsenter bwrap chroot flock entr busybox eval exec command "
    "builtin source . trap alias unalias set shopt export declare typeset readonly enable hash cd "
    "pushd popd if then else elif fi case esac for while until do done select function coproc "
    "in"
)
_HIDING = frozenset(_HIDING_WORDS.split())
"""Programs and words of the shell that run another command, or change what a later one means."""
_INTERPRETER = re.compile(
    r"(python|pypy|node|nodejs|deno|ruby|perl|php|lua|luajit|tclsh|tsx|ts-node|Rscript|java|guile"
    r"|awk|gawk|mawk|sed|ed|vi|vim|emacs|sh|bash|dash|zsh|ksh|fish|pwsh|csh|tcsh)[0-9.]*"
)
_PREFIXES = ("uv run", "poetry run", "pdm run", "pipenv run", "hatch run", "rye run")
_PYTHON_MODULE = re.compile(r"(python|pypy)[0-9.]*")


@dataclass(frozen=True, slots=True)
class _Meaning:
    """The files that define what a command runs, and the first words for a permission."""

    defined_by: tuple[DefiningFile, ...]
    first: tuple[tuple[str, ...], AllowedArguments] | NotLasting


def command_scopes(
    command: str, places: CommandPlaces, *, background: bool = False
) -> tuple[PermissionScope, ...] | NotLasting:
    """Return the permissions that cover a command, narrowest first, or why none does. Blocks."""
    words = plain_words(command)
    if isinstance(words, NotLasting):
        return words
    found = _meaning(words, places)
    if isinstance(found, NotLasting):
        return found
    place, where = ("background", " in the background") if background else ("foreground", "")
    exact = PermissionScope(
        kind="command",
        subject=json.dumps([place, *words]),
        what=f"`{_quote_words(words)}`{where}",
        covers="exactly these words",
        defined_by=found.defined_by,
    )
    if isinstance(found.first, NotLasting):
        return (exact,)
    first, following = found.first
    return (
        exact,
        PermissionScope(
            kind="firstWords",
            subject=json.dumps([place, *first]),
            what=f"`{_quote_words(first)} …`{where}",
            covers=f"`{_quote_words(first)}` {following.then}",
            defined_by=found.defined_by,
        ),
    )


def first_words_refused(command: str, places: CommandPlaces) -> NotLasting | None:
    """Return why no permission by first words can cover a command; None if one can. Blocks."""
    words = plain_words(command)
    found = words if isinstance(words, NotLasting) else _meaning(words, places)
    if isinstance(found, NotLasting):
        return found
    return found.first if isinstance(found.first, NotLasting) else None


def _meaning(words: tuple[str, ...], places: CommandPlaces) -> _Meaning | NotLasting:
    if (refused := _why_not_lasting(words[0])) is not None:
        return refused
    program = program_definitions(words[0], places)
    if isinstance(program, NotLasting):
        return program
    found = _run_by(words, places)
    if isinstance(found, NotLasting):
        return found
    return _Meaning((*program, *found.defined_by), found.first)


def _run_by(words: tuple[str, ...], places: CommandPlaces) -> _Meaning | NotLasting:
    """Return the meaning of a command that runs a module, a script, a runner or a program."""
    if (refused := _why_not_lasting(words[0])) is not None:
        return refused
    name = Path(words[0]).name
    if _PYTHON_MODULE.fullmatch(name) and words[1:2] == ("-m",):
        return _module(words, places)
    if _INTERPRETER.fullmatch(name):
        return _script(words, places)
    files = runner_definitions(words, places)
    if isinstance(files, NotLasting):
        return files
    if " ".join(words[:2]) in _PREFIXES:
        return _meaning_behind_runner(words, places, files)
    if "/" in words[0]:
        return _Meaning(files, NotLasting("of a program by its path exactly the words count"))
    return _Meaning(files, _first(words, places))


def _why_not_lasting(word: str) -> NotLasting | None:
    if "=" in word:
        return NotLasting(f"`{word}` sets a variable before the command")
    if word.startswith("-") or Path(word).name in _HIDING or word == ".":
        return NotLasting(f"`{word}` runs something else, or changes what a later command means")
    return None


def _first(
    words: tuple[str, ...], places: CommandPlaces
) -> tuple[tuple[str, ...], AllowedArguments] | NotLasting:
    first = first_words(words)
    if isinstance(first, NotLasting):
        return first
    for word in words[len(first[0]) :]:
        real = Path(os.path.realpath(places.root / word.partition("::")[0]))
        if not real.is_relative_to(places.root):
            return NotLasting(f"`{word}` leads out of the folder")
    return first


def _meaning_behind_runner(
    words: tuple[str, ...], places: CommandPlaces, files: tuple[DefiningFile, ...]
) -> _Meaning | NotLasting:
    """Return the meaning of a command behind a project's runner, as ``uv run pytest``."""
    inner = words[2:]
    if not inner:
        return NotLasting("the name of what it runs is missing")
    found = _run_by(inner, places)
    if isinstance(found, NotLasting):
        return found
    own = file_definition(places.root / ".venv/bin" / inner[0], places)
    return _Meaning((*files, own, *found.defined_by), _behind(words[:2], found.first))


def _module(words: tuple[str, ...], places: CommandPlaces) -> _Meaning | NotLasting:
    """Return the meaning of ``python -m MODULE``, where a module in the folder comes first."""
    inner = words[2:]
    if not inner or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.]*", inner[0]):
        return NotLasting("the name of a module is missing")
    top = inner[0].partition(".")[0]
    of_folder = (f"{top}.py", f"{top}/__init__.py", f"{top}/__main__.py")
    found = tuple(file_definition(places.root / name, places) for name in of_folder)
    return _Meaning(found, _behind(words[:2], _first(inner, places)))


def _behind(
    prefix: tuple[str, ...], first: tuple[tuple[str, ...], AllowedArguments] | NotLasting
) -> tuple[tuple[str, ...], AllowedArguments] | NotLasting:
    return first if isinstance(first, NotLasting) else ((*prefix, *first[0]), first[1])


def _script(words: tuple[str, ...], places: CommandPlaces) -> _Meaning | NotLasting:
    """Return the meaning of a command in which an interpreter runs a file of the folder."""
    name = words[0]
    file = Path(os.path.realpath(places.root / words[1])) if len(words) > 1 else places.root
    if len(words) < 2 or words[1].startswith("-") or not file.is_file():
        return NotLasting(f"`{name}` runs whatever its words say")
    if not file.is_relative_to(places.root):
        return NotLasting(f"`{words[1]}` leads out of the folder")
    only = NotLasting(f"of `{name}` exactly these words can be allowed, and no more")
    return _Meaning((file_definition(places.root / words[1], places),), only)


def _quote_words(words: tuple[str, ...]) -> str:
    """Write words as a person would type them."""
    plain = re.compile(r"[A-Za-z0-9_@%+=:,./-]+")
    return " ".join(word if plain.fullmatch(word) else f"'{word}'" for word in words)
