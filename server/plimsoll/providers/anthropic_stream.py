"""The events of a messages stream as chunks; pure.

The rule of this file: a tool call is given out only after ``message_stop``.
"""

from collections.abc import Iterator, Mapping

from plimsoll.context.messages import canonical
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
from plimsoll.providers.faults import Site, complaint_of, translated
from plimsoll.providers.payload import Json, count_at, decoded, object_at, text_at
from plimsoll.providers.sse import ServerEvent
from plimsoll.providers.surrogates import Joiner
from plimsoll.providers.unreachable import cut

STOP_REASONS: Mapping[str, StopReason] = {
    "end_turn": "endTurn",
    "stop_sequence": "endTurn",
    "pause_turn": "endTurn",
    "tool_use": "toolCalls",
    "max_tokens": "maxTokens",
    "model_context_window_exceeded": "maxTokens",
    "refusal": "refusal",
}
USAGE = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


class MessageStream:
    """One answer as it arrives."""

    def __init__(self, request: Request, site: Site) -> None:
        self.done = False
        """Whether ``message_stop`` has come."""
        self._site = site
        self._calls = CallAssembly(
            lambda number, taken: fresh_call_id(request, number, taken), used_call_ids(request)
        )
        self._block: dict[str, str] = {}
        """The open thinking block."""
        self._thinking: list[dict[str, str]] = []
        """The blocks that the provider wants back untouched."""
        self._call_inputs: dict[int, object] = {}
        """The input of calls that no delta has added to yet, by index."""
        self._reason: str | None = None
        self._usage: dict[str, int] = {}
        self._joiner = Joiner()

    def take(self, event: ServerEvent) -> Iterator[Chunk]:
        """The chunks that an event brings.

        Raises:
            ProviderError: The event reports an error, or is none of a message.
        """
        if self.done or not event.data.strip():
            return
        payload = decoded(event.data, self._site)
        match payload.get("type"):
            case "error":
                raise translated(complaint_of(dict(payload)), self._site)
            case "message_start":
                self._note_usage(object_at(payload.get("message")))
            case "content_block_start":
                yield from self._start(_index(payload), object_at(payload.get("content_block")))
            case "content_block_delta":
                yield from self._delta(_index(payload), object_at(payload.get("delta")))
            case "content_block_stop":
                yield from self._stop(_index(payload))
            case "message_delta":
                said = text_at(object_at(payload.get("delta")).get("stop_reason"))
                self._reason = said or self._reason
                self._note_usage(payload)
            case "message_stop":
                self.done = True
            case _:
                # Pings, and kinds that come later, mean nothing to us; the API says to skip them.
                return

    def end(self, framed: bool) -> Iterator[Chunk]:
        """The whole calls, the usage and the reason, once the body is over.

        Raises:
            ProviderAnswer: ``message_stop`` has not come, however whole the body is.
        """
        del framed
        if not self.done or self._reason is None:
            raise cut(self._site)
        reason = STOP_REASONS.get(self._reason, "endTurn")
        if rest := self._joiner.end():
            yield TextDelta(rest)
        if reason != "refusal":
            yield from self._calls.finished()
        if self._usage:
            yield self._reported()
        if reason in {"endTurn", "toolCalls"}:
            reason = "toolCalls" if len(self._calls) else "endTurn"
        yield Finished(reason)

    def _start(self, index: int, block: Json) -> Iterator[Chunk]:
        match block.get("type"):
            case "text":
                yield from self._text(text_at(block.get("text")))
            case "thinking":
                self._block = {
                    "type": "thinking",
                    "thinking": text_at(block.get("thinking")),
                    "signature": text_at(block.get("signature")),
                }
            case "redacted_thinking":
                self._block = {"type": "redacted_thinking", "data": text_at(block.get("data"))}
            case "tool_use":
                self._call_inputs[index] = block.get("input")
                own, name = text_at(block.get("id")), text_at(block.get("name"))
                yield from self._calls.add(Fragment(index, own, name, None))
            case _:
                # Tools that the vendor's own servers run: nothing of ours is called.
                return

    def _delta(self, index: int, delta: Json) -> Iterator[Chunk]:
        match delta.get("type"):
            case "text_delta":
                yield from self._text(text_at(delta.get("text")))
            case "thinking_delta" if thought := text_at(delta.get("thinking")):
                self._block["thinking"] = self._block.get("thinking", "") + thought
                yield ReasoningDelta(thought)
            case "signature_delta":
                said = text_at(delta.get("signature"))
                self._block["signature"] = self._block.get("signature", "") + said
            case "input_json_delta" if index in self._call_inputs:
                if piece := delta.get("partial_json"):
                    self._call_inputs[index] = None
                    yield from self._calls.add(Fragment(index, "", "", piece))
            case _:
                # Citations and the like; they belong to kinds of blocks that we do not ask for.
                return

    def _stop(self, index: int) -> Iterator[Chunk]:
        if self._block:
            self._thinking.append(self._block)
            self._block = {}
            yield ReasoningDelta("", self._signature())
        if (whole := self._call_inputs.get(index)) is not None:
            yield from self._calls.add(Fragment(index, "", "", canonical(whole)))
            self._call_inputs[index] = None

    def _signature(self) -> str:
        """One block is known by its signature; several are kept whole, as they must go back."""
        first = self._thinking[0]
        if len(self._thinking) == 1 and first.get("signature"):
            return first["signature"]
        return canonical(self._thinking)

    def _text(self, piece: str) -> Iterator[Chunk]:
        if text := self._joiner.join(piece):
            yield TextDelta(text)

    def _note_usage(self, holder: Json) -> None:
        usage = object_at(holder.get("usage"))
        told = (name for name in USAGE if usage.get(name) is not None)
        self._usage |= {name: count_at(usage[name]) for name in told}

    def _reported(self) -> Usage:
        plain, output, cached, written = (self._usage.get(name, 0) for name in USAGE)
        return Usage(plain + cached + written, output, cached, written)


def _index(payload: Json) -> int:
    index = payload.get("index")
    return index if isinstance(index, int) else -1
