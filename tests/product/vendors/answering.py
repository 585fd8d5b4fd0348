"""A vendor on loopback: it refuses what breaks its rules, and answers as it was told."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from providers.fault_server import FaultServer, Reply, broken, running, stream
from providers.vendors.conformance import Dialect, Vendor, refusal, strict
from recordings import streams

SUMMARY = "## Goal\nDo what was asked.\n\n## Next steps\nGo on with the work."
THOUGHT = "It is in the file."
IDS: Mapping[str, str] = {
    "anthropic": "toolu_{n:022}",
    "bedrock": "tooluse_{n:022}",
    "kimi": "functions.{name}:{n}",
    "mistral": "{n:09}",
    "vllm": "chatcmpl-tool-{n:032x}",
}
"""How a vendor makes an id of a call; the others as OpenAI does."""
THINKING = {"anthropic", "deepseek", "kimi", "openai-responses"}
"""Those that think in each answer, and have rules about it."""


@dataclass(frozen=True)
class Call:
    """A call of a tool."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class Step:
    """One answer."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    holds: bool = False
    """It begins and does not end, until the client goes away."""


@dataclass(frozen=True, kw_only=True)
class Made:
    """An answer as it is to be written: the calls with their ids, and what was thought."""

    text: str
    calls: Sequence[tuple[str, str, str]]
    thought: str


class Answering:
    """Refuses and answers, and keeps what was refused."""

    def __init__(self, vendor: Vendor) -> None:
        self.vendor = vendor
        self.steps: list[Step] = []
        """What is answered next, one a request; ``Done.`` where there is none."""
        self.refused: list[str] = []
        """The names of the rules that were broken, one for each refusal of a scene."""
        self.known: set[str] = set()
        """Those that were broken before, in any scene."""
        self.asked = 0
        self.latest: Mapping[str, Any] = {}
        """The last body that was answered."""
        self.holding = threading.Event()
        """Set when an answer that does not end was asked for."""
        self._calls = 0

    def begin(self) -> None:
        """Forget the last scene."""
        self.known.update(self.refused)
        del self.steps[:], self.refused[:]
        self.holding.clear()

    def needless(self) -> list[str]:
        """Return the refusals of a scene that should not have been.

        Those of rules that a request meets by itself, and all but the first one of the others.
        """
        first = {rule.name for rule in self.vendor.rules if rule.needs_mend} - self.known
        return [
            name
            for place, name in enumerate(self.refused)
            if name not in first or name in self.refused[:place]
        ]

    def decide(self, raw: bytes) -> Reply:
        body = strict(raw)
        self.asked += 1
        for rule in self.vendor.rules:
            if words := rule.check(body):
                self.refused.append(rule.name)
                return refusal(rule, words)
        self.latest = body
        if not body.get("tools") or body.get("tool_choice") in ("none", {"type": "none"}):
            return self._reply(Step(SUMMARY))
        return self._reply(self.steps.pop(0) if self.steps else Step("Done."))

    def _reply(self, step: Step) -> Reply:
        calls = [
            (self._id(each.name), each.name, json.dumps(each.arguments)) for each in step.calls
        ]
        thought = THOUGHT if self.vendor.name in THINKING else ""
        written = WRITTEN[self.vendor.dialect](Made(text=step.text, calls=calls, thought=thought))
        if step.holds:
            self.holding.set()
            return broken(b"".join(written[: -ENDS[self.vendor.dialect]]), "hold")
        return stream(b"".join(written))

    def _id(self, name: str) -> str:
        self._calls += 1
        return IDS.get(self.vendor.name, "call_{n:024}").format(n=self._calls, name=name)


def chat(made: Made) -> list[bytes]:
    events = [streams.chat_chunk({"role": "assistant", "content": ""})]
    if made.thought:
        events += [streams.chat_chunk({"reasoning_content": made.thought})]
    if made.text:
        events += [streams.chat_chunk({"content": made.text})]
    for index, (own, name, arguments) in enumerate(made.calls):
        fields = {"id": own, "type": "function", "name": name, "arguments": arguments}
        events += [streams.chat_call(index, **fields)]
    ended = streams.chat_chunk({}, "tool_calls" if made.calls else "stop")
    events += [ended, streams.chat_usage(100, 10)]
    return [*(streams.chat(each, done=False) for each in events), b"data: [DONE]\n\n"]


def messages(made: Made) -> list[bytes]:
    blocks: list[tuple[dict[str, Any], dict[str, Any]]] = []
    if made.thought:
        opening = {"type": "thinking", "thinking": "", "signature": "RXVvQ2tn"}
        blocks += [(opening, {"type": "thinking_delta", "thinking": made.thought})]
    if made.text:
        opening = {"type": "text", "text": ""}
        blocks += [(opening, {"type": "text_delta", "text": made.text})]
    for own, name, arguments in made.calls:
        opening = {"type": "tool_use", "id": own, "name": name, "input": {}}
        blocks += [(opening, {"type": "input_json_delta", "partial_json": arguments})]
    events = [streams.message_start(100)]
    for index, (opening, delta) in enumerate(blocks):
        events += streams.message_block(index, opening, delta)
    events += streams.message_end("tool_use" if made.calls else "end_turn", 10)
    return [streams.messages(each) for each in events]


def responses(made: Made) -> list[bytes]:
    items: list[dict[str, Any]] = []
    if made.thought:
        items += [streams.SEALED]
    if made.text:
        told = [{"type": "output_text", "text": made.text, "annotations": []}]
        items += [{"type": "message", "id": "msg_1", "role": "assistant", "content": told}]
    for own, name, arguments in made.calls:
        call = {"type": "function_call", "id": f"fc_{own}", "call_id": own, "name": name}
        items += [{**call, "arguments": arguments}]
    events = [{"type": "response.created", "response": {"status": "in_progress"}}]
    for index, item in enumerate(items):
        said = made.text if item["type"] == "message" else ""
        delta = {"type": "response.output_text.delta", "delta": said}
        events += streams.response_item(index, item, *([delta] if said else []))
    events += [streams.response_end("completed", usage=streams.response_usage(100, 0, 10))]
    return [streams.messages(each) for each in events]


WRITTEN: Mapping[Dialect, Callable[[Made], list[bytes]]] = {
    "openai": chat,
    "anthropic": messages,
    "openai-responses": responses,
}


ENDS: Mapping[Dialect, int] = {"openai": 3, "anthropic": 3, "openai-responses": 2}
"""Events that end an answer whose text has come."""


@contextmanager
def answering(vendor: Vendor) -> Iterator[tuple[Answering, FaultServer]]:
    """Serve a vendor for as long as the block runs."""
    own = Answering(vendor)
    with running(decide=own.decide) as server:
        yield own, server
