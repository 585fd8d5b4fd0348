"""Applies mends to the messages of a request: valid names, and nothing that was refused.

Pure. If nothing has to change, the same messages are returned: the prefix stays byte for byte.
"""

from collections.abc import Collection
from dataclasses import replace

from plimsoll.context.log.messages import Call, Image, Message
from plimsoll.providers.base import Request
from plimsoll.providers.mends.mend import Mend
from plimsoll.providers.mends.spelling import (
    block_name,
    image_name,
    strict_name,
    valid_arguments,
    valid_name,
)

LEFT_OUT = "[an image was left out: the provider refuses it]"


def apply_mends(request: Request, mends: Collection[Mend] = ()) -> Request:
    """Return the request with valid names and arguments, and with the mends applied."""
    names = next((int(mend.to) for mend in mends if mend.way == "names"), None)
    gone = {mend.what for mend in mends if mend.way == "tool"}
    tools = [tool for tool in request.tools if tool.name not in gone]
    spelled = [replace(tool, name=spelled_name(tool.name, names)) for tool in tools]
    messages = [_with_calls(message, names) for message in request.messages]
    messages = _without_images(messages, mends)
    messages = [_without_reasoning(message, mends) for message in messages]
    return replace(request, messages=tuple(messages), tools=tuple(spelled))


def spelled_name(name: str, strict: int | None) -> str:
    """Make a tool's name valid; ``strict``: the most characters of a server that accepts fewer."""
    return valid_name(name) if strict is None else strict_name(name, strict)


def own_names(request: Request, mends: Collection[Mend]) -> dict[str, str]:
    """Return the tools' own names, by the names under which they were sent."""
    names = next((int(mend.to) for mend in mends if mend.way == "names"), None)
    sent = {spelled_name(tool.name, names): tool.name for tool in request.tools}
    return {spelled: name for spelled, name in sent.items() if spelled != name}


def _with_calls(message: Message, strict: int | None) -> Message:
    if not message.calls:
        return message
    calls = tuple(_call(call, strict) for call in message.calls)
    return message if calls == message.calls else replace(message, calls=calls)


def _call(call: Call, strict: int | None) -> Call:
    name, arguments = spelled_name(call.name, strict), valid_arguments(call.arguments)
    if name == call.name and arguments == call.arguments:
        return call
    return replace(call, name=name, arguments=arguments)


def _without_images(messages: list[Message], mends: Collection[Mend]) -> list[Message]:
    refused = {mend.what for mend in mends if mend.way == "image"}
    limit = next((mend for mend in mends if mend.way == "images"), None)
    left = int(limit.to or 0) if limit is not None else None
    if not refused and left is None:
        return messages
    fitted: list[Message] = []
    # The newest stay, as far as some may.
    for message in reversed(messages):
        kept = [image for image in message.images if image_name(image) not in refused]
        if left is not None:
            kept = kept[len(kept) - left :] if left else []
            left -= len(kept)
        fitted.append(_with_images(message, tuple(kept)))
    return fitted[::-1]


def _with_images(message: Message, kept: tuple[Image, ...]) -> Message:
    missing = len(message.images) - len(kept)
    if not missing:
        return message
    text = "\n".join([message.text, *[LEFT_OUT] * missing]).lstrip()
    return replace(message, text=text, images=kept)


def _without_reasoning(message: Message, mends: Collection[Mend]) -> Message:
    if message.signature is None:
        return message
    if any(mend.way == "reasoning" for mend in mends):
        return replace(message, signature=None)
    blocks = {mend.what for mend in mends if mend.way == "block"}
    refused = bool(blocks) and block_name(message.signature) in blocks
    return replace(message, signature=None) if refused else message
