"""What is known in a session that works in a copy of the folder."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class OwnFolder:
    """What is known in a session that works in a copy of the folder, and writes nowhere else."""

    main: Path
    """The real path of the person's folder, of which it is a copy."""
    linked: tuple[Path, ...]
    """Folders outside of the copy that may be read without asking."""
