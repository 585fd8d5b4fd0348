"""The chat completions of OpenAI and all hosts of its dialect.

Keys have a fixed order and tools the order given: a body that changes without need would cost the
provider's cached prefix. A tool call is yielded only when the stream has properly ended: with a
finish reason and then ``[DONE]``, a body that HTTP proves complete, or at least the usage.
"""

from collections.abc import AsyncGenerator, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from plimsoll.context.log.messages import Call, Image, Message, Role, ToolSchema
from plimsoll.providers.answers import (
    ALL_REASONING,
    Citations,
    Joiner,
    ThinkTags,
)
from plimsoll.providers.base import (
    CacheWrites,
    Chunk,
    ProviderOptions,
    ReasoningDelta,
    Request,
    TextDelta,
    TextWasReasoning,
    Usage,
)
from plimsoll.providers.http.complaints import Complaint, has_error
from plimsoll.providers.http.endpoint import ProviderEndpoint, Vendor
from plimsoll.providers.http.faults import cut_error, no_answer, stream_error, translate
from plimsoll.providers.http.json_body import (
    Body,
    Json,
    count_at,
    decode_event,
    object_at,
    objects_at,
    text_at,
)
from plimsoll.providers.http.rows import LastRows
from plimsoll.providers.http.site import Site
from plimsoll.providers.http.sse import DOCUMENT, ServerEvent
from plimsoll.providers.mends.conversation import bridge_turns
from plimsoll.providers.mends.spelling import valid_id
from plimsoll.providers.reading.calls import CallAssembly, Fragment
from plimsoll.providers.reasoning import (
    Asked,
    asked_at,
    beside_answer,
    beside_call,
    is_signed,
    merge_beside,
    text_field,
)

if TYPE_CHECKING:
    from plimsoll.providers.http.client import EventClient


DIALECT = "chat"
CACHE_KEY_HOSTS = ("api.openai.com",)
"""Hosts with ``prompt_cache_key``; others may refuse an unknown field."""


def request_body(
    request: Request,
    limit_field: str = "max_tokens",
    address: str = "",
    rows: LastRows | None = None,
) -> Body:
    """Write the body of a request to an address; ``limit_field``: its name for the largest answer.

    ``rows``: those of the request before it.
    """
    asked = Asked(DIALECT, address, request.model)
    made = (rows or LastRows()).of(request.messages, asked, partial(_message, asked=asked))
    body: Body = {"model": request.model, "messages": list(bridge_turns(list(_messages(made))))}
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
        body["tool_choice"] = request.tool_choice
    if request.max_output is not None:
        body[limit_field] = request.max_output
    if request.cache_key and asked.host in CACHE_KEY_HOSTS:
        body["prompt_cache_key"] = request.cache_key
    body["stream"] = True
    body["stream_options"] = {"include_usage": True}
    return body


def _messages(made: Sequence[tuple[Message, Body]]) -> Iterator[Body]:
    # Only a user message may show images: those of results follow the last result of their run,
    # because nothing may stand between a call and its results.
    held: list[Image] = []
    for message, row in made:
        if held and message.role is not Role.TOOL:
            yield {"role": "user", "content": _parts("", held)}
            held = []
        yield row
        if message.role is Role.TOOL:
            held += message.images
    if held:
        yield {"role": "user", "content": _parts("", held)}


def _message(message: Message, asked: Asked) -> Body:
    if message.role is Role.TOOL:
        return {
            "role": "tool",
            "tool_call_id": valid_id(message.call_id or ""),
            "content": message.text,
        }
    if message.role is Role.ASSISTANT:
        return _answer(message, asked)
    if message.role is Role.USER and message.images:
        return {"role": "user", "content": _parts(message.text, message.images)}
    return {"role": message.role.value, "content": message.text}


def _answer(message: Message, asked: Asked) -> Body:
    reasoning, kept = message.reasoning or "", asked.decode_kept(message.signature)
    body: Body = {"role": "assistant", "content": message.text}
    if kept.get(DETAILS):
        body["reasoning_details"] = kept[DETAILS]
    body |= object_at(kept.get(BESIDE))
    if not message.calls:
        return body
    body["content"] = message.text or None
    if asked.wants_text:
        body["reasoning_content"] = reasoning
    elif name := text_at(kept.get(TEXT)):
        body[name] = reasoning
    beside = object_at(kept.get(BESIDE_CALLS))
    body["tool_calls"] = [_call(call, object_at(beside.get(call.id))) for call in message.calls]
    return body


def _call(call: Call, beside: Json) -> Body:
    if not beside:
        function = {"name": call.name, "arguments": call.arguments}
        return {"id": valid_id(call.id), "type": "function", "function": function}
    function = {"name": call.name, "arguments": call.arguments, **object_at(beside.get("function"))}
    own = {name: each for name, each in beside.items() if name != "function"}
    return {"id": valid_id(call.id), "type": "function", "function": function, **own}


def _parts(text: str, images: Sequence[Image]) -> list[Body]:
    parts: list[Body] = [{"type": "text", "text": text}] if text else []
    for image in images:
        url = f"data:{image.mime_type};base64,{image.data}"
        parts.append({"type": "image_url", "image_url": {"url": url}})
    return parts


def _tool(tool: ToolSchema) -> Body:
    function: Body = {"name": tool.name}
    if tool.description:
        function["description"] = tool.description
    function["parameters"] = tool.parameters
    return {"type": "function", "function": function}


DETAILS, BESIDE_CALLS, BESIDE, TEXT = "details", "beside_calls", "beside", "text"
"""Keys under which an answer's data is kept for the next request: signed reasoning, what came
beside its calls and beside itself, and the field of readable reasoning."""
GROWING = frozenset({"text", "summary", "data"})
"""The fields of signed reasoning that arrive in pieces."""


class ChatStream:
    """Reads one answer as it arrives."""

    def __init__(self, request: Request, site: Site) -> None:
        self.done = False
        """Whether ``[DONE]`` or a whole answer has come; nothing after it counts."""
        self._site = site
        self._calls = CallAssembly(request)
        self._reason: str | None = None
        self._refused = False
        self._usage: Usage | None = None
        self._reasoning = Joiner()
        self._text = Joiner()
        self._tags = ThinkTags()
        self._details: list[dict[str, object]] = []
        self._beside: dict[str, object] = {}
        self._text_field: str | None = None
        self._citations = Citations()

    def take(self, event: ServerEvent) -> Iterator[Chunk]:
        """Yield the chunks of an event.

        Raises:
            ProviderError: The event reports an error, or is no chunk of a completion.
        """
        if event.data.strip() == "[DONE]":
            self.done = True
        if self.done or not event.data.strip():
            return
        chunk = decode_event(event.data, self._site)
        if event.name == "error" or has_error(chunk):
            raise stream_error(dict(chunk), self._site)
        if event.name == DOCUMENT:
            self.done = True
            if not objects_at(chunk.get("choices")):
                raise no_answer(event.data, self._site)
        self._note_usage(chunk)
        for choice in objects_at(chunk.get("choices")):
            if choice.get("index") in {0, None}:
                yield from self._choice(choice)

    def end(self, framed: bool) -> Iterator[Chunk]:
        """Yield calls, usage and the stop reason at the end of the body.

        Raises:
            ProviderAnswer: The stream did not reach its proper end.
        """
        whole = self.done or framed or self._usage is not None
        if not whole or (self._reason is None and not self._ended_without_reason()):
            raise cut_error(self._site)
        ended = self._calls.stop_reason(
            self._reason or "stop", "refusal" if self._refused else None
        )
        if thought := self._reasoning.end():
            yield ReasoningDelta(thought)
        yield from self._add_text(self._text.end())
        yield from map(_delta, self._tags.end())
        if sources := self._citations.end():
            yield TextDelta(sources)
        if kept := self._data_to_keep():
            yield ReasoningDelta("", kept)
        if ended.reason not in {"refusal", "cut"}:
            yield from self._calls.finish()
        if self._usage is not None:
            yield self._usage
        yield ended

    def _choice(self, choice: Json) -> Iterator[Chunk]:
        delta = object_at(choice.get("delta")) or object_at(choice.get("message"))
        self._text_field = self._text_field or text_field(delta)
        self._beside = merge_beside(self._beside, beside_answer(delta))
        if reasoning := self._reasoning.join(_reasoning_in(delta)):
            yield ReasoningDelta(reasoning)
        refusal = text_at(delta.get("refusal"))
        self._refused = self._refused or bool(refusal)
        yield from self._add_text(self._text.join(text_at(delta.get("content")) + refusal))
        self._note_details(objects_at(delta.get("reasoning_details")))
        self._citations.add(objects_at(delta.get("annotations")))
        for call in objects_at(delta.get("tool_calls")):
            yield from self._calls.add(_fragment(call))
        if choice.get("finish_reason") == "error":
            said = "The provider ended the answer with an error."
            raise translate(Complaint(message=said, status=500), self._site)
        if reason := choice.get("finish_reason"):
            self._reason = str(reason)

    def _add_text(self, text: str) -> Iterator[Chunk]:
        return map(_delta, self._tags.feed(text))

    def _note_details(self, details: Sequence[Json]) -> None:
        """Join the pieces of signed reasoning by index."""
        for detail in details:
            last = self._details[-1] if self._details else {}
            same = [detail.get(name) == last.get(name) for name in ("index", "type")]
            if detail.get("index") is None or not all(same):
                self._details.append(dict(detail))
                continue
            for name, value in detail.items():
                if name in GROWING and isinstance(value, str):
                    last[name] = f"{text_at(last.get(name))}{value}"
                elif value is not None:
                    last[name] = value

    def _data_to_keep(self) -> str | None:
        """Return the data of the answer that the next request must carry."""
        text = self._text_field if self._calls.begun and not self._details else None
        wanted = self._calls.begun or is_signed(self._details)
        kept = {
            DETAILS: self._details if wanted else [],
            BESIDE_CALLS: self._calls.beside,
            BESIDE: self._beside,
            TEXT: text,
        }
        told = {name: value for name, value in kept.items() if value}
        asked = asked_at(self._site, DIALECT)
        if not told and not (asked.wants_text and self._calls.begun):
            return None
        return asked.encode_kept(told)

    def _ended_without_reason(self) -> bool:
        """Tell whether the answer ended without a finish reason, which some gateways leave out.

        ``[DONE]`` and the usage only come at the end; a call that was cut shows in its text.
        """
        return self.done and self._usage is not None and self._calls.whole

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
        # A later report that says less, or nothing, is of the end alone.
        known = self._usage or Usage(0, 0)
        read = count_at(usage.get("prompt_tokens")) or count_at(usage.get("input_tokens"))
        made = count_at(usage.get("completion_tokens")) or count_at(usage.get("output_tokens"))
        self._usage = Usage(
            input=max(read, known.input),
            output=max(made, known.output),
            cached=max(known.cached, *map(count_at, cached)),
            written=CacheWrites(count_at(details.get("cache_write_tokens"))),
        )


def _delta(said: tuple[bool, str]) -> Chunk:
    if said == ALL_REASONING:
        return TextWasReasoning()
    thought, words = said
    return ReasoningDelta(words) if thought else TextDelta(words)


def _reasoning_in(delta: Json) -> str:
    """Return the reasoning in a delta, in any host's field."""
    if name := text_field(delta):
        return text_at(delta[name])
    details = objects_at(delta.get("reasoning_details"))
    # Mistral's stands among the parts of the text.
    parts = [part for part in objects_at(delta.get("content")) if part.get("type") == "thinking"]
    return "".join(
        [text_at(each.get("text")) or text_at(each.get("summary")) for each in details]
        + [text_at(part.get("thinking")) for part in parts]
    )


def _fragment(call: Json) -> Fragment:
    function = object_at(call.get("function"))
    index = call.get("index")
    return Fragment(
        index=index if isinstance(index, int) else None,
        id=text_at(call.get("id")),
        name=text_at(function.get("name")),
        arguments=function.get("arguments"),
        beside=beside_call(call),
    )


NEW_LIMIT_HOSTS = ("api.openai.com", ".openai.azure.com")
"""Hosts whose newer models refuse ``max_tokens``; most others know no other name."""


def bearer(key: str) -> dict[str, str]:
    """Return the authorization header of a key; empty without one."""
    return {"authorization": f"Bearer {key}"} if key else {}


VENDOR = Vendor("https://api.openai.com/v1", "/chat/completions", "OPENAI_API_KEY", bearer)


class OpenAI:
    """A provider for one base URL and key, and any of its models."""

    def __init__(self, options: ProviderOptions, client: "EventClient | None" = None) -> None:
        """Check the address; without a ``client`` one is opened with the first request.

        Raises:
            SettingsInvalid: ``base_url`` is not an http or https address.
        """
        self._endpoint = ProviderEndpoint(VENDOR, options, client)
        new = self._endpoint.host.endswith(NEW_LIMIT_HOSTS)
        limit_field = "max_completion_tokens" if new else "max_tokens"
        address, rows = self._endpoint.address, LastRows()
        self._body = partial(request_body, limit_field=limit_field, address=address, rows=rows)

    def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Stream the answer in chunks; see ``Provider``."""
        return self._endpoint.answer(request, self._body, ChatStream)

    async def close(self) -> None:
        """Close the connections."""
        await self._endpoint.close()
