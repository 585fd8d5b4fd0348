"""The telemetry of a process: its tracer, and who takes the spans as the settings have it."""

import asyncio
from collections.abc import Callable, Sequence

from plimsoll.telemetry.activity import ActivityCounts
from plimsoll.telemetry.base import SpanSink
from plimsoll.telemetry.otlp import OtlpExport, is_installed
from plimsoll.telemetry.span_log import SpanLog
from plimsoll.telemetry.tracing import Tracing


class ProcessTelemetry:
    """Counts and logs what is done, and tells it whom the person has named."""

    def __init__(
        self, redact: Callable[[str], str], sinks: Sequence[SpanSink], endpoint: str | None
    ) -> None:
        """``sinks`` take spans until the process ends; ``endpoint`` is that of the settings."""
        self.tracer = Tracing(redact)
        self.counts = ActivityCounts()
        self._lasting = (self.counts, SpanLog(), *sinks)
        self._endpoint = endpoint
        self._export: OtlpExport | None = None
        self.tracer.use(self._sinks())

    @property
    def missing(self) -> bool:
        """Whether there is an endpoint, and not what sends spans there."""
        return self._endpoint is not None and self._export is None

    @property
    def lost(self) -> int:
        """How many spans the endpoint has not taken."""
        return self._export.lost if self._export is not None else 0

    async def configure(self, endpoint: str | None) -> None:
        """Send spans to another endpoint from now on, or to none."""
        if endpoint != self._endpoint:
            self._endpoint = endpoint
            # What still waits for the old one may take half a second.
            await asyncio.to_thread(self.tracer.use, self._sinks())

    async def close(self) -> None:
        """Pass on what is left, for half a second at most."""
        await asyncio.to_thread(self.tracer.use, ())

    def _sinks(self) -> Sequence[SpanSink]:
        wanted = self._endpoint is not None and is_installed()
        self._export = OtlpExport(self._endpoint) if wanted and self._endpoint else None
        return self._lasting if self._export is None else (*self._lasting, self._export)
