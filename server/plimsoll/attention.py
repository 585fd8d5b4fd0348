"""What needs a person: warnings of the whole process, each with what to do about it."""

from dataclasses import dataclass
from pathlib import Path

IN_MEMORY = "storeInMemory"
"""The code of the warning that a folder's sessions are gone with the process."""
MOVED = "folderMoved"
"""The code of the warning that a folder looks like one that is gone."""


@dataclass(frozen=True, slots=True)
class Warned:
    """Something that a person should know, and what to do about it."""

    code: str
    message: str
    remedy: str | None


def forgetful(root: Path) -> Warned:
    """Warn that what a folder's sessions say is gone with the process."""
    return Warned(
        IN_MEMORY,
        f"The sessions of {str(root)!r} are kept in memory: they are gone when the server ends.",
        "Mend the store, then restart the server; export what you want to keep.",
    )


def moved(root: Path, old: Path) -> Warned:
    """Warn that a folder looks like one that is gone."""
    return Warned(
        MOVED,
        f"The folder {str(root)!r} looks like {str(old)!r}, which is gone: was it moved?",
        "If it was, let it take over what is kept of the other: sessions, memories and pins. In an "
        f"editor, plimsoll/project/link from {old.as_uri()}; in a shell, `plimsoll link` with the "
        "old path. Nothing is taken over unless you say so.",
    )
