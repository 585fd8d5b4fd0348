"""The file of `--trace`: one JSON line for each span, readable by its owner alone."""

import errno
import json
import logging
import os
import stat
from datetime import UTC, datetime
from pathlib import Path

from plimsoll.errors import InvalidInput
from plimsoll.telemetry.base import Span, SpanSink

log = logging.getLogger(__name__)

_MODE = 0o600
# What is not a plain file may block, and is refused once it is open.
_FLAGS = os.O_CREAT | os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW


def trace_sinks(named: str | None) -> tuple[SpanSink, ...]:
    """Return the sink for the file of ``--trace``, if one was named.

    Raises:
        InvalidInput: It cannot be written, or is not a plain file.
    """
    if not named:
        return ()
    try:
        path = Path(named).expanduser()
    except RuntimeError as error:
        raise _refused_error(Path(named), "there is no such user") from error
    return (TraceFile(path),)


class TraceFile:
    """Appends spans to a file; a failure to write is reported once and ignored."""

    def __init__(self, path: Path) -> None:
        """Open or create the file.

        Raises:
            InvalidInput: It cannot be written, or is not a plain file.
        """
        self._path = path
        self._descriptor: int | None = _open_file(path)

    def keep(self, span: Span) -> None:
        """Write a span in one piece, so that several processes can share a file."""
        if self._descriptor is None:
            return
        line = json.dumps(as_json(span), ensure_ascii=False, separators=(",", ":")) + "\n"
        try:
            os.write(self._descriptor, line.encode("utf-8", "replace"))
        except OSError as error:
            log.warning("the trace ends here: %s cannot be written: %s", self._path, error.strerror)
            self.close()

    def close(self) -> None:
        """Close the file."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def as_json(span: Span) -> dict[str, object]:
    """Return a span as JSON fields; times are RFC 3339 in UTC."""
    fields: dict[str, object] = {
        "traceId": span.trace_id,
        "spanId": span.span_id,
        "parentSpanId": span.parent_id,
        "kind": span.kind,
        "name": span.name,
        "start": _rfc3339(span.start),
        "end": _rfc3339(span.end),
        "durationMs": round((span.end - span.start) / 1e6, 3),
        "error": span.error,
        "attributes": dict(span.attributes),
    }
    return {name: value for name, value in fields.items() if value is not None}


def _rfc3339(nanoseconds: int) -> str:
    moment = datetime.fromtimestamp(nanoseconds / 1e9, UTC)
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def _open_file(path: Path) -> int:
    try:
        descriptor = os.open(path, _FLAGS, _MODE)
    except (OSError, ValueError) as error:
        # Whoever made a folder may have put a link there that leads to a file of the person's.
        link = isinstance(error, OSError) and error.errno == errno.ELOOP
        why = "it is a link" if link else getattr(error, "strerror", None) or str(error)
        raise _refused_error(path, why) from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _refused_error(path, "it is not a plain file")
        os.fchmod(descriptor, _MODE)
    except (OSError, InvalidInput) as error:
        os.close(descriptor)
        raise (
            error if isinstance(error, InvalidInput) else _refused_error(path, str(error))
        ) from error
    return descriptor


def _refused_error(path: Path, reason: str) -> InvalidInput:
    return InvalidInput(
        f"The trace cannot be written to {str(path)[:200]!a}: {reason}.",
        remedy="Name a file in a folder that you may write.",
    )
