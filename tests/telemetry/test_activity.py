"""The counts of a process: each is the sum of what spans tell."""

from plimsoll.telemetry.activity import ActivityCounts, RequestCount, TimesAndTokens
from plimsoll.telemetry.base import Attribute, Span, SpanKind


def span(kind: SpanKind, attributes: dict[str, Attribute]) -> Span:
    return Span(
        kind=kind,
        name=kind,
        trace_id="a" * 32,
        span_id="b" * 16,
        parent_id=None,
        start=0,
        end=1,
        attributes=attributes,
    )


def request(purpose: str, **more: Attribute) -> Span:
    named = {name.replace("__", "."): value for name, value in more.items()}
    model = {"gen_ai.provider.name": "openai", "gen_ai.request.model": "some-model"}
    return span("request", {**model, "plimsoll.purpose": purpose, **named})


def test_requests_are_summed_by_model_and_purpose():
    counts = ActivityCounts()
    usage = {"gen_ai__usage__input_tokens": 90, "gen_ai__usage__output_tokens": 7}
    counts.keep(request("turn", **usage, **{"gen_ai__usage__cache_read.input_tokens": 60}))
    counts.keep(request("turn", error__type="providerAuth"))
    counts.keep(request("compaction", **usage))
    turns = RequestCount(
        model="openai/some-model",
        purpose="turn",
        requests=2,
        failed=1,
        input=90,
        cached=60,
        output=7,
    )
    summary = RequestCount(
        model="openai/some-model", purpose="compaction", requests=1, input=90, output=7
    )
    assert counts.now().requests == (turns, summary)


def test_reductions_misses_waits_and_turns_are_counted():
    counts = ActivityCounts()
    for before, after in ((100, 40), (70, 60)):
        edit: dict[str, Attribute] = {
            "plimsoll.stage": "prune",
            "plimsoll.tokens.before": before,
            "plimsoll.tokens.after": after,
        }
        counts.keep(span("stage", edit))
    missed = {"plimsoll__cache__miss_cause": "expired", "plimsoll__cache__missed_tokens": 500}
    counts.keep(request("turn", plimsoll__waits=("connecting", "retrying"), **missed))
    counts.keep(request("turn", plimsoll__waits=("retrying",)))
    counts.keep(span("turn", {}))
    counts.keep(span("tool", {}))
    counts.keep(span("preflight", {}))
    now = counts.now()
    assert now.reductions == {"prune": TimesAndTokens(2, 70)}
    assert now.cache_misses == {"expired": TimesAndTokens(1, 500)}
    assert now.waits == {"connecting": 1, "retrying": 2}
    assert now.turns == 1
