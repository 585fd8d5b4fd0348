"""Makes answers of what a server sends: text, images, and words for all else. Pure."""

import json
import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, cast

import mcp_types as types

from plimsoll.context.log.images import LARGEST_IMAGE, image_bytes, image_text, image_type
from plimsoll.context.log.messages import Image
from plimsoll.tools.ports.mcp import McpAnswer

MOST_IMAGES = 8
_MOST_LEAVES = 200
_NOTHING = "(The tool ended without an error and has nothing to say.)"
_TEXT_TYPES = ("text/", "application/json", "application/xml", "application/yaml")


def tool_answer(result: types.CallToolResult) -> McpAnswer:
    """Return the answer of a tool; structured content only where its text does not hold it."""
    answer = _answer(result.content)
    texts = [answer.text] if answer.text else []
    structured: object = result.structured_content
    if structured is not None and not _holds(result.content, structured):
        texts.append(json.dumps(structured, ensure_ascii=False, indent=1))
    text = "\n\n".join(texts) or _NOTHING
    return McpAnswer(text=text, images=answer.images, failed=result.is_error)


def prompt_answer(result: types.GetPromptResult) -> McpAnswer:
    """Return the text of a prompt; what it has the assistant say is marked as such."""
    texts, images = list[str](), list[Image]()
    for message in result.messages:
        said = _answer([message.content])
        mark = "Assistant: " if message.role == "assistant" else ""
        texts.append(mark + said.text)
        images += said.images
    return McpAnswer(text="\n\n".join(texts), images=tuple(images[:MOST_IMAGES]))


def resource_answer(result: types.ReadResourceResult) -> McpAnswer:
    """Return what a resource holds."""
    return _join(_contents(one) for one in result.contents)


def _answer(content: Sequence[types.ContentBlock]) -> McpAnswer:
    return _join(_block(one) for one in content)


def _join(parts: Iterable[str | Image]) -> McpAnswer:
    texts, images = list[str](), list[Image]()
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
        elif len(images) < MOST_IMAGES:
            images.append(part)
        else:
            texts.append("[one more image, left out]")
    return McpAnswer(text="\n\n".join(filter(None, texts)), images=tuple(images))


def _block(block: types.ContentBlock) -> str | Image:
    match block:
        case types.TextContent():
            return block.text
        case types.ImageContent():
            return _image(block.data, block.mime_type)
        case types.AudioContent():
            return f"[audio, {block.mime_type}, {_size(block.data)}: not heard]"
        case types.ResourceLink():
            words = f": {block.description}" if block.description else ""
            return f"[resource {block.uri} ({block.title or block.name}){words}]"
        case types.EmbeddedResource():
            return _contents(block.resource)


def _contents(held: types.TextResourceContents | types.BlobResourceContents) -> str | Image:
    if isinstance(held, types.TextResourceContents):
        return held.text
    kind = held.mime_type or "application/octet-stream"
    if kind.startswith("image/"):
        return _image(held.blob, kind)
    data = image_bytes(held.blob)
    if data is not None and kind.startswith(_TEXT_TYPES):
        return data.decode("utf-8", "replace")
    return f"[resource {held.uri}, {kind}, {_size(held.blob)}: not shown]"


def _image(data: str, told: str) -> str | Image:
    found = image_bytes(data)
    kind = image_type(found) if found is not None else None
    if found is None or kind is None:
        return f"[image, {told}, {_size(data)}: in a form that models do not take]"
    if len(found) > LARGEST_IMAGE:
        return f"[image, {kind}, {_size(data)}: larger than models take]"
    return Image(kind, image_text(found))


def _size(data: str) -> str:
    return f"{len(data) * 3 // 4:,} bytes"


def _holds(content: Sequence[types.ContentBlock], structured: object) -> bool:
    """Tell whether a text among the contents is the structured content, or says all of it."""
    texts = [block.text for block in content if isinstance(block, types.TextContent)]
    whole = "\n".join(texts)
    if any(_same(text, structured) for text in (*texts, whole)):
        return True
    leaves = list(islice(_leaves(structured), _MOST_LEAVES + 1))
    return len(leaves) <= _MOST_LEAVES and all(_says(whole, one) for one in leaves)


def _says(text: str, value: str) -> bool:
    """Tell whether a text has a value, not only as a part of another word or number."""
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None


def _same(text: str, structured: object) -> bool:
    try:
        return json.loads(text) == structured
    except ValueError:
        return False


def _leaves(value: object) -> Iterable[str]:
    """Yield all texts, numbers and other scalars in a value, as texts."""
    if isinstance(value, dict):
        for one in cast("dict[str, Any]", value).values():
            yield from _leaves(one)
    elif isinstance(value, list):
        for one in cast("list[Any]", value):
            yield from _leaves(one)
    else:
        yield value if isinstance(value, str) else json.dumps(value)
