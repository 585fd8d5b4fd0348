"""The responses API of OpenAI: writes requests, and reads its stream of events.

Nothing is stored there (``store: false``), so each request carries the whole conversation.
Reasoning comes encrypted and goes back before the text or call that it led to; the API refuses
encrypted reasoning that nothing follows. A tool call is yielded only after the event that completes
the response, or ends it incomplete.
"""

from collections.abc import AsyncGenerator, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from plimsoll.context.log.messages import Call, Image, Message, Role, ToolSchema
from plimsoll.providers.answers import Citations, Joiner
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
from plimsoll.providers.openai import CACHE_KEY_HOSTS, bearer
from plimsoll.providers.reading.calls import CallAssembly, Fragment
from plimsoll.providers.reasoning import Asked, asked_at, pieces

if TYPE_CHECKING:
    from plimsoll.providers.http.client import EventClient

DIALECT = "responses"
ITEMS, REASONING, TEXT, PHASE, CALL = "items", "reasoning", "text", "phase", "call"
"""Keys of an answer's stored data: its items in order, a text by its length, a call by its id."""


def request_body(request: Request, address: str = "") -> Body:
    """Write the body of a request to an address."""
    asked = Asked(DIALECT, address, request.model)
    first = next((n for n, m in enumerate(request.messages) if m.role is not Role.SYSTEM), None)
    body: Body = {"model": request.model}
    if instructions := "\n\n".join(message.text for message in request.messages[:first]):
        body["instructions"] = instructions
    rest = () if first is None else request.messages[first:]
    body["input"] = list(_items(rest, asked))
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
        body["tool_choice"] = request.tool_choice
    if request.max_output is not None:
        body["max_output_tokens"] = request.max_output
    body["include"] = ["reasoning.encrypted_content"]
    if request.cache_key and asked.host in CACHE_KEY_HOSTS:
        body["prompt_cache_key"] = request.cache_key
    body["store"] = False
    body["stream"] = True
    return body


def _items(messages: Sequence[Message], asked: Asked) -> Iterator[Body]:
    # Not every server takes images in a result, so they follow the last result of their run.
    held: list[Image] = []
    for message in messages:
        if held and message.role is not Role.TOOL:
            yield _message(Role.USER, "", held)
            held = []
        if message.role is Role.TOOL:
            own = {"call_id": valid_id(message.call_id or ""), "output": message.text}
            yield {"type": "function_call_output", **own}
            held += message.images
        elif message.role is Role.ASSISTANT:
            yield from _answer(message, asked)
        else:
            yield _message(message.role, message.text, message.images)
    if held:
        yield _message(Role.USER, "", held)


def _message(role: Role, text: str, images: Sequence[Image]) -> Body:
    if not images:
        return {"role": role.value, "content": text}
    parts: list[Body] = [{"type": "input_text", "text": text}] if text else []
    for image in images:
        url = f"data:{image.mime_type};base64,{image.data}"
        parts.append({"type": "input_image", "image_url": url, "detail": "auto"})
    return {"role": role.value, "content": parts}


def _answer(message: Message, asked: Asked) -> list[Body]:
    """Restore the items of an answer in the order in which they came."""
    left = asked.decode_kept(message.signature)
    kept = objects_at(left.get(ITEMS))
    calls = {call.id: call for call in message.calls}
    lengths = [count_at(item[TEXT]) for item in kept if TEXT in item]
    texts = iter(pieces(message.text, lengths))
    items: list[Body] = [] if lengths else _text_item(message.text)
    for item in kept:
        if REASONING in item:
            items.append(dict(object_at(item[REASONING])))
        elif TEXT in item:
            items += _text_item(next(texts), item.get(PHASE))
        elif (call := calls.pop(text_at(item.get(CALL)), None)) is not None:
            items.append(_call(call))
    items += map(_call, calls.values())
    while items and items[-1]["type"] == "reasoning":
        items.pop()
    return items


def _text_item(text: str, phase: object = None) -> list[Body]:
    if not text.strip():
        return []
    content = [{"type": "output_text", "text": text.strip("\n")}]
    body: Body = {"type": "message", "role": "assistant", "content": content}
    return [{**body, "phase": phase} if phase else body]


def _call(call: Call) -> Body:
    own: Body = {"call_id": valid_id(call.id), "name": call.name, "arguments": call.arguments}
    return {"type": "function_call", **own}


def _tool(tool: ToolSchema) -> Body:
    # Strict is what the API assumes; our schemas have optional fields, which it then refuses.
    own: Body = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", **own, "strict": False}


ENDS = frozenset(
    f"response.{status}" for status in ("completed", "incomplete", "failed", "cancelled")
)


class ResponseStream:
    """Reads one answer as it arrives."""

    def __init__(self, request: Request, site: Site) -> None:
        self.done = False
        """Whether the response was declared complete or incomplete."""
        self._site = site
        self._calls = CallAssembly(request)
        self._items: dict[int, dict[str, object]] = {}
        """The stored data of each item, by index in the answer."""
        self._heard: set[int] = set()
        """The items with deltas so far, whose text at the end is known already."""
        self._text = Joiner()
        self._reasoning = Joiner()
        self._citations = Citations()
        self._refused = False
        self._reason = "completed"
        self._usage: Usage | None = None

    def take(self, event: ServerEvent) -> Iterator[Chunk]:
        """Yield the chunks of an event.

        Raises:
            ProviderError: The event reports an error, or its kind is not one of a response's.
        """
        if self.done or not event.data.strip() or event.data.strip() == "[DONE]":
            return
        payload = decode_event(event.data, self._site)
        if event.name == DOCUMENT and payload.get("object") == "response":
            payload = {"type": f"response.{payload.get('status')}", "response": payload}
        elif event.name == DOCUMENT and not payload.get("error"):
            raise no_answer(event.data, self._site)
        kind = text_at(payload.get("type"))
        if kind == "error" or (not kind and payload.get("error")):
            raise stream_error(dict(payload), self._site)
        if kind in ENDS:
            yield from self._finish(object_at(payload.get("response")))
        else:
            yield from self._event(kind, _index(payload), payload)

    def end(self, framed: bool) -> Iterator[Chunk]:
        """Yield calls, usage and the stop reason at the end of the body.

        Raises:
            ProviderAnswer: The response was not said to be over, however whole the body is.
        """
        del framed
        if not self.done:
            raise cut_error(self._site)
        if thought := self._reasoning.end():
            yield ReasoningDelta(thought)
        last = max((n for n, item in self._items.items() if TEXT in item), default=-1)
        yield from self._say(last, self._text.end() + self._citations.end())
        if kept := self._data_to_keep():
            yield ReasoningDelta("", kept)
        ended = self._calls.stop_reason(self._reason, "refusal" if self._refused else None)
        if ended.reason not in {"refusal", "cut"}:
            yield from self._calls.finish()
        if self._usage is not None:
            yield self._usage
        yield ended

    def _event(self, kind: str, index: int, payload: Json) -> Iterator[Chunk]:
        match kind:
            case "response.output_text.delta" | "response.refusal.delta":
                self._heard.add(index)
                self._refused = self._refused or kind == "response.refusal.delta"
                yield from self._say(index, self._text.join(text_at(payload.get("delta"))))
            case "response.reasoning_summary_text.delta" | "response.reasoning_text.delta":
                self._heard.add(index)
                yield from self._think(text_at(payload.get("delta")))
            case "response.reasoning_summary_part.added" if index in self._heard:
                yield from self._think("\n\n")
            case "response.output_text.annotation.added":
                self._citations.add([object_at(payload.get("annotation"))])
            case "response.function_call_arguments.delta":
                if piece := text_at(payload.get("delta")):
                    self._heard.add(index)
                    yield from self._calls.add(Fragment(index=index, arguments=piece))
            case "response.output_item.added":
                yield from self._begin(index, object_at(payload.get("item")))
            case "response.output_item.done":
                yield from self._finish_item(index, object_at(payload.get("item")))
            case _:
                # What the deltas have said already, and kinds that come later.
                return

    def _begin(self, index: int, item: Json) -> Iterator[Chunk]:
        if item.get("type") == "function_call":
            own, name = text_at(item.get("call_id")), text_at(item.get("name"))
            yield from self._calls.add(Fragment(index=index, id=own, name=name))
            self._items[index] = {CALL: self._calls.id_at(index)}

    def _finish_item(self, index: int, item: Json) -> Iterator[Chunk]:
        """Read a complete item: text that no delta brought, and data for the next request."""
        fresh = index not in self._heard
        self._heard.add(index)
        match item.get("type"):
            case "function_call":
                yield from self._begin(index, item)
                if fresh:
                    arguments = item.get("arguments")
                    yield from self._calls.add(Fragment(index=index, arguments=arguments))
            case "message":
                yield from self._message(index, item, fresh)
            case "reasoning":
                if fresh:
                    yield from self._think(
                        text_at(item.get("summary")) or text_at(item.get("content"))
                    )
                if item.get("encrypted_content"):
                    own = {name: item[name] for name in ("id", "encrypted_content") if name in item}
                    summary = objects_at(item.get("summary"))
                    self._items[index] = {
                        REASONING: {"type": "reasoning", "summary": summary, **own}
                    }
            case _:
                # Tools that the vendor's own servers run: nothing of ours is called.
                return

    def _message(self, index: int, item: Json, fresh: bool) -> Iterator[Chunk]:
        for part in objects_at(item.get("content")):
            refusal = text_at(part.get("refusal"))
            self._refused = self._refused or bool(refusal)
            if fresh:
                self._citations.add(objects_at(part.get("annotations")))
                yield from self._say(index, self._text.join(text_at(part.get("text")) + refusal))
        if phase := item.get("phase"):
            self._items.setdefault(index, {TEXT: 0})[PHASE] = phase

    def _say(self, index: int, text: str) -> Iterator[Chunk]:
        if not text:
            return
        if index not in self._items and any(TEXT in item for item in self._items.values()):
            text = f"\n\n{text}"
        item = self._items.setdefault(index, {TEXT: 0})
        item[TEXT] = count_at(item.get(TEXT)) + len(text)
        yield TextDelta(text)

    def _think(self, piece: str) -> Iterator[Chunk]:
        if thought := self._reasoning.join(piece):
            yield ReasoningDelta(thought)

    def _finish(self, response: Json) -> Iterator[Chunk]:
        if response.get("error") or response.get("status") == "failed":
            failed = response.get("error") or {"type": "server_error"}
            raise stream_error({"error": failed}, self._site)
        for index, item in enumerate(objects_at(response.get("output"))):
            if index not in self._heard:
                yield from self._finish_item(index, item)
        if response.get("status") not in {"completed", None}:
            why = text_at(object_at(response.get("incomplete_details")).get("reason"))
            self._reason = why or text_at(response.get("status"))
        self._note_usage(object_at(response.get("usage")))
        self.done = True

    def _note_usage(self, usage: Json) -> None:
        if not usage:
            return
        details = object_at(usage.get("input_tokens_details"))
        self._usage = Usage(
            input=count_at(usage.get("input_tokens")),
            output=count_at(usage.get("output_tokens")),
            cached=count_at(details.get("cached_tokens")),
            written=CacheWrites(count_at(details.get("cache_write_tokens"))),
        )

    def _data_to_keep(self) -> str | None:
        """Return the order of the items, if one of them must go back unchanged."""
        if not any(REASONING in item or PHASE in item for item in self._items.values()):
            return None
        items = [self._items[index] for index in sorted(self._items)]
        return asked_at(self._site, DIALECT).encode_kept({ITEMS: items})


def _index(payload: Json) -> int:
    index = payload.get("output_index")
    return index if isinstance(index, int) else 0


VENDOR = Vendor("https://api.openai.com/v1", "/responses", "OPENAI_API_KEY", bearer)


class OpenAIResponses:
    """A provider for one base URL and key, and any of its models."""

    def __init__(self, options: ProviderOptions, client: "EventClient | None" = None) -> None:
        """Check the address; without a ``client`` one is opened with the first request.

        Raises:
            SettingsInvalid: ``base_url`` is not an http or https address.
        """
        self._endpoint = ProviderEndpoint(VENDOR, options, client)
        self._body = partial(request_body, address=self._endpoint.address)

    def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Stream the answer in chunks; see ``Provider``."""
        return self._endpoint.answer(request, self._body, ResponseStream)

    async def close(self) -> None:
        """Close the connections."""
        await self._endpoint.close()
