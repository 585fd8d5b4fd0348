"""What a folder's part in a team is given by the rest of the process."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from plimsoll.redaction.secrets import Secrets
from plimsoll.session.ports.clock import Clock
from plimsoll.settings import Settings
from plimsoll.storage.shared.base import TeamReplica
from plimsoll.storage.shared.status import TeamStatus
from plimsoll.team.engine import TeamEngine


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamSurroundings:
    """The store, the engine and the listeners of a folder's part in a team."""

    root: Path
    """The folder's real path."""
    replica: TeamReplica
    engine: TeamEngine
    clock: Clock
    secrets: Secrets
    variables: Mapping[str, str] = field(repr=False)
    settings: Callable[[], Settings]
    changed: Callable[[TeamStatus], None]
    """Called when it stands otherwise with the team."""
    say: Callable[[str], None]
    """Tells the person something, in one or two sentences."""
    arrived: Callable[[bool], Awaitable[None]]
    """Called after the store was changed by others; whether texts have left for good."""
