"""The inputs of an app: callbacks of its front door, and values of the process's start."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from plimsoll.errors import InvalidInput
from plimsoll.redaction.secrets import Secrets
from plimsoll.session.ports.asker import Asker
from plimsoll.session.ports.clock import Clock, SystemClock
from plimsoll.session.ports.events import Listener
from plimsoll.session.project import Project
from plimsoll.settings import Settings
from plimsoll.storage.shared.status import TeamStatus
from plimsoll.telemetry.base import SpanSink
from plimsoll.tools.editor.knowledge import EditorKnowledge, NoKnowledge
from plimsoll.tools.ports.documents import Documents
from plimsoll.tools.ports.mcp import McpServer
from plimsoll.tools.process.confinement.base import Probe


def _nobody(_workspace_folder: str, _waiting: int) -> None:
    """Do nothing: this front door does not show how many memories wait for a review."""


def _shows_no_team(_workspace_folder: str, _status: TeamStatus) -> None:
    """Do nothing: this front door does not show how it stands with a folder's team."""


class BrowserViews(Protocol):
    """Serves the context of sessions to browsers on this machine."""

    async def open(self, project: Project, session_id: str) -> str:
        """Return an address at which the next browser that opens it shows a session.

        Raises:
            InvalidInput: It cannot be served here; ``remedy`` says where.
        """
        ...

    async def close(self) -> None:
        """Serve nobody any more."""
        ...


class NoBrowserViews:
    """The ``BrowserViews`` of a front door that is gone before a browser would have opened."""

    async def open(self, project: Project, session_id: str) -> str:
        """Refuse, and name the command that serves it."""
        del project
        raise InvalidInput(
            "Nothing here serves a browser for long.",
            remedy=f"`plimsoll view --session {session_id}` does, in a terminal.",
        )

    async def close(self) -> None:
        """Do nothing."""


def _shows_no_servers(_workspace_folder: str) -> None:
    """Do nothing: this front door does not show the MCP servers of a folder."""


def _gives_no_servers(_root: Path) -> Sequence[McpServer]:
    """Return none: this front door brings no MCP servers of its own."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Front:
    """The front door that shows the product to a person: an editor's client, or a terminal."""

    asker: Asker
    listener: Listener
    documents: Documents
    trusted: Callable[[Path], bool]
    ripgrep: str | None = None
    workspaces: Callable[[], Sequence[Path]] = tuple
    """Returns the folders that are open."""
    knowledge: EditorKnowledge = field(default_factory=NoKnowledge)
    memories_changed: Callable[[str, int], None] = _nobody
    """Called with a folder's URI and the number of its memories that wait for a review."""
    given_servers: Callable[[Path], Sequence[McpServer]] = _gives_no_servers
    """Returns the MCP servers that the client gives the sessions of a folder, by its path."""
    mcp_changed: Callable[[str], None] = _shows_no_servers
    """Called with a folder's URI when an MCP server has another state, or offers something else."""
    team_changed: Callable[[str, TeamStatus], None] = _shows_no_team
    """Called with a folder's URI when it stands otherwise with the folder's team."""
    views: BrowserViews = field(default_factory=NoBrowserViews)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessInputs:
    """The inputs of the process at its start: variables, store, clock, and the known secrets."""

    variables: Mapping[str, str] = field(repr=False)
    store: str = "sqlite"
    """``memory`` keeps nothing beyond the process."""
    clock: Clock = field(default_factory=SystemClock)
    secrets: Secrets | None = None
    """Shared with the log, so that keys that come later are known there; none: of the variables."""
    probe: Probe | None = None
    """Finds another sandbox than the one of the machine."""
    load_settings: Callable[[], Settings] | None = None
    """Reads the settings again once the person's file was changed; none: the process ends soon."""
    sinks: tuple[SpanSink, ...] = ()
    """Take the spans of what is done; closed with the app."""
