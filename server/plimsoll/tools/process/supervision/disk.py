"""Tells how much of the disks a command took while it ran, by what is free on them.

Standard library only: a supervisor runs without the packages that Plimsoll needs.
"""

import os
from collections.abc import Iterable
from pathlib import Path


class DiskSpace:
    """Compares the free space of disks with the free space before the command."""

    def __init__(self, folders: Iterable[str], most: int | None) -> None:
        """``most``: the bytes that a command may take of each disk; None: half of what is free."""
        self._most = most
        self._before: dict[int, tuple[str, os.statvfs_result]] = {}
        for folder in folders:
            try:
                device = Path(folder).stat().st_dev
                self._before.setdefault(device, (folder, os.statvfs(folder)))
            except OSError:
                # It is not there, so nothing is written in it.
                continue

    def is_exceeded(self) -> bool:
        """Tell whether more space was taken; what other programs took meanwhile counts too."""
        return any(self._is_full(folder, before) for folder, before in self._before.values())

    def _is_full(self, folder: str, before: os.statvfs_result) -> bool:
        try:
            now = os.statvfs(folder)
        except OSError:
            return False
        most = before.f_bfree * before.f_frsize // 2 if self._most is None else self._most
        taken = (before.f_bfree - now.f_bfree) * now.f_frsize
        # A file without a byte takes its entry; a disk without a number of them has no such bound.
        entries = before.f_files > 0 and before.f_ffree - now.f_ffree > before.f_ffree // 2
        return taken > most or entries
