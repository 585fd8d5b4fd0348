"""A request as the JSON body of the messages API; pure and the same for the same request.

The cache is set by hand there: a breakpoint stands behind the system text and behind each of the
newest three user messages, so that a request reads what the one before it wrote. Four is all that
the API takes.
"""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import cast

from plimsoll.context.messages import Call, Image, Message, Role, clean
from plimsoll.providers.base import Request

Json = dict[str, object]

MOST_OUTPUT_TOKENS = 16_000
"""Sent where a request names no limit, since the API demands one; the pipeline's own reserve."""
MARKED_MESSAGES = 3
CACHE: Json = {"type": "ephemeral"}
FOREIGN = re.compile(r"[^A-Za-z0-9_-]")


def request_body(request: Request) -> bytes:
    """The bytes to post."""
    head, rest = _split(request.messages)
    body: Json = {"model": request.model, "max_tokens": request.max_output or MOST_OUTPUT_TOKENS}
    tools = _tools(request)
    system = [block for text in head for block in _text(text)]
    if tools:
        body["tools"] = tools
        # Tools that stand there for the sake of old calls alone must not be called.
        body["tool_choice"] = {"type": request.tool_choice if request.tools else "none"}
    for blocks in (system, tools):
        if blocks:
            blocks[-1]["cache_control"] = CACHE
            break
    if system:
        body["system"] = system
    body["messages"] = _marked(list(_merged(rest)))
    body["stream"] = True
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return clean(text).encode()


def _split(messages: Sequence[Message]) -> tuple[list[str], list[Message]]:
    """The system texts that the messages begin with, and the rest."""
    first = next((n for n, m in enumerate(messages) if m.role is not Role.SYSTEM), len(messages))
    return [message.text for message in messages[:first]], list(messages[first:])


def _tools(request: Request) -> list[Json]:
    """The tools; where none are offered, those that old calls name, since the API demands it."""
    if request.tools:
        return [
            {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
            for tool in request.tools
        ]
    names = dict.fromkeys(call.name for message in request.messages for call in message.calls)
    return [{"name": name, "input_schema": {"type": "object"}} for name in names]


def _merged(messages: Sequence[Message]) -> Iterator[Json]:
    """Messages in turns: results, and system texts in mid-conversation, are the user's."""
    for role, run in groupby(messages, key=_role):
        blocks = [block for message in run for block in _blocks(message)]
        if blocks:
            yield {"role": role, "content": blocks}


def _role(message: Message) -> str:
    return "assistant" if message.role is Role.ASSISTANT else "user"


def _blocks(message: Message) -> Iterator[Json]:
    if message.role is Role.TOOL:
        yield _result(message)
        return
    if message.role is Role.ASSISTANT and message.signature:
        yield from _thinking(message.reasoning or "", message.signature)
    yield from _text(message.text)
    yield from map(_image, message.images)
    yield from map(_call, message.calls)


def _thinking(reasoning: str, signature: str) -> list[Json]:
    """The blocks as they came: one from its parts, several from the copy that was kept of them."""
    if signature.startswith("["):
        return cast("list[Json]", json.loads(signature))
    return [{"type": "thinking", "thinking": reasoning, "signature": signature}]


def _result(message: Message) -> Json:
    content: object = message.text
    if message.images:
        content = [*_text(message.text), *map(_image, message.images)]
    own_id = _own_id(message.call_id or "")
    return {"type": "tool_result", "tool_use_id": own_id, "content": content}


def _text(text: str) -> list[Json]:
    """The API refuses texts that are empty or blank."""
    return [{"type": "text", "text": text}] if text.strip() else []


def _image(image: Image) -> Json:
    source = {"type": "base64", "media_type": image.mime_type, "data": image.data}
    return {"type": "image", "source": source}


def _call(call: Call) -> Json:
    arguments: object = json.loads(call.arguments)
    return {"type": "tool_use", "id": _own_id(call.id), "name": call.name, "input": arguments}


def _own_id(call_id: str) -> str:
    """The id with the characters that this API takes: another provider may have given it."""
    return FOREIGN.sub("_", call_id)


def _marked(messages: list[Json]) -> list[Json]:
    users = [message for message in messages if message["role"] == "user"]
    for message in users[-MARKED_MESSAGES:]:
        cast("list[Json]", message["content"])[-1]["cache_control"] = CACHE
    return messages
