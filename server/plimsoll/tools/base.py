"""The port of a tool, and the ports through which tools reach the editor and the session.

Law 6: gates stand at the tool. ``prepare`` says what a call will do and whether it must be asked
about; ``run`` does exactly that or fails. Nothing here trusts the model's good sense.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Literal, Protocol, TypeVar

from plimsoll.context.log.call_end import CallEnd, Rejection
from plimsoll.context.log.counts import Counts
from plimsoll.context.log.entries import TaskItem
from plimsoll.context.log.messages import Image, Source, ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.errors import ToolFailed
from plimsoll.text.hunks import ShownHunk
from plimsoll.tools.conversation.values import AgentTask, Found, NoteKept, NotePlan
from plimsoll.tools.display import visible_diff
from plimsoll.tools.editor.knowledge import EditorKnowledge, NoKnowledge
from plimsoll.tools.made_base import CommandMade, MadeFiles
from plimsoll.tools.permission_base import PermissionScope, SessionApproval
from plimsoll.tools.process.confinement.base import Confinement, MovedAside
from plimsoll.tools.process.confinement.confining import Confining
from plimsoll.tools.repository_base import NoRepository, Repository
from plimsoll.tools.skill_base import SkillReader
from plimsoll.tools.times_base import ChangeTimes

Arguments = Mapping[str, object]
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
    """What a tool changed of a file."""

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
class FileToRestore:
    """A file of the workspace that is to be as it was at an earlier time."""

    name: str
    """The path below the workspace."""
    left: str | None
    """The version in which it must be found; none: there must be no file."""
    wanted: str | None
    """The text that it gets; none: it is removed."""
    encoding: str = "utf-8"
    """The encoding of the bytes that it had."""


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
    image: Image | None = None
    """An image that stands beside the text."""


class Documents(Protocol):
    """The editor's open buffers, which are the truth, and edits through the editor."""

    def open_text(self, path: Path) -> str | None:
        """Return the text of an open buffer, or none when the file is not open."""
        ...

    def open_files(self) -> Collection[Path]:
        """Return the files of which buffers are open; real paths."""
        ...

    async def apply_edit(self, path: Path, before: str, after: str, label: str) -> bool:
        """Change an open buffer from one text to another; false: it was not done.

        Nothing is done when the buffer holds another text than ``before``. Raises ToolFailed when
        nobody knows whether it was done.
        """
        ...


class Spill(Protocol):
    """Keeps whole outputs in files that the model can grep (mode 0600, seven days)."""

    def write(self, call_id: str, text: str) -> Path:
        """Keep a text; raises StoreUnavailable when it cannot be kept whole."""
        ...


class Blobs(Protocol):
    """Keeps texts of files as they were, by their versions (mode 0600, seven days)."""

    def keep(self, text: str) -> str:
        """Keep a text, and return its version; raises StoreUnavailable."""
        ...

    def read(self, version: str) -> str | None:
        """Return a text; none: it is not kept, or not any more."""
        ...

    def take_from(self, session_id: str, versions: Iterable[str]) -> None:
        """Keep texts of another session too; raises StoreUnavailable."""
        ...


class FileRestorer(Protocol):
    """Puts files back that the agent's tools have changed.

    Raises:
        ToolFailed: The file is to be left as it is; the message says why, for people.
    """

    def look(self, file: FileToRestore, context: "CallContext") -> bool:
        """Tell whether there is something to be done; false: it is as wanted. Blocks."""
        ...

    async def restore(self, file: FileToRestore, context: "CallContext") -> None:
        """Put the file back, through the editor where it is open."""
        ...

    def half_written(self, context: "CallContext") -> Sequence[str]:
        """Say of each file that a process left half written what nobody was told yet. Blocks."""
        ...


class Commands(MadeFiles, Protocol):
    """The commands that run, as those see them who act on the folder meanwhile."""

    @property
    def running(self) -> Collection[object]:
        """Those that run; some may have ended."""
        ...

    async def settle(self) -> Sequence[MovedAside]:
        """Move aside what they made of protected names by now, and return that."""
        ...

    async def accept(self, paths: Sequence[Path]) -> None:
        """Leave in place what a person let a tool make meanwhile."""
        ...


class Conversation(SkillReader, Protocol):
    """The session that a call belongs to: all that tools may see and change of it."""

    def search(self, query: str, limit: int) -> Sequence[Found]:
        """Find items in the whole log, also in what has left the view, the best first."""
        ...

    def text_of(self, item: str) -> str | None:
        """Return the whole text of an item; none when there is no such item."""
        ...

    async def set_tasks(self, tasks: Sequence[TaskItem]) -> None:
        """Replace the task list."""
        ...

    def check_plan(self, text: str) -> None:
        """Raise ToolFailed where a plan of this text could not be kept."""
        ...

    async def accept_plan(self, text: str, steps: Sequence[str]) -> None:
        """Pin a plan that a person took, and make its steps the tasks; raises ToolFailed."""
        ...

    async def evict(self, items: Sequence[str]) -> str:
        """Take items out of the view and say what that freed; raises ToolFailed."""
        ...

    async def keep_note(self, note: NotePlan) -> NoteKept:
        """Keep a note for later conversations; raises ToolFailed when it is refused."""
        ...

    async def find_notes(self, query: str, limit: int) -> str:
        """Return notes from earlier conversations, as a text in which each is quoted."""
        ...

    def check_agent(self, task: AgentTask) -> None:
        """Raise ToolFailed where the session may not let another agent work."""
        ...

    async def call_agent(self, task: AgentTask) -> Outcome:
        """Let another agent work in a session of its own, to its end."""
        ...

    def load(self) -> str:
        """Return the load of the context in one line, and its largest items with their ids."""
        ...


def _nobody_trusts() -> bool:
    return False


def _nobody_hears(heard: object) -> None:
    del heard


@dataclass(frozen=True, slots=True, kw_only=True)
class CallContext:
    """What a call runs in: the folder, the editor, the session."""

    root: Path
    """The workspace folder's real path."""
    documents: Documents
    spill_folder: Path
    """A folder outside the workspace that the model may read: truncation notices name its files."""
    ripgrep: str | None = None
    """A ripgrep to use; none: search in Python."""
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    """The environment for child processes, already without secrets."""
    confining: Confining | None = None
    """How commands are confined; none: not at all."""
    conversation: Conversation | None = None
    """The session that the call belongs to."""
    hear_command: Callable[[CommandMade], None] = _nobody_hears
    """Called as a command begins, for what it will have made."""
    hear_output: Callable[[str], None] = _nobody_hears
    """Called with the end of what a command has written, a few times a second while it runs."""
    lend_output: Callable[[Callable[[], Awaitable[str]]], None] = _nobody_hears
    """Called as a command begins, with what reads all that it has written so far."""
    knowledge: EditorKnowledge = field(default_factory=NoKnowledge)
    """What the editor knows of the code."""
    repository: Repository = field(default_factory=NoRepository)
    """What git knows of the folder."""
    trusted: Callable[[], bool] = _nobody_trusts
    """Tells whether the person trusts the folder now."""
    sees_images: bool | None = None
    """Whether the session's model does; none: nobody knows."""


def conversation_of(context: CallContext) -> Conversation:
    """Return the session of a call; raises ToolFailed where there is none."""
    if context.conversation is None:
        raise ToolFailed("This tool works only within a session.")
    return context.conversation


@dataclass(frozen=True, slots=True)
class FileText:
    """The text of a file, or the beginning of a long one."""

    text: str
    size: int
    """The size of the whole file in bytes, or in characters if the editor has it open."""
    version: str
    """The SHA-256 of the text."""


Reader = Callable[[str, CallContext, int], FileText | None]
"""Reads a file by its path below the workspace, at most so many bytes; none: no such file.
Blocks. Raises ToolFailed when the path leads out of the workspace or to no text."""


@dataclass(frozen=True, slots=True)
class AttachedText:
    """A file that a person attached: a text, also of a document, an image in base64, a listing."""

    path: Path
    """The real path, with no link in it."""
    text: str
    media_type: str | None = None
    """The MIME type of an image, or of a document whose text this is."""
    is_folder: bool = False
    """True if the text lists a folder."""


AttachmentReader = Callable[[Path, CallContext, int], AttachedText]
"""Reads what a person named: an image, a text of at most so many bytes, or a folder's listing.
Blocks. Raises ToolFailed when it may not be attached; the message is for the person."""


class Tool(Protocol[PlanT]):
    """Checks calls of one kind and runs them.

    Raises:
        ToolFailed: From ``prepare`` and ``run``; its message is the answer to the model.
    """

    schema: ToolSchema
    traits: ToolTraits
    reading: bool
    """True if it changes nothing anywhere; then it may run in plan mode."""

    def prepare(
        self, arguments: Arguments, context: CallContext
    ) -> Intent[PlanT] | Awaitable[Intent[PlanT]]:
        """Check the arguments and the paths, and return the exact effect; run nothing.

        May block. One that has to ask the editor returns what is to be awaited.
        """
        ...

    def run(self, intent: Intent[PlanT], context: CallContext) -> Awaitable[Outcome]:
        """Do what the intent says, and nothing else; fail if what was shown has changed since."""
        ...


AnyTool = Tool[Any]
"""A tool with a plan of any type: the tool that prepares a call also runs it."""
AnyIntent = Intent[Any]
