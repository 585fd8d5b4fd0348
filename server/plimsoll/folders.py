"""Workspace folders as clients name them: URIs, and the paths that they mean."""

from pathlib import Path
from urllib.parse import unquote, urlparse

from plimsoll.errors import InvalidInput


def folder_of(workspace_folder: str) -> Path:
    """Return the real path of a folder given as a URI.

    Raises:
        InvalidInput: It is no file URI, or there is no such folder.
    """
    path = local_path(workspace_folder)
    if not path.is_dir():
        raise InvalidInput(f"There is no folder {str(path)!r}.", remedy="Check the path.")
    return path.resolve()


def is_here(folder: str) -> bool:
    """Tell whether a URI names a folder that still exists; an open one may have been removed."""
    try:
        return local_path(folder).is_dir()
    except InvalidInput:
        # A virtual workspace: nothing of it is kept here.
        return False


def local_path(folder: str) -> Path:
    """Return the path of a folder given as a URI, whether there is one or not.

    Raises:
        InvalidInput: It is no absolute file URI of this machine.
    """
    path = path_in(folder)
    if path is None:
        raise InvalidInput(
            f"{folder!r} is not a folder on this machine.",
            remedy="Open a local folder; virtual workspaces are not supported.",
        )
    return path


def path_in(uri: str) -> Path | None:
    """Return the path of a file URI of this machine; None if it is no such URI."""
    try:
        parsed = urlparse(uri)
    except ValueError:
        # A bracket where a host would stand.
        return None
    path = Path(unquote(parsed.path))
    local = parsed.scheme == "file" and parsed.netloc in ("", "localhost")
    return path if local and path.is_absolute() and "\0" not in str(path) else None
