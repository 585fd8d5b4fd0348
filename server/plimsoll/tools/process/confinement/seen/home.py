"""Finds the home folder, whatever HOME says: what lies in it is closed to commands."""

import os
from collections.abc import Mapping
from pathlib import Path

from plimsoll.tools.process.confinement.seen.looks import is_folder, real

NOWHERE = Path("/nonexistent")
"""The home of who has none; Debian's name for it."""
_SYSTEM = tuple(
    map(Path, ("/usr", "/etc", "/bin", "/sbin", "/lib", "/dev", "/proc", "/sys", "/nix/store"))
)


def home_folder(variables: Mapping[str, str]) -> Path:
    """Return the real home folder: that of HOME if it can be one, else the account's; blocks.

    The root, a system folder, a relative path and a path of no folder are nobody's home: to
    close it would close the system, and to take it would leave the real home open.
    """
    named = (variables.get("HOME", ""), *map(str, account_homes()))
    return next(filter(_can_be_home, map(_real, named)), NOWHERE)


def account_homes() -> tuple[Path, ...]:
    """Return the real home folder that the system knows of this account; empty for none. Blocks."""
    # No such module on Windows, where no sandbox is looked for.
    import pwd

    try:
        named = pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return ()
    return tuple(filter(_can_be_home, (_real(named),)))


def _real(path: str) -> Path:
    return (real(Path(path)) if path.startswith("/") else None) or Path("/")


def _can_be_home(path: Path) -> bool:
    above = {path, *path.parents} & {*_SYSTEM}
    holds = any(path in (folder, *folder.parents) for folder in _SYSTEM)
    return is_folder(path) and not above and not holds
