"""What a person can allow for good of edits: those below a folder, by real paths."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from plimsoll.tools.display import visible_line
from plimsoll.tools.ports.permission import PermissionScope

ALL = "."


def edit_scopes(name: str) -> tuple[PermissionScope, ...]:
    """Return the folders whose edits cover one of a file, from its own up to the workspace.

    ``name``: its real path below the workspace, with ``/``. Its own folder is offered, and the
    first one below the workspace.
    """
    above = [str(each) for each in PurePosixPath(name).parents]
    offered = {above[0], above[-2]} if len(above) > 1 else {ALL}
    return tuple(_scope(each, offered=each in offered) for each in above)


def common_scopes(found: Sequence[Sequence[PermissionScope]]) -> tuple[PermissionScope, ...]:
    """Return the scopes that cover each of several edits."""
    first, *others = found or ((),)
    subjects = [{each.subject for each in scopes} for scopes in others]
    return tuple(each for each in first if all(each.subject in some for some in subjects))


def _scope(folder: str, *, offered: bool) -> PermissionScope:
    shown = visible_line(folder, limit=120)
    return PermissionScope(
        kind="edits",
        subject=folder,
        what="edits in all of this folder" if folder == ALL else f"edits below `{shown}`",
        covers="protected files are asked about all the same",
        offered=offered and shown == folder and "`" not in folder,
    )
