"""Says what of the system a command sees: programs, libraries and what they are configured by.

A list of what is shown, not of what is hidden: a disk has room for secrets that nobody thought of.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from plimsoll.tools.process.confinement.seen.looks import entries, is_there, status_of

LOOKED_THROUGH = tuple(map(Path, ("/etc", "/opt", "/usr/local")))
"""What people and other programs than the package manager write to as well."""
PROGRAMS = tuple(
    map(
        Path,
        (
            *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt"),
            *("/nix/store", "/nix/var/nix/profiles", "/gnu/store", "/var/guix/profiles"),
            *("/run/current-system", "/run/opengl-driver", "/snap", "/var/lib/snapd/snap"),
        ),
    )
)
"""What programs are in, with their libraries and settings."""
_STATE = tuple(
    map(
        Path,
        (
            # What is installed, for whoever asks the package manager.
            *("/var/lib/dpkg", "/var/lib/rpm", "/var/lib/pacman", "/var/lib/apk"),
            *("/var/lib/alternatives", "/var/lib/ca-certificates", "/var/lib/locales"),
            *("/var/cache/fontconfig", "/var/lib/texmf", "/var/lib/gems", "/var/lib/ghc"),
            *("/var/lib/dictionaries-common", "/var/lib/aspell", "/var/lib/xkb"),
            *("/var/lib/sgml-base", "/var/lib/xml-core"),
        ),
    )
)
_KERNEL = tuple(map(Path, ("/sys/devices/system", "/sys/fs/cgroup", "/sys/kernel/mm")))
"""Processors, memory and their limits: how many threads a program starts."""
SYSTEM = frozenset((*PROGRAMS, *_STATE, *_KERNEL))
"""What the package manager or the kernel fills, but for what is looked through."""
_NAMES = tuple(map(Path, ("/var/run", "/var/lock")))
_MOST_LINKS = 40

Link = tuple[Path, str]
"""A link and what it says."""


def system_folders() -> Iterator[Path]:
    """Yield the system's folders that a command sees, by their usual names; blocks."""
    for path in sorted(SYSTEM):
        status = status_of(path)
        # Where others may not enter, the system shows nothing.
        if status is not None and status.st_mode & 0o001:
            yield path


def system_links() -> Iterator[Link]:
    """Yield the system's links that programs need, such as those at the root; blocks."""
    for path in (*entries(Path("/")), *_NAMES):
        # What is no link has none on its way either: all of it stands at the root, or is one.
        yield from follow(path)[0]


def follow(path: Path) -> tuple[tuple[Link, ...], Path | None]:
    """Return the links on the way of a path, and its real end; None if nothing is there."""
    links: list[Link] = []
    at, waiting = "", [*reversed(path.parts[1:])]
    while waiting:
        part = waiting.pop()
        if part == "..":
            at = at.rpartition("/")[0]
            continue
        step = f"{at}/{part}"
        try:
            # Most is no link, and becomes no path.
            is_a_link = stat.S_ISLNK(os.lstat(step).st_mode)
            text = str(Path(step).readlink()) if is_a_link else ""
        except FileNotFoundError:
            return tuple(links), None
        except (OSError, ValueError):
            # It cannot be looked at.
            text = ""
        if not text:
            at = step
            continue
        links.append((Path(step), text))
        if len(links) > _MOST_LINKS:
            return (), None
        at = "" if text.startswith("/") else at
        waiting += [part for part in reversed(text.split("/")) if part not in {"", "."}]
    led = Path(at or "/")
    return tuple(links), led if is_there(led) else None


def beside(links: Iterable[Link], mounted: Iterable[Path]) -> Iterator[Link]:
    """Yield those links that lie in none of the mounted folders."""
    folders = frozenset(mounted)
    for path, text in dict.fromkeys(links):
        if folders.isdisjoint((path, *path.parents)):
            yield path, text
