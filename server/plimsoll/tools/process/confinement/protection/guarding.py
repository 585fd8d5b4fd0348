"""Begins to guard a workspace when a command is confined in it."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Lock

from plimsoll.errors import StoreUnavailable, ToolFailed
from plimsoll.private_files import private_folder
from plimsoll.tools.process.confinement.base import Access
from plimsoll.tools.process.confinement.protection.looking import Protection
from plimsoll.tools.process.confinement.protection.settling import ProtectionGuard
from plimsoll.tools.process.confinement.protection.staging import Staging, clear_leftovers

_PLACE = "staged"
_MOST_KEPT = 8
"""Workspaces of which what was found is kept; more are looked through anew."""


def guard(protection: Protection, aside: Path) -> ProtectionGuard:
    """Record the protected files before a command runs, to compare with afterwards. Blocks."""
    return ProtectionGuard(protection=protection, found=protection.look(), aside=aside)


def add_staging(guarded: ProtectionGuard) -> ProtectionGuard:
    """Lay private folders over protected folders that the workspace lacks; blocks.

    Not in an empty workspace: programs that fill it check first that it is empty.
    """
    root = guarded.protection.root
    if next(root.iterdir(), None) is None:
        return guarded
    return replace(guarded, staging=Staging(root, guarded.aside.with_name(_PLACE)))


class Protections:
    """The protected files of each folder in which commands were confined."""

    def __init__(self) -> None:
        self._of: dict[Path, Protection] = {}
        self._choosing = Lock()

    @contextmanager
    def guarding(
        self, access: Access, environment: Mapping[str, str]
    ) -> Generator[ProtectionGuard]:
        """Find the files protected from a command, and make the folder of its caches; blocks.

        ``environment``: that of the person, in which their PATH stands.

        Raises:
            ToolFailed: The workspace folder is gone, or the block inside fails to look at the disk.
        """
        if not access.root.is_dir():
            raise ToolFailed(f"The folder {access.root} is gone, so no command can run in it.")
        protection = self._choose_protection(access, environment.get("PATH", ""))
        try:
            private_folder(access.caches)
            aside = access.aside_folder
            clear_leftovers(aside.with_name(_PLACE), access.root, aside)
            yield guard(protection, aside)
        except (OSError, StoreUnavailable) as error:
            raise ToolFailed(f"The command could not be put into its sandbox: {error}.") from error

    def _choose_protection(self, access: Access, search_path: str) -> Protection:
        with self._choosing:
            found = self._of.pop(access.root, None)
            if found is None:
                found = Protection(access.root, access.home, search_path)
            self._of[access.root] = found
            while len(self._of) > _MOST_KEPT:
                del self._of[next(iter(self._of))]
            return found
