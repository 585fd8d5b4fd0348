"""Confines commands by macOS' ``sandbox-exec``; written from its documentation and not tested."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plimsoll.tools.process.confinement.base import (
    Access,
    Confined,
    Confinement,
    ReadOnly,
    Rung,
    part_confinement,
)
from plimsoll.tools.process.confinement.protection import Protections

PROGRAM = Path("/usr/bin/sandbox-exec")
_TEMPORARY = ("/private/tmp", "/private/var/tmp", "/private/var/folders")
_UNSEEN = (
    *(".ssh", ".aws", ".gnupg", ".config/gh", ".config/gcloud", ".azure", ".kube", ".docker"),
    *(
        ".netrc",
        ".git-credentials",
        ".pypirc",
        ".npmrc",
        ".cargo/credentials.toml",
        ".password-store",
    ),
    *("Library/Keychains", "Library/Cookies", "Library/Safari", "Library/Application Support"),
)


@dataclass(frozen=True, slots=True)
class Seatbelt:
    """Runs commands by ``sandbox-exec``, each with a profile of its own."""

    environment: Mapping[str, str] = field(repr=False)
    rung: Rung = "seatbelt"
    _protections: Protections = field(default_factory=Protections, repr=False)

    def confinement(self, *, network: bool, registries: bool = False) -> Confinement:
        """Return which protections this sandbox should give."""
        lacking = "this sandbox was not tested"
        return part_confinement(self.rung, lacking, network=network, registries=registries)

    def find_uncovered(self, access: Access) -> str | None:
        """Return None, as its confinement says already that protected files can be changed."""
        del access

    def confine(self, command: Sequence[str], access: Access) -> Confined:
        """Look at the folder, and return the profile for a command; blocks."""
        with self._protections.guarding(access, self.environment) as guarded:
            text = "\n".join(profile(access, tuple(guarded.before), guarded.found.partial))
        return Confined(arguments=(str(PROGRAM), "-p", text, *command), guard=guarded)

    def read_only(self, command: Sequence[str], readable: Sequence[Path]) -> ReadOnly:
        """Return how to start a program that can write nothing and use no network."""
        del readable
        text = "(version 1) (allow default) (deny file-write*) (deny network*) (deny process-fork)"
        return ReadOnly(arguments=(str(PROGRAM), "-p", text, *command))


def profile(
    access: Access, protected: Sequence[str], partial: Collection[str] = ()
) -> Iterator[str]:
    """Yield the lines of a sandbox profile; the last rule that matches counts.

    ``partial``: the folders of which only parts are protected.
    """
    yield from ("(version 1)", "(allow default)", "(deny file-write*)")
    for path in (access.root, access.caches, *access.writable, *map(Path, _TEMPORARY)):
        yield f"(allow file-write* (subpath {_quote(path)}))"
    yield '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty"))'
    for path in (*(access.home / name for name in _UNSEEN), *access.hidden):
        yield f"(deny file-read* file-write* (subpath {_quote(path)}))"
    for path in (access.caches, *access.readable, access.root):
        yield f"(allow file-read* (subpath {_quote(path)}))"
    for path in protected:
        kind = "literal" if path in partial else "subpath"
        yield f"(deny file-write* ({kind} {_quote(access.root / path)}))"
    if not access.network:
        yield "(deny network*)"
    yield "(deny signal (target others))"


def _quote(path: Path) -> str:
    escaped = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
