"""Converts what was done to files to its wire form."""

from plimsoll.lsp.wire.sessions import FileResult
from plimsoll.session.checkpoints.restoring import Restored


def file_results(restored: Restored | None) -> tuple[FileResult, ...] | None:
    """Convert what a rewind did to files; None if it was not to change any."""
    if restored is None:
        return None
    return tuple(
        FileResult(uri=file.path.as_uri(), action=file.action, why=file.why)
        for file in restored.files
    )
