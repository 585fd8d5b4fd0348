"""A request as the JSON body of chat completions; pure and the same for the same request.

Keys stand in one order and tools in the order given: a body that changes without need would cost
the provider's cached prefix.
"""

import json
from collections.abc import Iterator, Sequence

from plimsoll.context.messages import Call, Image, Message, Role, ToolSchema, clean
from plimsoll.providers.base import Request

Json = dict[str, object]


def request_body(request: Request, limit_field: str = "max_tokens") -> bytes:
    """The bytes to post; ``limit_field`` is the host's name for the largest answer."""
    body: Json = {"model": request.model, "messages": list(_messages(request.messages))}
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
        body["tool_choice"] = request.tool_choice
    if request.max_output is not None:
        body[limit_field] = request.max_output
    body["stream"] = True
    body["stream_options"] = {"include_usage": True}
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return clean(text).encode()


def _messages(messages: Sequence[Message]) -> Iterator[Json]:
    # Only a user message may show images: those of results follow the last result of their run,
    # because nothing may stand between a call and its results.
    held: list[Image] = []
    for message in messages:
        if held and message.role is not Role.TOOL:
            yield {"role": "user", "content": _parts("", held)}
            held = []
        yield _message(message)
        if message.role is Role.TOOL:
            held += message.images
    if held:
        yield {"role": "user", "content": _parts("", held)}


def _message(message: Message) -> Json:
    if message.role is Role.TOOL:
        return {"role": "tool", "tool_call_id": message.call_id or "", "content": message.text}
    if message.role is Role.ASSISTANT and message.calls:
        calls = [_call(call) for call in message.calls]
        return {"role": "assistant", "content": message.text or None, "tool_calls": calls}
    if message.role is Role.USER and message.images:
        return {"role": "user", "content": _parts(message.text, message.images)}
    return {"role": message.role.value, "content": message.text}


def _call(call: Call) -> Json:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function}


def _parts(text: str, images: Sequence[Image]) -> list[Json]:
    parts: list[Json] = [{"type": "text", "text": text}] if text else []
    for image in images:
        url = f"data:{image.mime_type};base64,{image.data}"
        parts.append({"type": "image_url", "image_url": {"url": url}})
    return parts


def _tool(tool: ToolSchema) -> Json:
    function: Json = {"name": tool.name}
    if tool.description:
        function["description"] = tool.description
    function["parameters"] = tool.parameters
    return {"type": "function", "function": function}
