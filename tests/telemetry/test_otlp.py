"""Spans for an endpoint: what arrives there, and that nothing waits for one that is gone."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from plimsoll.telemetry import otlp
from plimsoll.telemetry.base import Span
from plimsoll.telemetry.otlp import OtlpExport, is_installed, traces_address
from providers.fault_server import FaultServer, Reply, head, running

SPAN = Span(
    kind="request",
    name="chat some-model",
    trace_id="a" * 32,
    span_id="b" * 16,
    parent_id="c" * 16,
    start=1_000_000_000,
    end=2_000_000_000,
    attributes={"gen_ai.usage.input_tokens": 7, "error.type": "providerAuth"},
)
TAKEN = Reply([head(200, Content_Length="0")])


@pytest.fixture
def collector() -> Iterator[FaultServer]:
    with running(TAKEN) as server:
        yield server


def endpoint_of(server: FaultServer) -> str:
    return f"http://127.0.0.1:{server.port}"


def received(server: FaultServer) -> list:
    found = []
    for body in server.bodies:
        request = ExportTraceServiceRequest()
        request.ParseFromString(body)
        for resource in request.resource_spans:
            assert resource.resource.attributes[0].value.string_value == "plimsoll"
            for scope in resource.scope_spans:
                found.extend(scope.spans)
    return found


@pytest.mark.slow
def test_a_span_arrives_as_it_was(collector: FaultServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setattr(otlp, "CLOSE_SECONDS", 60)
    export = OtlpExport(endpoint_of(collector))
    export.keep(SPAN)
    export.keep(replace(SPAN, kind="tool", span_id="d" * 16, parent_id=None, attributes={}))
    export.close()
    first, second = received(collector)
    assert collector.heads[0].startswith("POST /v1/traces ")
    assert (first.name, first.kind, first.status.code) == ("chat some-model", 3, 2)
    assert (first.trace_id.hex(), first.span_id.hex()) == (SPAN.trace_id, SPAN.span_id)
    assert first.parent_span_id.hex() == SPAN.parent_id
    assert (first.start_time_unix_nano, first.end_time_unix_nano) == (SPAN.start, SPAN.end)
    assert {a.key for a in first.attributes} == {"gen_ai.usage.input_tokens", "error.type"}
    assert (second.kind, second.status.code, second.parent_span_id) == (1, 0, b"")
    assert export.lost == 0


@pytest.mark.slow
@pytest.mark.parametrize("answer", ["refused", "error", "redirect"])
def test_what_an_endpoint_does_not_take_is_counted(answer: str, monkeypatch, caplog):
    monkeypatch.setattr(otlp, "CLOSE_SECONDS", 60)
    monkeypatch.setattr(otlp, "SEND_SECONDS", 0.5)
    with running(TAKEN) as other, running(TAKEN) as server:
        elsewhere = f"http://127.0.0.1:{other.port}/v1/traces"
        replies = {
            "error": Reply([head(400, Content_Length="0")]),
            "redirect": Reply([head(307, Content_Length="0", Location=elsewhere)]),
        }
        server.replies = [replies.get(answer, TAKEN)]
        export = OtlpExport("http://127.0.0.1:1" if answer == "refused" else endpoint_of(server))
        export.keep(SPAN)
        export.close()
        assert other.bodies == []
    assert export.lost == 1
    said = [r.getMessage() for r in caplog.records if r.name == otlp.__name__]
    assert said == [
        "the endpoint of telemetry.otlp_endpoint does not take spans; they are left out"
    ]


def test_nobody_waits_where_nothing_is_sent(monkeypatch: pytest.MonkeyPatch):
    held, entered = threading.Event(), threading.Event()

    class Holding:
        def __init__(self, endpoint):
            pass

        def send(self, spans):
            entered.set()
            return not held.wait(60)

        def close(self):
            pass

    monkeypatch.setattr(otlp, "_Sender", Holding)
    monkeypatch.setattr(otlp, "GATHER_SECONDS", 0)
    monkeypatch.setattr(otlp, "CLOSE_SECONDS", 0.01)
    export = OtlpExport("http://127.0.0.1:1")
    export.keep(SPAN)
    assert entered.wait(60)
    for _ in range(otlp.MOST_WAITING + 10):
        export.keep(SPAN)
    assert export.lost == 10
    export.close()
    held.set()
    assert export._thread is not None
    export._thread.join(60)


def test_without_a_span_there_is_no_thread_and_nothing_to_close():
    export = OtlpExport("http://127.0.0.1:1")
    export.close()
    assert export._thread is None


@pytest.mark.parametrize("given", ["http://c:4318", "http://c:4318/", "http://c:4318/v1/traces"])
def test_the_path_of_the_protocol_is_there_once(given: str):
    assert urlsplit(traces_address(given)).path == "/v1/traces"


def test_the_extra_is_found_or_missed_without_loading_it(monkeypatch: pytest.MonkeyPatch):
    assert is_installed()
    monkeypatch.setattr(otlp, "_EXPORTER", "opentelemetry.nowhere.at_all")
    assert not is_installed()
