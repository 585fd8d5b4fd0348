"""A small file of rows in the user's data folder, private to its owner, replaced as a whole."""

import json
import os
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from plimsoll.context.log.messages import canonical
from plimsoll.errors import StoreUnavailable
from plimsoll.private_files import open_private, private_folder, replace_private, unavailable
from plimsoll.storage.locate import data_folder
from plimsoll.storage.locks.open_files import lock

MENDS_FILE = "mends.json"
CONNECTIONS_FILE, LOCK_SUFFIX = "connections.json", ".lock"
ROWS_FILES = (MENDS_FILE, CONNECTIONS_FILE, f"connections{LOCK_SUFFIX}")
MOST_BYTES = 4 * 1024 * 1024
"""The largest file that is read: a larger one was not written here."""


class RowsFile:
    """The rows of a file, also kept in memory if the file cannot be written."""

    def __init__(self, path: Path, warn: Callable[[StoreUnavailable], object]) -> None:
        """``warn`` is called once with the reason why the file could not be written."""
        self._path = path
        self._warn = warn
        self._unkept: Sequence[Mapping[str, object]] | None = None
        """The rows that could not be written."""

    def read(self) -> Sequence[Mapping[str, object]]:
        """Return every row; an empty list if the file is missing or damaged."""
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

    def change(
        self, change: Callable[[Sequence[Mapping[str, object]]], Sequence[Mapping[str, object]]]
    ) -> None:
        """Replace all rows by the result of ``change``, one process at a time."""
        with suppress(StoreUnavailable), _hold_lock(self._path.with_suffix(LOCK_SUFFIX)):
            self.write(change(self.read()))
            return
        # The folder cannot be written, which the write tells.
        self.write(change(self.read()))


@contextmanager
def _hold_lock(path: Path) -> Generator[None]:
    """Hold a lock during the block; raises StoreUnavailable if its file cannot be created."""
    private_folder(path.parent)
    try:
        descriptor = open_private(path)
    except OSError as error:
        raise unavailable("open the lock", path, error) from error
    try:
        lock(descriptor)
        yield
    finally:
        # Closing gives the lock back.
        os.close(descriptor)


@dataclass(frozen=True, slots=True)
class KeptFiles:
    """Files about models that are shared by all folders; None: kept only in memory."""

    mends: RowsFile | None = None
    """What servers were found to refuse, with the changes that avoid it."""
    connections: RowsFile | None = None
    """The connected addresses."""


def kept_files(
    environment: Mapping[str, str], store: str, warn: Callable[[StoreUnavailable], object]
) -> KeptFiles:
    """Return the shared files in the user's data folder, or no files for a store in memory."""
    if store == "memory":
        return KeptFiles()
    data = data_folder(environment)
    return KeptFiles(RowsFile(data / MENDS_FILE, warn), RowsFile(data / CONNECTIONS_FILE, warn))
