"""A small file of rows in the user's data folder, for its owner alone, replaced as a whole."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import cast

from plimsoll.context.log.messages import canonical
from plimsoll.errors import StoreUnavailable
from plimsoll.private_files import private_folder, replace_private
from plimsoll.storage.locate import data_folder

MENDS_FILE = "mends.json"
MOST_BYTES = 4 * 1024 * 1024
"""What is read of a file: what is larger was not written here."""


class RowsFile:
    """Rows of a file, in memory too: where it cannot be used, they hold as long as the process."""

    def __init__(self, path: Path, warn: Callable[[StoreUnavailable], object]) -> None:
        """``warn`` is told once why the file could not be written."""
        self._path = path
        self._warn = warn
        self._unkept: Sequence[Mapping[str, object]] | None = None
        """The rows that could not be written."""

    def read(self) -> Sequence[Mapping[str, object]]:
        """Return every row; none of a file that is missing or damaged: the next write mends it."""
        if self._unkept is not None:
            return self._unkept
        try:
            if self._path.stat().st_size > MOST_BYTES:
                return ()
            found: object = json.loads(self._path.read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            # Nothing in it is missed for long: what a server refuses is learned anew.
            return ()
        rows = cast("list[object]", found) if isinstance(found, list) else []
        return [cast("Mapping[str, object]", row) for row in rows if isinstance(row, dict)]

    def write(self, rows: Sequence[Mapping[str, object]]) -> None:
        """Replace all rows at once; a reader sees the old ones or the new."""
        try:
            private_folder(self._path.parent)
            replace_private(self._path, canonical(list(rows)))
        except StoreUnavailable as error:
            if self._unkept is None:
                self._warn(error)
            self._unkept = rows
        else:
            self._unkept = None


def mends_file(
    environment: Mapping[str, str], store: str, warn: Callable[[StoreUnavailable], object]
) -> RowsFile | None:
    """Return the file of what servers were found to refuse; none where the store keeps nothing."""
    return None if store == "memory" else RowsFile(data_folder(environment) / MENDS_FILE, warn)
