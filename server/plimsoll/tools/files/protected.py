"""Names through which a change of a file can make something run, or be allowed, later.

A "yes" for the session never covers them: each change is asked about, and the question says why.
What a sandboxed command makes of those that are no build files is moved aside, until a person has
looked at it. The names stand in ``tools/files/acting``; ``docs/security.md`` shows them.
"""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from plimsoll.tools.files.acting import (
    agents,
    builds,
    checkers,
    editors,
    programs,
    repositories,
    services,
)
from plimsoll.tools.files.acting.row import ActingRow

GIT = "git runs hooks, filters and commands from it"
BUILD = "building, testing or installing runs what it says"
TABLE: Mapping[str, Sequence[ActingRow]] = MappingProxyType(
    {
        GIT: repositories.ROWS,
        "the editor runs tasks and takes settings from it": editors.ROWS,
        "agents take orders or tools from it": agents.ROWS,
        "a shell runs it": programs.SHELLS,
        "an interpreter or debugger runs it unasked": programs.INTERPRETERS,
        "checkers and language servers load code or programs by it": checkers.ROWS,
        "a service runs what it says, with the project's keys": services.ROWS,
        BUILD: builds.ROWS,
    }
)
"""The rows by the reason that people are told."""


def _whys_by(start: str) -> Mapping[str, str]:
    """Collect the reasons for the table's names that begin with ``start``, by name without it."""
    found: dict[str, str] = {}
    for why, rows in TABLE.items():
        for name in (name for row in rows for name in row.names):
            if name.startswith("*") == bool(start):
                found.setdefault(name.removeprefix(start).removesuffix("/"), why)
    return MappingProxyType(found)


NAMES = _whys_by("")
"""Names of protected files and folders, each with the reason; case does not count."""
ENDINGS = _whys_by("*")
"""What protected names may end in."""


def why_protected(parts: tuple[str, ...]) -> str | None:
    """Return why each change of a path must be asked about: the reason of a protected name."""
    return next(_reasons(parts), None)


def why_acted_on(name: str) -> str | None:
    """Return why commands may not make or change a name, since programs act on it unasked.

    Files run only by builds, tests or installs do not count: everyday commands write them, and
    the command that runs them is asked about or confined in its turn.
    """
    return next((why for why in _whys(_fold_name(name)) if why != BUILD), None)


def _reasons(parts: tuple[str, ...]) -> Iterator[str]:
    for part in parts:
        for why in _whys(_fold_name(part)):
            yield f"{part}: {why}"


def _whys(folded: str) -> Iterator[str]:
    if folded in NAMES or folded.startswith("git~"):
        yield NAMES.get(folded, GIT)
    if folded.endswith(_ENDINGS):
        yield from (why for ending, why in ENDINGS.items() if folded.endswith(ending))


_ENDINGS = tuple(ENDINGS)


def _fold_name(name: str) -> str:
    """Fold a name as the least exact file system does: no case, no ignorable characters."""
    if not name.isascii():
        plain = unicodedata.normalize("NFKC", name)
        name = "".join(each for each in plain if unicodedata.category(each) != "Cf")
    return name.casefold().split(":")[0].rstrip(". ")
