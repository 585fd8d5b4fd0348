"""The tracer: what stands below what, how errors are named, and what leaves of a text."""

import asyncio

import pytest

from plimsoll.errors import ProviderAuth
from plimsoll.telemetry.base import ERROR, NoTracer, Span
from plimsoll.telemetry.tracing import Tracing


class Kept:
    def __init__(self):
        self.spans: list[Span] = []
        self.closed = 0

    def keep(self, span: Span) -> None:
        self.spans.append(span)

    def close(self) -> None:
        self.closed += 1


def traced() -> tuple[Tracing, Kept]:
    tracing, kept = Tracing(lambda text: text.replace("hunter2", "•")), Kept()
    tracing.use((kept,))
    return tracing, kept


async def test_spans_stand_below_those_around_them_also_in_tasks_begun_there():
    tracing, kept = traced()

    async def work(name: str) -> None:
        with tracing.span("tool", name, {}):
            await asyncio.sleep(0)

    with tracing.span("turn", "turn", {"a": 1}) as span:
        await asyncio.gather(work("one"), work("two"))
        span["b"] = True
    with tracing.span("turn", "next", {}):
        pass
    one, two, turn, following = kept.spans
    assert (one.parent_id, two.parent_id, turn.parent_id) == (turn.span_id, turn.span_id, None)
    assert {one.trace_id, two.trace_id} == {turn.trace_id}
    assert following.trace_id != turn.trace_id
    assert len({span.span_id for span in kept.spans}) == 4
    assert turn.attributes == {"a": 1, "b": True}
    assert turn.start <= one.start <= one.end <= turn.end


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ProviderAuth("the key sk-123 is wrong"), "providerAuth"),
        (asyncio.CancelledError("words"), "cancelled"),
        (ValueError("what somebody said"), "ValueError"),
    ],
)
def test_an_error_is_told_by_its_kind_and_never_by_its_words(error, kind):
    tracing, kept = traced()
    with pytest.raises(type(error)), tracing.span("request", "chat", {}):
        raise error
    assert kept.spans[0].error == kind
    assert dict(kept.spans[0].attributes) == {ERROR: kind}


def test_a_known_secret_leaves_names_and_attributes():
    tracing, kept = traced()
    with tracing.span("request", "chat hunter2", {"a": "x hunter2", "b": ("hunter2",), "c": 2}):
        pass
    assert kept.spans[0].name == "chat •"
    assert kept.spans[0].attributes == {"a": "x •", "b": ("•",), "c": 2}


def test_a_sink_that_is_no_longer_used_is_closed_once():
    tracing, kept = traced()
    other = Kept()
    tracing.use((kept, other))
    tracing.use((other,))
    with tracing.span("turn", "turn", {}):
        pass
    assert (kept.closed, other.closed) == (1, 0)
    assert (len(kept.spans), len(other.spans)) == (0, 1)


def test_without_a_tracer_nothing_is_kept_and_errors_pass():
    with NoTracer().span("turn", "turn", {}) as span:
        span["a"] = 1
    with NoTracer().span("turn", "turn", {}) as span:
        assert span == {}
    with pytest.raises(ValueError, match="x"), NoTracer().span("turn", "turn", {}):
        raise ValueError("x")
