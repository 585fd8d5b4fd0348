"""Sends spans to an endpoint of OpenTelemetry's protocol (OTLP over HTTP), on its own thread.

The library is an extra of the package, loaded there with the first span. Whatever the endpoint
does, no turn waits for it: spans that cannot be sent are dropped and counted.
"""

import importlib
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

from plimsoll import __version__
from plimsoll.telemetry.base import Span

log = logging.getLogger(__name__)

PATH = "/v1/traces"
MOST_WAITING = 2_048
"""Spans; the SDK's own bound."""
MOST_AT_ONCE = 256
GATHER_SECONDS = 1.0
"""Seconds for which spans are collected for one request."""
SEND_SECONDS = 5.0
"""Seconds for one batch with all its retries."""
CLOSE_SECONDS = 0.5

_SDK = "opentelemetry.sdk.trace"
_EXPORTER = "opentelemetry.exporter.otlp.proto.http.trace_exporter"


def is_installed() -> bool:
    """Tell whether the extra ``telemetry`` is installed, without loading it."""
    try:
        return find_spec(_EXPORTER) is not None and find_spec(_SDK) is not None
    except ModuleNotFoundError:
        return False


def traces_address(endpoint: str) -> str:
    """Return the address for spans: the endpoint, with the protocol's path added if missing."""
    bare = endpoint.rstrip("/")
    return bare if bare.endswith(PATH) else bare + PATH


class OtlpExport:
    """Sends spans to an endpoint."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self.lost = 0
        """Spans that were dropped."""
        self._waiting: queue.Queue[Span | None] = queue.Queue(MOST_WAITING)
        self._thread: threading.Thread | None = None
        self._closing = False

    def keep(self, span: Span) -> None:
        """Queue a span for the thread; dropped if the queue is full."""
        if self._thread is None:
            # It ends with the process, also while an endpoint lets it wait.
            self._thread = threading.Thread(target=self._run, name="plimsoll-otlp", daemon=True)
            self._thread.start()
        try:
            self._waiting.put_nowait(span)
        except queue.Full:
            self.lost += 1

    def close(self) -> None:
        """Send the queued spans, for half a second at most."""
        self._closing = True
        if self._thread is None:
            return
        try:
            self._waiting.put_nowait(None)
        except queue.Full:
            log.debug("the thread sends what waits and then looks whether it is to end")
        self._thread.join(CLOSE_SECONDS)

    def _run(self) -> None:
        sender = _Sender(self.endpoint)
        failing = False
        while batch := self._gather():
            arrived = sender.send(batch)
            if not arrived:
                self.lost += len(batch)
            if failing is arrived:
                failing = not arrived
                told = "takes spans again" if arrived else "does not take spans; they are left out"
                log.warning("the endpoint of telemetry.otlp_endpoint %s", told)
        sender.close()

    def _gather(self) -> list[Span]:
        """Wait for spans and return a batch; empty when it is time to end."""
        first = None if self._closing and self._waiting.empty() else self._waiting.get()
        if first is None:
            return []
        batch, until = [first], time.monotonic() + GATHER_SECONDS
        while len(batch) < MOST_AT_ONCE:
            try:
                left = 0 if self._closing else max(0, until - time.monotonic())
                span = self._waiting.get(timeout=left) if left else self._waiting.get_nowait()
            except queue.Empty:
                break
            if span is None:
                self._closing = True
                break
            batch.append(span)
        return batch


def _headers_alone(send: Callable[..., Any], refused: type[Exception]) -> Callable[..., Any]:
    """Wrap the sending of a request: bodies are not read and redirects not followed.

    A body has nothing that is needed, and one without end would fill the memory.
    """

    def send_headers(request: object, **options: object) -> Any:
        response = send(request, **options)
        elsewhere = 300 <= response.status_code < 400
        if elsewhere or response.headers.get("Content-Length") != "0":
            response.close()
        if elsewhere:
            raise refused("the endpoint leads elsewhere")
        return response

    return send_headers


class _Sender:
    """Converts spans to the SDK's and sends them; for one thread alone."""

    def __init__(self, endpoint: str) -> None:
        # Modules of an extra: a type checker may not find them.
        self._sdk: Any = importlib.import_module(_SDK)
        self._api: Any = importlib.import_module("opentelemetry.trace")
        exporter: Any = importlib.import_module(_EXPORTER)
        requests: Any = importlib.import_module("requests")
        resources: Any = importlib.import_module("opentelemetry.sdk.resources")
        scopes: Any = importlib.import_module("opentelemetry.sdk.util.instrumentation")
        # It repeats what an endpoint answers, at each try; we say once that it fails.
        logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)
        session = requests.Session()
        # No proxy and no .netrc: neither is an address that the person has set.
        session.trust_env = False
        for adapter in session.adapters.values():
            adapter.send = _headers_alone(adapter.send, requests.TooManyRedirects)
        self._exporter = exporter.OTLPSpanExporter(
            endpoint=traces_address(endpoint), timeout=SEND_SECONDS, session=session
        )
        self._resource = resources.Resource(
            {"service.name": "plimsoll", "service.version": __version__}
        )
        self._scope = scopes.InstrumentationScope("plimsoll", __version__)
        self._taken: Any = importlib.import_module(f"{_SDK}.export").SpanExportResult.SUCCESS

    def send(self, spans: Sequence[Span]) -> bool:
        """Send some spans; return whether they were accepted."""
        return self._exporter.export([self._readable(span) for span in spans]) == self._taken

    def close(self) -> None:
        """Close the connection."""
        self._exporter.shutdown()

    def _readable(self, span: Span) -> Any:
        status = self._api.Status(
            self._api.StatusCode.ERROR if span.error else self._api.StatusCode.UNSET
        )
        kind = self._api.SpanKind.CLIENT if span.kind == "request" else self._api.SpanKind.INTERNAL
        return self._sdk.ReadableSpan(
            name=span.name,
            context=self._context(span.trace_id, span.span_id),
            parent=self._context(span.trace_id, span.parent_id) if span.parent_id else None,
            resource=self._resource,
            attributes=dict(span.attributes),
            kind=kind,
            instrumentation_scope=self._scope,
            status=status,
            start_time=span.start,
            end_time=span.end,
        )

    def _context(self, trace_id: str, span_id: str) -> Any:
        sampled = self._api.TraceFlags(self._api.TraceFlags.SAMPLED)
        return self._api.SpanContext(
            int(trace_id, 16), int(span_id, 16), is_remote=False, trace_flags=sampled
        )
