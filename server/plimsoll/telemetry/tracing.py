"""The tracer: opens spans, and passes each to the sinks when it ends."""

import secrets
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from plimsoll.telemetry.base import (
    ERROR,
    Attribute,
    Attributes,
    Span,
    SpanKind,
    SpanSink,
    error_kind,
)


@dataclass(frozen=True, slots=True)
class _Open:
    trace_id: str
    span_id: str


class Tracing:
    """Traces all tasks of this process."""

    def __init__(self, redact: Callable[[str], str]) -> None:
        """``redact`` removes known secrets, which a model's name from the settings may hold."""
        self._redact = redact
        self._sinks: tuple[SpanSink, ...] = ()
        # A task that a span's work begins runs below that span, as tasks copy their context.
        self._around: ContextVar[_Open | None] = ContextVar("span", default=None)

    def use(self, sinks: Sequence[SpanSink]) -> None:
        """Pass spans to these sinks from now on, closing the others."""
        left = [sink for sink in self._sinks if sink not in sinks]
        self._sinks = tuple(sinks)
        for sink in left:
            sink.close()

    @contextmanager
    def span(
        self, kind: SpanKind, name: str, attributes: Mapping[str, Attribute]
    ) -> Generator[Attributes]:
        """Open a span below the current one."""
        around, found = self._around.get(), dict(attributes)
        trace_id = around.trace_id if around else secrets.token_hex(16)
        opened = _Open(trace_id, secrets.token_hex(8))
        token = self._around.set(opened)
        # The clock on the wall can jump; how long it took is measured on the other.
        start, begun = time.time_ns(), time.perf_counter_ns()
        try:
            yield found
        except BaseException as error:
            found[ERROR] = error_kind(error)
            raise
        finally:
            self._around.reset(token)
            span = Span(
                kind=kind,
                name=self._redact(name),
                trace_id=trace_id,
                span_id=opened.span_id,
                parent_id=around.span_id if around else None,
                start=start,
                end=start + time.perf_counter_ns() - begun,
                attributes={key: self._clean(value) for key, value in found.items()},
            )
            for sink in self._sinks:
                sink.keep(span)

    def _clean(self, value: Attribute) -> Attribute:
        if isinstance(value, str):
            return self._redact(value)
        return tuple(map(self._redact, value)) if isinstance(value, tuple) else value
