"""The spans of a session: what is opened when, that they add up, and that nobody's text is in."""

import json

from plimsoll.errors import ProviderAuth
from plimsoll.session.background.between_turns import compact_in
from plimsoll.session.ports.asker import Decision
from plimsoll.session.state.cost import cost_rows
from plimsoll.telemetry.base import Span
from plimsoll.telemetry.trace_file import as_json
from plimsoll.telemetry.tracing import Tracing
from session.harness import harness
from session.reduction.compaction_rig import GOOD, rig, storm

CANARY = "canary-words-of-somebody"
USAGE = {"input": 90, "output": 7, "cached": 60}


class Kept:
    def __init__(self):
        self.spans: list[Span] = []

    def keep(self, span: Span) -> None:
        self.spans.append(span)

    def close(self) -> None:
        pass

    def of(self, kind: str) -> list[Span]:
        return [span for span in self.spans if span.kind == kind]


def tracing() -> tuple[Tracing, Kept]:
    tracer, kept = Tracing(lambda text: text), Kept()
    tracer.use((kept,))
    return tracer, kept


def call(name: str, **arguments: str) -> dict[str, object]:
    return {"calls": [{"name": name, "arguments": arguments}], "usage": USAGE}


async def test_a_turn_is_a_tree_of_spans_that_adds_up(tmp_path):
    tracer, kept = tracing()
    steps = [call("file_read", path="load.txt"), {"text": CANARY, "usage": USAGE}]
    async with harness(tmp_path, *steps, tracer=tracer) as own:
        (own.folder / "load.txt").write_text(CANARY)
        ended = await own.turn(f"What is in it? {CANARY}")
        (turn,) = kept.of("turn")
        assert turn.name == "invoke_agent plimsoll"
        assert turn.attributes["gen_ai.operation.name"] == "invoke_agent"
        assert turn.attributes["gen_ai.conversation.id"] == own.session.id
        assert turn.attributes["plimsoll.turn.id"] == ended.turn
        assert turn.attributes["plimsoll.stop_reason"] == "endTurn"
        assert {span.parent_id for span in kept.spans} == {None, turn.span_id}
        assert {span.trace_id for span in kept.spans} == {turn.trace_id}
        kinds = [span.kind for span in kept.spans]
        assert kinds == ["preflight", "request", "tool", "preflight", "request", "turn"]
        (cost,) = cost_rows(own.session.state.log.fold.entries)
        sums = [
            sum(int(str(span.attributes[name])) for span in kept.of("request"))
            for name in (
                "gen_ai.usage.input_tokens",
                "gen_ai.usage.output_tokens",
                "gen_ai.usage.cache_read.input_tokens",
            )
        ]
        assert sums == [cost.input, cost.output, cost.cached] == [180, 14, 120]
        first = kept.of("request")[0].attributes
        assert first["gen_ai.response.finish_reasons"] == ("toolCalls",)
        assert (first["plimsoll.purpose"], first["gen_ai.operation.name"]) == ("turn", "chat")
        (tool,) = kept.of("tool")
        assert (tool.name, tool.error) == ("execute_tool file_read", None)
    assert CANARY not in written(kept)


async def test_failures_are_told_by_kind(tmp_path):
    tracer, kept = tracing()
    steps = [
        call("file_read", path=f"{CANARY}.txt"),
        call(CANARY, path="x"),
        call("shell", command=f"echo {CANARY}"),
        {"text": "Done."},
    ]
    no = (Decision(allowed=False, reason=CANARY),)
    async with harness(tmp_path, *steps, answers=no, tracer=tracer) as own:
        await own.turn("Try.")
    tools = [(span.name, span.error) for span in kept.of("tool")]
    assert tools == [
        ("execute_tool file_read", "tool_failed"),
        ("execute_tool unknown", "tool_failed"),
        ("execute_tool shell", "rejected"),
    ]
    assert CANARY not in written(kept)


async def test_a_request_that_fails_is_an_error_of_the_request_and_of_the_turn(tmp_path):
    tracer, kept = tracing()

    class Refusing:
        async def stream(self, request):
            raise ProviderAuth(f"the key {CANARY} is wrong")
            yield

        async def close(self):
            pass

    async with harness(tmp_path, provider=Refusing(), tracer=tracer) as own:
        await own.turn("Go.")
    assert [(span.kind, span.error) for span in kept.spans if span.error] == [
        ("request", "providerAuth"),
        ("turn", "providerAuth"),
    ]
    assert CANARY not in written(kept)


async def test_a_reduction_is_a_span_with_what_it_freed(tmp_path):
    tracer, kept = tracing()
    steps = [call("file_read", path="big.txt"), {"text": "Done."}]
    async with harness(tmp_path, *steps, window=16_000, tracer=tracer) as own:
        (own.folder / "big.txt").write_text("\n".join(f"line {n} {CANARY}" for n in range(3_000)))
        await own.turn("Read it.")
        edits = list(own.session.state.log.fold.edits.values())
    stages = kept.of("stage")
    assert [(s.attributes["plimsoll.edit.id"], s.attributes["plimsoll.stage"]) for s in stages] == [
        (edit.id, edit.stage.value) for edit in edits
    ]
    assert all(
        s.attributes["plimsoll.tokens.before"] > s.attributes["plimsoll.tokens.after"]
        for s in stages
    )
    assert stages
    assert CANARY not in written(kept)


async def test_a_summary_is_a_compaction_with_its_requests(tmp_path):
    tracer, kept = tracing()
    own = await rig(tmp_path, {"text": CANARY}, {"text": GOOD}, tracer=tracer)
    await own.said(*storm())
    await compact_in(own.session)
    (compaction,) = kept.of("compaction")
    below = [span for span in kept.of("request") if span.parent_id == compaction.span_id]
    assert [span.attributes["plimsoll.purpose"] for span in below] == ["compaction"] * 2
    assert (compaction.error, kept.of("stage")[0].name) == (None, "stage compact")
    assert CANARY not in written(kept)


async def test_a_summary_that_is_of_no_use_is_an_error_of_the_compaction(tmp_path):
    tracer, kept = tracing()
    own = await rig(tmp_path, {"text": CANARY}, {"text": CANARY}, tracer=tracer)
    await own.said(*storm())
    await compact_in(own.session)
    assert kept.of("compaction")[0].error == "unusable"
    assert kept.of("stage")[0].name == "stage digest"
    assert CANARY not in written(kept)


def written(kept: Kept) -> str:
    return json.dumps([as_json(span) for span in kept.spans])
