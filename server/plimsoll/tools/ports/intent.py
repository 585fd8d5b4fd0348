"""What a call will do, as a person is asked about it, and what came of it: values."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

from plimsoll.context.log.call_end import CallEnd, Rejection
from plimsoll.context.log.counts import Counts
from plimsoll.context.log.messages import Image, Source
from plimsoll.text.hunks import ShownHunk
from plimsoll.tools.display import visible_diff
from plimsoll.tools.ports.permission import PermissionScope, SessionApproval
from plimsoll.tools.ports.times import ChangeTimes
from plimsoll.tools.process.confinement.base import Confinement

PlanT = TypeVar("PlanT")
"""The type of the plan that a tool's ``prepare`` hands to its ``run``."""


@dataclass(frozen=True, slots=True)
class Location:
    """A place that a call reads or changes; lines from 1."""

    path: Path
    lines: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent(Generic[PlanT]):
    """The exact effect that a call will have, as ``prepare`` found it."""

    title: str
    """The call in words for people: ``Edit src/ledger.py``, ``Run pytest -q``."""
    ask: bool
    """Whether a person must approve it first."""
    approval: str = ""
    """The key that "allow for this session" covers, made of kind and target, such as
    ``edit:src/ledger.py`` or ``shell:foreground:120:<the whole command>``."""
    covers: str = ""
    """What that answer covers, in words for people: ``edits to src/ledger.py``."""
    wider: SessionApproval | None = None
    """A wider answer for the session, which covers this call and more."""
    why_each_time: str | None = None
    """The reason why no answer for the session covers it, for people."""
    lasting: tuple[PermissionScope, ...] = ()
    """What a person can allow for good that covers it, the narrowest first."""
    command: str | None = None
    how: str | None = None
    """How its command is run, in words without it: ``Run with network``."""
    address: str | None = None
    """The whole address that it asks, or what it asks there."""
    diff: str | None = None
    """The change as a unified diff."""
    hunks: tuple[ShownHunk, ...] = ()
    """The parts of the change that a person can keep or refuse one by one."""
    kept_hunks: tuple[int, ...] | None = None
    """The numbers of those that the person keeps; none: all."""
    proposal: str | None = None
    """A text that the person takes as it stands or changes; ``run`` acts on what they took."""
    locations: tuple[Location, ...] = ()
    confinement: Confinement | None = None
    """What its command is kept from; none for calls that run no command."""
    plan: PlanT
    """The facts by which ``run`` does what was shown: real paths, content hashes, new text."""

    @property
    def readable_diff(self) -> str:
        """The diff with long runs of blanks as counts, for reading alone; empty without one."""
        return visible_diff(self.diff or "")


HeldBack = Literal["files", "network"]
"""What a command could not reach: files outside of what is shown to it, or the network."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextChange:
    """A file's text before and after a change by a tool."""

    path: Path
    before: str | None
    """The text before; none: there was no file."""
    after: str
    encoding: str = "utf-8"
    """The encoding of the file's bytes before."""
    guarded: str | None = None
    """Why each change of it is asked about: it is protected, or outside of the workspace."""
    times: ChangeTimes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result of a call; a failure is also an outcome, for the model to read."""

    text: str
    failed: bool = False
    source: Source | None = None
    """For reads: the file, the lines and the version that were read."""
    exit_code: int | None = None
    """The exit code of a command that has ended."""
    milliseconds: int | None = None
    """How long a command ran that has ended."""
    counts: Counts | None = None
    """How much a search found, or a read brought."""
    ended: CallEnd = CallEnd.RAN
    """How the call came to its end."""
    rejection: Rejection | None = None
    """Who declined the call; nothing was run."""
    approved: str | None = None
    """What a person allowed for the rest of the session as they were asked, in words."""
    held_back: HeldBack | None = None
    """What the sandbox may have kept a command that failed from; a guess by what it wrote."""
    changes: tuple[TextChange, ...] = ()
    """For edits: what was changed, a file each, which the model knows."""
    made_diff: str | None = None
    """What was made of a change of which a person kept a part."""
    refused: str | None = None
    """The hunks that they did not keep."""
    afterwards: Callable[[], Awaitable[str]] | None = None
    """Finds what is added to the text once a change has had its effect; a cancel leaves it out."""
    images: tuple[Image, ...] = ()
    """The images that stand beside the text."""


AnyIntent = Intent[Any]
