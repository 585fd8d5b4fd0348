"""Resolves a path that a model gave, and tells whether a person must be asked about it.

Laws: only the real path counts, never the spelling; what cannot be judged is refused; nothing
outside the workspace is looked at before a person agreed, so resolving reads links alone.
"""

import difflib
import os
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.text.paths import name_in
from plimsoll.tools.display import unescape_hidden, visible_line, visible_path
from plimsoll.tools.files.opening import listable, open_regular_file
from plimsoll.tools.files.protected import why_protected
from plimsoll.tools.ports.context import CallContext

# NAME_MAX and PATH_MAX of Linux; longer ones fail at the first open with a worse message.
_LONGEST_NAME = 255
_LONGEST_PATH = 4096
_HOME = re.compile(r"(?:~(?P<user>[a-z_][\w-]*(?=/))?|\$HOME|\$\{HOME\})(?=/|$)")
_KEPT_OUTPUT = re.compile(r"/spill/[0-9a-f]{32}\.txt$")
"""The end of the path of a whole output, as each machine's store names it."""
_UNDRAWN = frozenset({"Cc", "Cf"})
# Comparing each with the one that was asked for takes time; a folder can hold millions.
_COMPARED = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A path that a model gave, resolved."""

    asked: str
    """The path as the model wrote it; ``run`` resolves it again and compares."""
    path: Path
    """The real path: no link, no ``..``."""
    name: str
    """The name for people and results: relative to the workspace, or absolute outside it."""
    inside: bool
    """True if it lies in the workspace folder."""
    readable: bool
    """True if it may be read without asking: it lies in the workspace or is a spill file."""
    protected: str | None
    """The reason why each write is asked about, where it could start or allow something."""

    @property
    def shown(self) -> str:
        """The real path as a person reads it, all characters visible; says if it lies outside."""
        name = visible_path(self.name)
        return name if self.inside else f"{name} (outside the workspace)"


def resolve(asked: str, context: CallContext) -> Target:
    """Resolve a path to its real target, following each link of the part that exists.

    Raises:
        ToolFailed: The path is a URI, holds a NUL, is too long, runs in a circle, names the home
            of somebody else, or an output that another machine has kept.
    """
    _refuse_unusable(asked)
    meant = _find_named_path(_at_home(asked, context), context.root)
    path = _real(context.root / meant, asked)
    inside = path.is_relative_to(context.root)
    if context.left_behind and not inside:
        _refuse_left_behind(path, context)
    return Target(
        asked=asked,
        path=path,
        name=name_in(context.root, path),
        inside=inside,
        readable=inside
        or path.is_relative_to(_real(context.spill_folder, asked))
        or _is_linked(path, context),
        protected=_why_protected(asked, path, context.root),
    )


def _is_linked(path: Path, context: CallContext) -> bool:
    """Tell whether a path lies in a folder that is linked into an agent's own folder."""
    own = context.own_folder
    return own is not None and any(path.is_relative_to(folder) for folder in own.linked)


def _refuse_left_behind(path: Path, context: CallContext) -> None:
    """Raise ToolFailed for a whole output that another machine has kept; no person is asked."""
    own = path.is_relative_to(os.path.realpath(context.spill_folder))
    if _KEPT_OUTPUT.search(path.as_posix()) and not (own and path.exists()):
        raise ToolFailed(
            f"This output was kept in a file on {' or '.join(context.left_behind)}, where this "
            "session worked before; the file is not on this machine. The whole output is in the "
            "log: history finds it and reads it."
        )


def shown_name(path: Path, root: Path) -> str:
    """Write the path of a found file on one line, relative to the workspace, with ``/``."""
    return visible_path(name_in(root, path))


def resolve_again(target: Target, context: CallContext) -> None:
    """Check that a path still leads to the target that the person was shown.

    Raises:
        ToolFailed: It leads elsewhere now.
    """
    now = resolve(target.asked, context)
    if now.path != target.path:
        raise ToolFailed(
            f"{visible_line(target.asked)} led to {target.shown} and leads to {now.shown} now. "
            "Nothing was done; ask again."
        )


def _at_home(asked: str, context: CallContext) -> str:
    """Replace ``~`` at the start of a path by the home folder, as a shell does."""
    named = _HOME.match(asked)
    if named is None or (named["user"] and os.path.lexists(context.root / named.group())):
        return asked
    home = context.environment.get("HOME", "")
    if named["user"] or not home.startswith("/"):
        raise ToolFailed(
            f"{visible_line(asked)} is in a home folder that is not known here. Give the path from "
            f"/, or ./{visible_line(asked)} for a name in the workspace."
        )
    return home + asked[named.end() :]


def _find_named_path(asked: str, root: Path) -> str:
    """Return the existing path that a model means, with or without the escapes of display.

    In the workspace a plain blank stands for an odd one too, if one name alone fits.
    """
    shown = _name_meant(asked)
    if not (root / shown).is_relative_to(root):
        return asked
    if shown != asked and os.path.lexists(root / shown):
        return shown
    if os.path.lexists(root / asked):
        return asked
    at, parts = root, [*reversed((root / shown).relative_to(root).parts)]
    while parts and parts[-1] != "..":
        name = parts.pop()
        at /= name if os.path.lexists(at / name) else _alike(name, at, root)
    return str(at.joinpath(*reversed(parts)))


def _name_meant(asked: str) -> str:
    """Undo the escapes of a displayed path; an escape that no file name can hold stays."""
    meant = unescape_hidden(asked)
    try:
        os.fsencode(meant)
    except UnicodeEncodeError:
        return asked
    return asked if "\0" in meant else meant


def _alike(name: str, folder: Path, root: Path) -> str:
    try:
        # Outside of the workspace nothing is listed before a person agreed, wherever a link leads.
        if not Path(os.path.realpath(folder)).is_relative_to(root):
            return name
        with listable(folder) as listed, os.scandir(listed) as entries:
            names = [entry.name for entry in islice(entries, _COMPARED)]
    except OSError:
        return name
    fitting = [one for one in names if _plain(one) == _plain(name)]
    return fitting[0] if len(fitting) == 1 else name


def _plain(name: str) -> str:
    """Normalise a name for comparison: plain blanks, nothing invisible, composed characters."""
    drawn = "".join(c for c in name if unicodedata.category(c) not in _UNDRAWN or c.isspace())
    return unicodedata.normalize("NFC", " ".join(drawn.split()))


def _refuse_unusable(asked: str) -> None:
    shown = visible_line(asked)
    if not asked.strip():
        raise ToolFailed("The path is empty. Name a file or folder of the workspace.")
    if "\0" in asked:
        raise ToolFailed(f"The path {shown} holds a NUL character.")
    if "://" in asked or asked.lower().startswith("file:"):
        raise ToolFailed(f"{shown} is a URI. Give a plain path, such as src/main.py.")
    if asked.startswith(("\\\\", "\\??\\", "//?/", "//./")):
        raise ToolFailed(f"{shown} is a device or network path. Give a plain path.")
    if os.name == "nt" and ":" in os.path.splitdrive(asked)[1]:
        raise ToolFailed(f"{shown} names an alternate data stream. Give a plain path.")
    meant = _name_meant(asked)
    if len(os.fsencode(meant)) >= _LONGEST_PATH:
        raise ToolFailed(f"The path has {len(meant)} characters, more than a file system takes.")
    if any(len(os.fsencode(part)) > _LONGEST_NAME for part in Path(meant).parts):
        raise ToolFailed(f"A name in the path {shown} is longer than {_LONGEST_NAME} bytes.")


def _real(path: Path, asked: str) -> Path:
    try:
        real = Path(os.path.realpath(path))
    except OSError as error:
        # A link that turned into something else while it was read.
        raise ToolFailed(f"{visible_line(asked)} is changing. Try again.") from error
    except RecursionError as error:
        raise ToolFailed(f"{visible_line(asked)} goes through too many links.") from error
    # realpath leaves a circle of links unresolved; then some part of its answer is still a link.
    if any(part.is_symlink() for part in (real, *real.parents)):
        raise ToolFailed(f"The links of {visible_line(asked)} run in a circle.")
    return real


def _why_protected(asked: str, path: Path, root: Path) -> str | None:
    inside = path.relative_to(root).parts if path.is_relative_to(root) else ()
    found = why_protected((*inside, *Path(asked).parts))
    if found is not None:
        return found
    linked = next(
        (name for name, real in _find_protected_links(root) if path.is_relative_to(real)), None
    )
    return f"it stands for {linked}" if linked is not None else None


def _find_protected_links(root: Path) -> Iterator[tuple[str, Path]]:
    """Yield the protected links of a workspace with their targets, and that of a ``.git`` file."""
    # One listing before each call of a tool: to ask for a thousand names takes far longer.
    for name in _links(root):
        if why_protected((name,)) is not None:
            yield name, Path(os.path.realpath(root / name))
    git = root / ".git"
    if git.is_file() and not git.is_symlink():
        yield ".git", _pointed_at(git)


def _links(root: Path) -> list[str]:
    """List the links in the workspace folder; raises ToolFailed."""
    try:
        with os.scandir(root) as entries:
            return [entry.name for entry in entries if entry.is_symlink()]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ToolFailed(f"The folder {root} cannot be listed: {error.strerror}.") from error


def _pointed_at(git: Path) -> Path:
    """Return the folder that a ``.git`` file points to, or its own folder if it is unreadable."""
    try:
        with open_regular_file(git) as descriptor:
            pointer = os.read(descriptor, _LONGEST_PATH).decode("utf-8", "replace")
        folder = pointer.removeprefix("gitdir:").strip()
        return Path(os.path.realpath(git.parent / folder))
    except (OSError, ValueError, ToolFailed):
        return git.parent


_MOST_NAMES = 5


def missing(target: Target) -> ToolFailed:
    """Make the error for a missing file, with similar names; no folder outside is listed."""
    names = _near_names(target) if target.inside else []
    advice = f"Near it: {', '.join(names)}." if names else "Use glob to find it."
    return ToolFailed(f"{target.shown} does not exist. {advice}")


def _near_names(target: Target) -> list[str]:
    folder = target.path.parent
    try:
        with listable(folder) as listed, os.scandir(listed) as entries:
            found = sorted(entry.name for entry in islice(entries, _COMPARED))
    except OSError:
        return []
    names = {name.lower(): name for name in found}
    near = difflib.get_close_matches(target.path.name.lower(), names, n=_MOST_NAMES)
    return [visible_path(names[name]) for name in near]
