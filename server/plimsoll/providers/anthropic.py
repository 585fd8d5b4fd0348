"""The messages API of Anthropic: writes requests, and reads its stream of events.

Its cache is controlled by breakpoints: one after the system text and one after each of the newest
three user messages, so that a request reads what the one before it wrote; the API allows four. The
same request gives the same bytes. A tool call is yielded only after ``message_stop``.
"""

import json
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, cast

from plimsoll.context.log.messages import Call, Image, Message, Role, canonical
from plimsoll.providers.answers import Joiner
from plimsoll.providers.base import (
    CacheWrites,
    Chunk,
    ProviderOptions,
    ReasoningDelta,
    Request,
    TextDelta,
    Usage,
)
from plimsoll.providers.http.endpoint import ProviderEndpoint, Vendor
from plimsoll.providers.http.faults import cut_error, no_answer, stream_error
from plimsoll.providers.http.json_body import (
    Body,
    Json,
    count_at,
    decode_event,
    object_at,
    objects_at,
    text_at,
)
from plimsoll.providers.http.site import Site
from plimsoll.providers.http.sse import DOCUMENT, ServerEvent
from plimsoll.providers.mends.spelling import valid_id
from plimsoll.providers.pauses import BLOCKS, CALL, LENGTH, TEXT, THOUGHT, SaidBlocks
from plimsoll.providers.reading.calls import CallAssembly, Fragment
from plimsoll.providers.reasoning import Asked, asked_at, pieces

if TYPE_CHECKING:
    from plimsoll.providers.http.client import EventClient


MOST_OUTPUT_TOKENS = 16_000
"""Sent if a request has no limit, since the API requires one; the pipeline's own reserve."""
MARKED_MESSAGES = 3
DIALECT = "messages"
CACHE: Body = {"type": "ephemeral"}
"""Keeps a prefix for five minutes after its last use, or for an hour at a higher price."""
CACHE_HOUR: Body = {**CACHE, "ttl": "1h"}


def request_body(
    request: Request, cache: Body = CACHE, said: Sequence[Body] = (), address: str = ""
) -> Body:
    """Write the body of a request to an address; ``cache``: how breakpoints are marked.

    ``said``: the blocks of an answer that has paused and is to be continued.
    """
    head, rest = _split_system(request.messages)
    asked = Asked(DIALECT, address, request.model)
    body: Body = {"model": request.model, "max_tokens": request.max_output or MOST_OUTPUT_TOKENS}
    tools = _tools(request)
    system = [block for text in head for block in _text(text)]
    if tools:
        body["tools"] = tools
        # Tools that stand there for the sake of old calls alone must not be called.
        body["tool_choice"] = {"type": request.tool_choice if request.tools else "none"}
    for blocks in (system, tools):
        if blocks:
            blocks[-1]["cache_control"] = cache
            break
    if system:
        body["system"] = system
    paused: list[Body] = [{"role": "assistant", "content": list(said)}] if said else []
    body["messages"] = [*_mark_cached(list(_merge_turns(rest, asked)), cache), *paused]
    body["stream"] = True
    return body


def _split_system(messages: Sequence[Message]) -> tuple[list[str], list[Message]]:
    """Split off the system texts at the start of the messages."""
    first = next((n for n, m in enumerate(messages) if m.role is not Role.SYSTEM), len(messages))
    return [message.text for message in messages[:first]], list(messages[first:])


def _tools(request: Request) -> list[Body]:
    """Return the offered tools; if none are, those of old calls, since the API requires them."""
    if request.tools:
        return [
            {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
            for tool in request.tools
        ]
    names = dict.fromkeys(call.name for message in request.messages for call in message.calls)
    return [{"name": name, "input_schema": {"type": "object"}} for name in names]


def _merge_turns(messages: Sequence[Message], asked: Asked) -> Iterator[Body]:
    """Merge messages into alternating turns; results and later system texts count as the user's."""
    for role, run in groupby(messages, key=_role):
        blocks = [block for message in run for block in _blocks(message, asked)]
        if blocks:
            yield {"role": role, "content": blocks}


def _role(message: Message) -> str:
    return "assistant" if message.role is Role.ASSISTANT else "user"


def _blocks(message: Message, asked: Asked) -> Iterator[Body]:
    if message.role is Role.TOOL:
        yield _result(message)
        return
    kept = asked.decode_kept(message.signature, message.reasoning or "")
    if order := objects_at(kept.get(BLOCKS)):
        yield from _restore_order(message, order)
        return
    yield from _text(message.text)
    yield from map(_image, message.images)
    yield from map(_call, message.calls)


def _restore_order(message: Message, order: Sequence[Json]) -> Iterator[Body]:
    """Restore the blocks of an answer in the order in which they came; see `SaidBlocks.order`."""
    lengths = [count_at(block[TEXT]) for block in order if TEXT in block]
    texts = iter(pieces(message.text, lengths) if lengths else [])
    thought, calls = message.reasoning or "", {call.id: call for call in message.calls}
    for block in order:
        if THOUGHT in block:
            length = count_at(block.get(LENGTH))
            words = {"thinking": thought[:length]} if LENGTH in block else {}
            thought = thought[length:]
            yield {**object_at(block[THOUGHT]), **words}
        elif TEXT in block:
            yield from _text(next(texts))
        elif (call := calls.pop(text_at(block.get(CALL)), None)) is not None:
            yield _call(call)
    if not lengths:
        yield from _text(message.text)
    yield from map(_call, calls.values())


def _result(message: Message) -> Body:
    content: object = message.text
    if message.images:
        content = [*_text(message.text), *map(_image, message.images)]
    own_id = valid_id(message.call_id or "", characters=True)
    return {"type": "tool_result", "tool_use_id": own_id, "content": content}


def _text(text: str) -> list[Body]:
    """Build a list of one text block, empty for blank text, which the API refuses."""
    return [{"type": "text", "text": text}] if text.strip() else []


def _image(image: Image) -> Body:
    source = {"type": "base64", "media_type": image.mime_type, "data": image.data}
    return {"type": "image", "source": source}


def _call(call: Call) -> Body:
    arguments: object = json.loads(call.arguments)
    return {
        "type": "tool_use",
        "id": valid_id(call.id, characters=True),
        "name": call.name,
        "input": arguments,
    }


def _mark_cached(messages: list[Body], cache: Body) -> list[Body]:
    users = [message for message in messages if message["role"] == "user"]
    for message in users[-MARKED_MESSAGES:]:
        cast("list[Body]", message["content"])[-1]["cache_control"] = cache
    return messages


USAGE = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


class MessageStream:
    """Reads one answer as it arrives."""

    def __init__(self, request: Request, site: Site, said: SaidBlocks | None = None) -> None:
        """``said``: the blocks of the answer before it paused."""
        self.done = False
        """Whether ``message_stop`` has come."""
        self._said = said or SaidBlocks()
        self._said.begin()
        self._site = site
        self._calls = CallAssembly(request)
        self._call_inputs: dict[int, object] = {}
        """The complete input of calls without deltas so far, by index."""
        self._reason: str | None = None
        self._usage: dict[str, int] = {}
        self._hour = 0
        """Tokens written to the cache that lasts an hour."""
        self._joiner = Joiner()

    def take(self, event: ServerEvent) -> Iterator[Chunk]:
        """Yield the chunks of an event.

        Raises:
            ProviderError: The event reports an error, or its kind is not one of a message's.
        """
        if self.done or not event.data.strip():
            return
        payload = decode_event(event.data, self._site)
        events = [*_events_of(payload)] if event.name == DOCUMENT else [payload]
        if not events:
            raise no_answer(event.data, self._site)
        for each in events:
            yield from self._event(each)

    def end(self, framed: bool) -> Iterator[Chunk]:
        """Yield calls, usage and the stop reason at the end of the body; nothing at a pause.

        Raises:
            ProviderAnswer: ``message_stop`` has not come, however whole the body is.
        """
        del framed
        if not self.done or self._reason is None:
            raise cut_error(self._site)
        ended = self._calls.stop_reason(self._reason)
        if rest := self._joiner.end():
            yield TextDelta(rest)
        if self._said.end(self._reason == "pause_turn", self._usage.get("output_tokens", 0)):
            return
        if order := self._said.order():
            kept = asked_at(self._site, DIALECT).encode_kept({BLOCKS: order}, self._said.thought)
            yield ReasoningDelta("", kept)
        if ended.reason not in {"refusal", "cut"}:
            yield from self._calls.finish()
        if self._usage:
            yield self._total_usage()
        yield ended

    def _event(self, payload: Json) -> Iterator[Chunk]:
        self._said.take(payload)
        match payload.get("type"):
            case "error":
                raise stream_error(dict(payload), self._site)
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

    def _start(self, index: int, block: Json) -> Iterator[Chunk]:
        match block.get("type"):
            case "text":
                yield from self._text(text_at(block.get("text")))
            case "thinking":
                if thought := text_at(block.get("thinking")):
                    yield ReasoningDelta(thought)
            case "tool_use":
                self._call_inputs[index] = block.get("input")
                own, name = text_at(block.get("id")), text_at(block.get("name"))
                yield from self._calls.add(Fragment(index=index, id=own, name=name))
            case _:
                # Tools that the vendor's own servers run: nothing of ours is called.
                return

    def _delta(self, index: int, delta: Json) -> Iterator[Chunk]:
        match delta.get("type"):
            case "text_delta":
                yield from self._text(text_at(delta.get("text")))
            case "thinking_delta" if thought := text_at(delta.get("thinking")):
                yield ReasoningDelta(thought)
            case "input_json_delta" if index in self._call_inputs:
                if piece := delta.get("partial_json"):
                    self._call_inputs[index] = None
                    yield from self._calls.add(Fragment(index=index, arguments=piece))
            case _:
                # Citations and the like; they belong to kinds of blocks that we do not ask for.
                return

    def _stop(self, index: int) -> Iterator[Chunk]:
        if (whole := self._call_inputs.get(index)) is not None:
            yield from self._calls.add(Fragment(index=index, arguments=canonical(whole)))
            self._call_inputs[index] = None

    def _text(self, piece: str) -> Iterator[Chunk]:
        if text := self._joiner.join(piece):
            yield TextDelta(text)

    def _note_usage(self, holder: Json) -> None:
        usage = object_at(holder.get("usage"))
        told = (name for name in USAGE if usage.get(name) is not None)
        # Some gateways say nought at the end of what they said at the beginning.
        self._usage |= {name: max(count_at(usage[name]), self._usage.get(name, 0)) for name in told}
        if kept := object_at(usage.get("cache_creation")):
            self._hour = count_at(kept.get("ephemeral_1h_input_tokens"))

    def _total_usage(self) -> Usage:
        plain, output, cached, written = (self._usage.get(name, 0) for name in USAGE)
        # Some gateways say the parts alone.
        written = CacheWrites(max(written - self._hour, 0), self._hour)
        return Usage(plain + cached + written.total, output + self._said.output, cached, written)


def _events_of(message: Json) -> Iterator[Json]:
    """Yield the events of a stream for a whole message; no events for any other document."""
    if message.get("type") == "error":
        yield message
    if message.get("type") != "message":
        return
    yield {"type": "message_start", "message": message}
    for index, block in enumerate(objects_at(message.get("content"))):
        yield {"type": "content_block_start", "index": index, "content_block": block}
        yield {"type": "content_block_stop", "index": index}
    yield {"type": "message_delta", "delta": {"stop_reason": message.get("stop_reason")}}
    yield {"type": "message_stop"}


def _index(payload: Json) -> int:
    index = payload.get("index")
    return index if isinstance(index, int) else -1


def _headers(key: str) -> dict[str, str]:
    version = {"anthropic-version": "2023-06-01"}
    return {**version, "x-api-key": key} if key else version


VENDOR = Vendor("https://api.anthropic.com/v1", "/messages", "ANTHROPIC_API_KEY", _headers)


class Anthropic:
    """A provider for one base URL and key, and any of its models."""

    def __init__(self, options: ProviderOptions, client: "EventClient | None" = None) -> None:
        """Check the address; without a ``client`` one is opened with the first request.

        Raises:
            SettingsInvalid: ``base_url`` is not an http or https address.
        """
        self._endpoint = ProviderEndpoint(VENDOR, options, client)
        cache = CACHE_HOUR if options.cache_hour else CACHE
        self._body = partial(request_body, cache=cache, address=self._endpoint.address)

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Stream the answer in chunks; see ``Provider``."""
        said = SaidBlocks()
        read = partial(MessageStream, said=said)
        while True:
            body = partial(self._body, said=said.whole())
            async with aclosing(self._endpoint.answer(request, body, read)) as chunks:
                async for chunk in chunks:
                    yield chunk
            if not said.pauses:
                return

    async def close(self) -> None:
        """Close the connections."""
        await self._endpoint.close()
