"""The telemetry of a process: its tracer, with the sinks that the settings ask for."""

import asyncio
import logging
from collections.abc import Callable, Sequence

from plimsoll.telemetry.activity import ActivityCounts
from plimsoll.telemetry.base import CONVERSATION, PURPOSE, STOP_REASON, Span, SpanSink
from plimsoll.telemetry.otlp import OtlpExport, is_installed
from plimsoll.telemetry.tracing import Tracing

log = logging.getLogger(__name__)


class ProcessTelemetry:
    """Counts and logs spans, and sends them to the endpoint that the person set."""

    def __init__(
        self, redact: Callable[[str], str], sinks: Sequence[SpanSink], endpoint: str | None
    ) -> None:
        """``sinks`` receive spans until the process ends; ``endpoint`` is from the settings."""
        self.tracer = Tracing(redact)
        self.counts = ActivityCounts()
        self._lasting = (self.counts, SpanLog(), *sinks)
        self._endpoint = endpoint
        self._export: OtlpExport | None = None
        self.tracer.use(self._sinks())

    @property
    def missing(self) -> bool:
        """Whether an endpoint is set but the extra that sends spans is not installed."""
        return self._endpoint is not None and self._export is None

    @property
    def lost(self) -> int:
        """How many spans were not accepted by the endpoint."""
        return self._export.lost if self._export is not None else 0

    async def configure(self, endpoint: str | None) -> None:
        """Send spans to another endpoint from now on, or to none."""
        if endpoint != self._endpoint:
            self._endpoint = endpoint
            # What still waits for the old one may take half a second.
            await asyncio.to_thread(self.tracer.use, self._sinks())

    async def close(self) -> None:
        """Send the spans that are still queued, for half a second at most."""
        await asyncio.to_thread(self.tracer.use, ())

    def _sinks(self) -> Sequence[SpanSink]:
        wanted = self._endpoint is not None and is_installed()
        self._export = OtlpExport(self._endpoint) if wanted and self._endpoint else None
        return self._lasting if self._export is None else (*self._lasting, self._export)


class SpanLog:
    """Logs each turn, and each failed request and summary."""

    def keep(self, span: Span) -> None:
        """Log a span, if it is a turn, or a request or summary that failed."""
        seconds = (span.end - span.start) / 1e9
        if span.kind == "turn":
            session, ended = span.attributes[CONVERSATION], span.attributes.get(STOP_REASON)
            told = f"{ended}, {span.error}" if span.error else ended
            log.info("a turn of %s ended after %.1f s: %s", session, seconds, told)
        elif span.error is not None and span.kind in {"request", "compaction"}:
            what = f"{span.kind} {span.attributes.get(PURPOSE, '')}".rstrip()
            log.info("a %s failed after %.1f s: %s", what, seconds, span.error)

    def close(self) -> None:
        """Do nothing: the log goes on."""
