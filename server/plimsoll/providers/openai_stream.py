"""The events of a chat-completions stream as chunks; pure.

The rule of this file: a tool call is given out only when the stream has reached its proper end,
which is a finish reason and then ``[DONE]``, a body that HTTP proves whole, or at least the usage.
"""

import json
from collections.abc import Iterator, Mapping
from typing import cast

from plimsoll.errors import ProviderAnswer
from plimsoll.providers.base import (
    Chunk,
    Finished,
    ReasoningDelta,
    Request,
    StopReason,
    TextDelta,
    Usage,
)
from plimsoll.providers.call_ids import fresh_call_id, used_call_ids
from plimsoll.providers.calls import CallAssembly, Fragment
from plimsoll.providers.faults import Complaint, Site, complaint_of, quoted, translated
from plimsoll.providers.sse import ServerEvent
from plimsoll.providers.surrogates import Joiner
from plimsoll.providers.unreachable import cut

Json = Mapping[str, object]
EMPTY: Json = {}
STOP_REASONS: Mapping[str, StopReason] = {
    "stop": "endTurn",
    "eos": "endTurn",
    "tool_calls": "toolCalls",
    "function_call": "toolCalls",
    "length": "maxTokens",
    "max_tokens": "maxTokens",
    "content_filter": "refusal",
}


class ChatStream:
    """One answer as it arrives."""

    def __init__(self, request: Request, site: Site) -> None:
        self.done = False
        """Whether ``[DONE]`` has come; nothing behind it counts."""
        self._site = site
        self._calls = CallAssembly(
            lambda number, taken: fresh_call_id(request, number, taken), used_call_ids(request)
        )
        self._reason: str | None = None
        self._refused = False
        self._usage: Usage | None = None
        self._reasoning = Joiner()
        self._text = Joiner()

    def take(self, event: ServerEvent) -> Iterator[Chunk]:
        """The chunks that an event brings.

        Raises:
            ProviderError: The event reports an error, or is no chunk of a completion.
        """
        if event.data.strip() == "[DONE]":
            self.done = True
        if self.done or not event.data.strip():
            return
        chunk = self._decoded(event.data)
        if event.name == "error" or chunk.get("error"):
            raise translated(complaint_of(dict(chunk)), self._site)
        self._note_usage(chunk)
        for choice in _objects(chunk.get("choices")):
            if choice.get("index") in {0, None}:
                yield from self._choice(choice)

    def end(self, framed: bool) -> Iterator[Chunk]:
        """The whole calls, the usage and the reason, once the body is over.

        Raises:
            ProviderAnswer: The stream did not reach its proper end.
        """
        whole = self.done or framed or self._usage is not None
        if self._reason is None or not whole:
            raise cut(self._site)
        reason = self._stop_reason(self._reason)
        if rest := self._text.end():
            yield TextDelta(rest)
        if reason != "refusal":
            yield from self._calls.finished()
        if self._usage is not None:
            yield self._usage
        yield Finished(reason)

    def _decoded(self, data: str) -> Json:
        try:
            chunk: object = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise self._broken("an event that is no JSON", data) from error
        if not isinstance(chunk, dict):
            raise self._broken("an event that is no object", data)
        return cast("Json", chunk)

    def _broken(self, what: str, data: str) -> ProviderAnswer:
        return ProviderAnswer(
            f"{self._site.shown} sent {what}: {quoted(data, self._site)}",
            remedy="Send the message again; if it stays, check that model.base_url is a chat API.",
        )

    def _choice(self, choice: Json) -> Iterator[Chunk]:
        delta = _object(choice.get("delta")) or _object(choice.get("message"))
        thought = _text(delta.get("reasoning_content")) or _text(delta.get("reasoning"))
        if reasoning := self._reasoning.join(thought):
            yield ReasoningDelta(reasoning)
        refusal = _text(delta.get("refusal"))
        self._refused = self._refused or bool(refusal)
        if text := self._text.join(_text(delta.get("content")) + refusal):
            yield TextDelta(text)
        for call in _objects(delta.get("tool_calls")):
            yield from self._calls.add(_fragment(call))
        if choice.get("finish_reason") == "error":
            said = "The provider ended the answer with an error."
            raise translated(Complaint(said, 500), self._site)
        if reason := choice.get("finish_reason"):
            self._reason = str(reason)

    def _stop_reason(self, said: str) -> StopReason:
        reason = "refusal" if self._refused else STOP_REASONS.get(said, "endTurn")
        # Hosts say "stop" after calls and "tool_calls" without any; what came counts.
        if reason in {"endTurn", "toolCalls"}:
            return "toolCalls" if len(self._calls) else "endTurn"
        return reason

    def _note_usage(self, chunk: Json) -> None:
        usage = _object(chunk.get("usage")) or _object(_object(chunk.get("x_groq")).get("usage"))
        if not usage:
            return
        details = _object(usage.get("prompt_tokens_details"))
        cached = (
            details.get("cached_tokens"),
            usage.get("prompt_cache_hit_tokens"),
            usage.get("cached_tokens"),
        )
        self._usage = Usage(
            input=_count(usage.get("prompt_tokens")),
            output=_count(usage.get("completion_tokens")),
            cached=max(map(_count, cached)),
            written=_count(details.get("cache_write_tokens")),
        )


def _fragment(call: Json) -> Fragment:
    function = _object(call.get("function"))
    index = call.get("index")
    return Fragment(
        index=index if isinstance(index, int) else None,
        id=_text(call.get("id")),
        name=_text(function.get("name")),
        arguments=function.get("arguments"),
    )


def _object(value: object) -> Json:
    return cast("Json", value) if isinstance(value, dict) else EMPTY


def _objects(value: object) -> list[Json]:
    items = cast("list[object]", value) if isinstance(value, list) else []
    return [cast("Json", item) for item in items if isinstance(item, dict)]


def _text(value: object) -> str:
    """A text, or the texts of a list of parts."""
    if isinstance(value, str):
        return value
    return "".join(part for item in _objects(value) if isinstance(part := item.get("text"), str))


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
