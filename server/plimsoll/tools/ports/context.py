"""What a call runs in: the folder, the editor, the session."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.tools.editor.knowledge import EditorKnowledge, NoKnowledge
from plimsoll.tools.ports.apart.own_folder import OwnFolder
from plimsoll.tools.ports.conversation import Conversation
from plimsoll.tools.ports.documents import Documents
from plimsoll.tools.ports.made import CommandMade
from plimsoll.tools.ports.repository import NoRepository, Repository
from plimsoll.tools.process.confinement.confining import Confining


def _nobody_trusts() -> bool:
    return False


def _nobody_hears(heard: object) -> None:
    del heard


@dataclass(frozen=True, slots=True, kw_only=True)
class CallContext:
    """The surroundings of a call: its folder, the editor and the session."""

    root: Path
    """The workspace folder's real path."""
    documents: Documents
    spill_folder: Path
    """A folder outside the workspace that the model may read: truncation notices name its files."""
    left_behind: tuple[str, ...] = ()
    """The machines on which the session worked before: whole outputs were kept in files there."""
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
    own_folder: OwnFolder | None = None
    """The session works in a folder of its own; none: in the person's."""
    trusted: Callable[[], bool] = _nobody_trusts
    """Tells whether the person trusts the folder now."""
    sees_images: bool | None = None
    """Whether the session's model does; none: nobody knows."""


def conversation_of(context: CallContext) -> Conversation:
    """Return the session of a call; raises ToolFailed where there is none."""
    if context.conversation is None:
        raise ToolFailed("This tool works only within a session.")
    return context.conversation
