"""How a path is written for people and in results."""

from pathlib import Path


def name_in(root: Path, path: Path) -> str:
    """Write a path relative to a folder, with ``/``, or whole where it lies outside."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
