"""Files that another process removes while they are counted."""

import os
from collections.abc import Iterable
from pathlib import Path

import pytest


def vanish_when_listed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a file go as soon as its folder was listed with it."""
    scan = os.scandir

    def scan_and_lose(folder: os.PathLike[str] | str) -> Iterable[os.DirEntry[str]]:
        if Path(folder) != path.parent:
            return scan(folder)
        listed = list(scan(folder))
        path.unlink()
        return listed

    monkeypatch.setattr(os, "scandir", scan_and_lose)
