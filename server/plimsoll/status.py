"""What the process can say of itself: its state, and what needs a person, with what to do."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from plimsoll.storage.locate import log_folder, sizes_in
from plimsoll.storage.shared.status import TeamStatus
from plimsoll.telemetry.activity import Activity
from plimsoll.telemetry.log_file import LOG_FILE
from plimsoll.text.wording import how_to_install, plural

IN_MEMORY = "storeInMemory"
"""The code of the warning that a folder's sessions are gone with the process."""
MOVED = "folderMoved"
"""The code of the warning that a folder looks like one that is gone."""
TELEMETRY_MISSING = "telemetryMissing"
"""The code of the warning that there is nothing to send spans with."""
TEAM = "team"
"""The code of the warning that something is wrong between a folder and its team's server."""
TELEMETRY_LOST = "telemetryLost"
"""The code of the warning that an endpoint does not take spans."""


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning for a person, and the remedy for it."""

    code: str
    message: str
    remedy: str | None


StoreKind = Literal["disk", "memory", "damaged"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AppStatus:
    """The state of the app: its data, its sessions, and its warnings."""

    store_path: Path
    store_kind: StoreKind
    """Where sessions are kept; ``damaged``: the store of a folder cannot be read."""
    sessions: int
    """In the projects that are open."""
    warnings: tuple[Warned, ...]
    activity: Activity
    """What was done since the process was started."""

    @property
    def log_path(self) -> Path:
        """The log file."""
        return log_folder(self.store_path) / LOG_FILE

    def store_bytes(self) -> int:
        """Sum up the size of the data folder; walks it, so call it on a worker thread."""
        return sum(sizes_in(self.store_path))


def warn_in_memory(root: Path) -> Warned:
    """Warn that a folder's sessions are kept in memory and end with the process."""
    return Warned(
        IN_MEMORY,
        f"The sessions of {str(root)!r} are kept in memory: they are gone when the server ends.",
        "Repair the store, then restart the server; export what you want to keep.",
    )


def warn_moved(root: Path, old: Path) -> Warned:
    """Warn that a folder looks like a stored folder that no longer exists, so was perhaps moved."""
    return Warned(
        MOVED,
        f"The folder {str(root)!r} looks like {str(old)!r}, which is gone: was it moved?",
        "If it was, its sessions, memories and pins can be used here. In an "
        f"editor, plimsoll/project/link from {old.as_uri()}; in a shell, `plimsoll link` with the "
        "old path. Nothing is taken over unless you say so.",
    )


def warn_of_team(status: TeamStatus) -> list[Warned]:
    """Warn of what is wrong between a folder and its team's server, if anything is."""
    if status.message is None:
        return []
    return [Warned(TEAM, status.message, status.remedy)]


def no_telemetry() -> Warned:
    """Warn that an endpoint for spans is set, but the library that sends them is missing."""
    return Warned(
        TELEMETRY_MISSING,
        "telemetry.otlp_endpoint is set, and the extra that sends spans is not installed.",
        f"Install it ({how_to_install('telemetry')}), or take the setting away.",
    )


def lost_telemetry(count: int) -> Warned:
    """Warn that the endpoint for spans did not accept some."""
    return Warned(
        TELEMETRY_LOST,
        f"The endpoint of telemetry.otlp_endpoint did not take {plural(count, 'span')}.",
        "Start the collector there, or correct the address. Turns do not wait for it.",
    )
