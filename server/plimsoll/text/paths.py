"""Formats paths for people and for results."""

from pathlib import Path


def name_in(root: Path, path: Path) -> str:
    """Format a path relative to a folder, with ``/``, or whole if it is outside."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
