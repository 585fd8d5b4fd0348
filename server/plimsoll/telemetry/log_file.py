"""The log file, without anybody's text, limited in size and readable by its owner alone.

Several processes share it: each record is one write at its end, and a process that finds it full
moves it aside. Records of other packages may have data such as a request: only their fixed first
line is written, and of an error its type and where it was raised.
"""

import fcntl
import logging
import os
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from traceback import walk_tb
from types import TracebackType

from plimsoll.errors import PlimsollError
from plimsoll.private_files import append_private

LOG_FILE = "plimsoll.log"
MOST_BYTES = 1_000_000
"""The size from which a file is moved aside."""
MOST_FILES = 3
"""The current file and those moved aside."""
LONGEST_RECORD = 4_000
"""Characters."""
FORMAT = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"

_OWN = "plimsoll"


class LogFile(logging.Handler):
    """Writes records to a file in the user's data folder, created with the first record."""

    def __init__(self, folder: Callable[[], Path], redact: Callable[[str], str]) -> None:
        """``folder`` creates and returns the folder; it may raise an error that explains why not.

        ``redact`` removes known secrets from a text.
        """
        super().__init__(logging.INFO)
        self._folder = folder
        self._redact = redact
        self._path: Path | None = None
        self._descriptor: int | None = None
        self.setFormatter(_Reticent(FORMAT))

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a record is written: of other packages only warnings."""
        return _is_own(record) or record.levelno >= logging.WARNING

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record; if the file cannot be written, report that once and stop."""
        line = self._redact(self.format(record))[:LONGEST_RECORD] + "\n"
        try:
            self._write(line.encode("utf-8", "replace"))
        except (OSError, PlimsollError) as error:
            logging.getLogger().removeHandler(self)
            self.close()
            log = logging.getLogger(__name__)
            log.warning("the log file cannot be written: %s", type(error).__name__)

    def close(self) -> None:
        """Close the file."""
        self._let_go()
        super().close()

    def _write(self, line: bytes) -> None:
        if self._path is None:
            self._path = self._folder() / LOG_FILE
        descriptor = self._current(self._path)
        size = os.fstat(descriptor).st_size + len(line)
        if size > MOST_BYTES and self._move_aside(self._path):
            descriptor = self._current(self._path)
        elif size > 2 * MOST_BYTES:
            # Whoever moves it aside is held up: the bound counts for more than a record.
            return
        os.write(descriptor, line)

    def _current(self, path: Path) -> int:
        """Return the descriptor of the file at a path, which another process may have replaced."""
        if self._descriptor is not None and not _is_at(self._descriptor, path):
            self._let_go()
        if self._descriptor is None:
            self._descriptor = append_private(path)
        return self._descriptor

    def _move_aside(self, path: Path) -> bool:
        """Move a full file aside, unless another process is doing it."""
        assert self._descriptor is not None
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        # The lock ends with the descriptor.
        if _is_at(self._descriptor, path):
            older = [path, *(path.with_name(f"{LOG_FILE}.{n}") for n in range(1, MOST_FILES))]
            for newer, old in reversed(list(pairwise(older))):
                with suppress(FileNotFoundError):
                    newer.replace(old)
        self._let_go()
        return True

    def _let_go(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


class _Reticent(logging.Formatter):
    """Formats a log record without messages of errors and values of other packages."""

    def format(self, record: logging.LogRecord) -> str:
        """Format the record, with an error's type and frames but not its message."""
        given = record if _is_own(record) else _fixed_words(record)
        bare = {"exc_info": None, "exc_text": None, "stack_info": None}
        text = super().format(logging.makeLogRecord({**given.__dict__, **bare}))
        if not record.exc_info:
            return text
        kind, _, traceback = record.exc_info
        name = kind.__name__ if kind is not None else "no error"
        return "\n".join([text, f"  {name}", *_frames(traceback)])


def _is_own(record: logging.LogRecord) -> bool:
    return record.name == _OWN or record.name.startswith(f"{_OWN}.")


def _fixed_words(record: logging.LogRecord) -> logging.LogRecord:
    words = str(record.msg).partition("\n")[0]
    return logging.makeLogRecord({**record.__dict__, "msg": words, "args": None})


def _frames(traceback: TracebackType | None) -> list[str]:
    return [
        f"    {Path(frame.f_code.co_filename).name}:{line} in {frame.f_code.co_name}"
        for frame, line in walk_tb(traceback)
    ]


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.lstat())
    except FileNotFoundError:
        return False
