"""Where a session works: system, shell, folder, branch, which agent it is, and the date.

Both texts are frames of their own. One that has changed enters at the tail, so that the prefix
stays (law 5), and stands in the head from the next big step on.
"""

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from plimsoll.context.log.entries import Framed, Place, Slot
from plimsoll.session.ports.agent import Agent, Machine
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_frame

ENVIRONMENT, DATE = "environment", "date"
"""The slots of the two frames."""
LONGEST_BRANCH = 100
"""Characters of a branch's name; a longer one is cut."""
_BREAKS = re.compile("[\x00-\x1f\x7f\x85\u2028\u2029]+")
"""A folder of such a name would write lines of its own into the system text."""
# No part of the name of a branch begins with a dot; of a table of them, HEAD holds such a one.
_REF = re.compile(r"ref: refs/heads/(?!(?:.*/)?\.)([^\s\x00-\x1f]{1,200})\s*\Z")
_DETACHED = re.compile(r"([0-9a-f]{7})[0-9a-f]{33,57}\s*\Z")
_LINKED = re.compile(r"gitdir: ([^\n\x00]+)\n?\Z")
_LONGEST_HEAD = 4_500
"""Bytes that are read of a file of git's; no path is longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workplace:
    """Where a session works."""

    machine: Machine
    folder: Path
    """The folder's real path."""
    branch: str | None
    """What is checked out, a short hash where it is no branch; none without a repository."""
    agent: Agent


def environment_text(around: Workplace, *, slim: bool) -> str:
    """Write where a session works; ``slim``: in fewer words, for a small window."""
    machine, agent = around.machine, around.agent
    folder = _BREAKS.sub(" ", str(around.folder))
    branch = around.branch[:LONGEST_BRANCH] if around.branch else "none"
    if slim:
        return (
            f"{machine.system}, {machine.shell}. Folder: {folder}. Branch: {branch}. "
            f"Agent: {agent.kind}, depth {agent.depth}."
        )
    return (
        f"System: {machine.system}; shell: {machine.shell}. Folder: {folder}. "
        f"Git branch: {branch}. Agent: {agent.kind}, depth {agent.depth}."
    )


def date_text(day: str) -> str:
    """Write the date."""
    return f"Date: {day}."


def layer_frame(slot: str, text: str, clock: Clock, place: Place = "head") -> Framed:
    """Return the frame of a layer of the prompt."""
    return new_frame(clock, slot, Slot.SYSTEM, text, place=place)


def branch_of(folder: Path) -> str | None:
    """Return the branch or commit checked out in a folder, as git would find it; blocks.

    No process is started. Null: there is no repository, or it cannot be read.
    """
    for place in (folder, *folder.parents):
        own = place / ".git"
        if own.is_dir():
            return _checked_out(own)
        linked = _LINKED.match(_read(own) or "")
        if linked is not None:
            return _checked_out(place / linked[1])
    return None


def _checked_out(repository: Path) -> str | None:
    head = _read(repository / "HEAD") or ""
    found = _REF.match(head) or _DETACHED.match(head)
    return found[1] if found else None


def _read(path: Path) -> str | None:
    """Read a small regular file; None for a pipe or a link, which is not waited for."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        return os.read(handle, _LONGEST_HEAD).decode("utf-8")
    except (OSError, ValueError):
        return None
    finally:
        os.close(handle)
