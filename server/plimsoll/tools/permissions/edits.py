"""What a person can allow for good of edits: those below a folder, by real paths."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from plimsoll.tools.display import visible_line
from plimsoll.tools.ports.permission import PermissionScope

ALL = "."


def edit_scopes(name: str) -> tuple[PermissionScope, ...]:
    """Return the folders for which edits may be allowed so that an edit of this file is covered.

    ``name``: the file's real path below the workspace, with ``/``. Offered to a person are the
    file's own folder, and the topmost one below the workspace.
    """
    above = [str(each) for each in PurePosixPath(name).parents]
    offered = {above[0], above[-2]} if len(above) > 1 else {ALL}
    return tuple(_scope(each, offered=each in offered) for each in above)


def common_scopes(found: Sequence[Sequence[PermissionScope]]) -> tuple[PermissionScope, ...]:
    """Return the permission scopes that cover every one of several edits."""
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
