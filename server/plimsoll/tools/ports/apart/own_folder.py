"""The copy of the folder in which a session works."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class OwnFolder:
    """The copy of the folder in which a session works, and outside of which it writes nothing."""

    main: Path
    """The real path of the person's folder, of which it is a copy."""
    linked: tuple[Path, ...]
    """Folders outside of the copy that may be read without asking."""
