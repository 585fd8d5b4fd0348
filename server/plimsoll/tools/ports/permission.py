"""What a person can allow at once: for the rest of a session, or for good in one folder."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class SessionApproval:
    """The scope of a person's approval for the rest of the session."""

    key: str
    covers: str
    """In words for people: ``all edits in this folder``."""


PermissionKind = Literal["command", "firstWords", "edits", "tool"]
"""A command in exactly its words, one by its first words, edits below a folder, or a tool of an
MCP server."""


@dataclass(frozen=True, slots=True)
class DefiningFile:
    """A file that defines what a command runs; of a server's tool, what the server says of it."""

    name: str
    """Its path below the workspace, or the whole path of what lies outside; else words."""
    state: str
    """The SHA-256 of its content, ``missing``, or ``outside``: no command changes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionScope:
    """The commands, edits or calls that one permission covers."""

    kind: PermissionKind
    subject: str
    """The words as canonical JSON, with the place where they run; or the folder with ``/``; or
    server and tool as canonical JSON."""
    what: str
    """For people, behind "always allow": `` `npm test` ``, ``edits below `src` ``."""
    covers: str
    """For people: how far it reaches."""
    defined_by: tuple[DefiningFile, ...] = ()
    """What decides what the words run; where that has changed it covers nothing."""
    offered: bool = True
    """Whether a person is offered it for this call; else it covers the call all the same."""


def changed_definitions(
    before: tuple[DefiningFile, ...], now: tuple[DefiningFile, ...]
) -> tuple[str, ...]:
    """Return the names of defining files that were changed, added or removed."""
    earlier = {each.name: each.state for each in before}
    later = {each.name: each.state for each in now}
    return tuple(sorted(n for n in {*earlier, *later} if earlier.get(n) != later.get(n)))
