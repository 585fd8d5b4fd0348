"""The events of a chat-completions stream as chunks; pure.

The rule of this file: a tool call is given out only when the stream has reached its proper end,
which is a finish reason and then ``[DONE]``, a body that HTTP proves whole, or at least the usage.
"""

from collections.abc import Iterator, Mapping

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
from plimsoll.providers.faults import Complaint, Site, complaint_of, translated
from plimsoll.providers.payload import Json, count_at, decoded, object_at, objects_at, text_at
from plimsoll.providers.sse import ServerEvent
from plimsoll.providers.surrogates import Joiner
from plimsoll.providers.unreachable import cut

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
        chunk = decoded(event.data, self._site)
        if event.name == "error" or chunk.get("error"):
            raise translated(complaint_of(dict(chunk)), self._site)
        self._note_usage(chunk)
        for choice in objects_at(chunk.get("choices")):
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

    def _choice(self, choice: Json) -> Iterator[Chunk]:
        delta = object_at(choice.get("delta")) or object_at(choice.get("message"))
        thought = text_at(delta.get("reasoning_content")) or text_at(delta.get("reasoning"))
        if reasoning := self._reasoning.join(thought):
            yield ReasoningDelta(reasoning)
        refusal = text_at(delta.get("refusal"))
        self._refused = self._refused or bool(refusal)
        if text := self._text.join(text_at(delta.get("content")) + refusal):
            yield TextDelta(text)
        for call in objects_at(delta.get("tool_calls")):
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
        groq = object_at(chunk.get("x_groq"))
        usage = object_at(chunk.get("usage")) or object_at(groq.get("usage"))
        if not usage:
            return
        details = object_at(usage.get("prompt_tokens_details"))
        cached = (
            details.get("cached_tokens"),
            usage.get("prompt_cache_hit_tokens"),
            usage.get("cached_tokens"),
        )
        self._usage = Usage(
            input=count_at(usage.get("prompt_tokens")),
            output=count_at(usage.get("completion_tokens")),
            cached=max(map(count_at, cached)),
            written=count_at(details.get("cache_write_tokens")),
        )


def _fragment(call: Json) -> Fragment:
    function = object_at(call.get("function"))
    index = call.get("index")
    return Fragment(
        index=index if isinstance(index, int) else None,
        id=text_at(call.get("id")),
        name=text_at(function.get("name")),
        arguments=function.get("arguments"),
    )
