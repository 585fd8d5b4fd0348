"""What servers refuse of a body, each in a few wordings."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

Body = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What a server refuses, and in which words."""

    kind: str
    dialects: str
    """The letters with which the names of the dialects begin that it is for."""
    breaks: Callable[[Body], bool]
    words: tuple[str, ...]


def rows(body: Body) -> list[Body]:
    return body.get("messages") or body.get("input") or []


def texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)


def calls(body: Body) -> list[Body]:
    """The calls of a body, each with its id and its name."""
    found: list[Body] = []
    for row in rows(body):
        made = row.get("tool_calls") or []
        found += [{**c, "name": c["function"]["name"]} for c in made]
        content = row.get("content")
        blocks = content if isinstance(content, list) else []
        found += [block for block in blocks if block.get("type") == "tool_use"]
        if row.get("type") == "function_call":
            found.append({**row, "id": row["call_id"]})
    return found


NAMED = {"properties", "$defs"}
"""Places in a schema whose keys are chosen names."""


def has_field(name: str, body: object, *, named: bool = False) -> bool:
    """Whether a field stands anywhere but in the arguments of a call, and not as a chosen name."""
    if isinstance(body, dict):
        return any(
            (key == name and not named) or has_field(name, each, named=not named and key in NAMED)
            for key, each in body.items()
            if key != "input" or isinstance(each, list)
        )
    return isinstance(body, list) and any(has_field(name, each) for each in body)


def images(body: Body) -> int:
    return json.dumps(body).count('"image_url": "data:') + sum(
        json.dumps(body).count(each) for each in ('"url": "data:', '"media_type": "image/')
    )


def turns_break(body: Body) -> bool:
    roles = [row.get("role") for row in rows(body) if row.get("role") != "system"]
    return any(a == b and a in {"user", "assistant"} for a, b in pairwise(roles))


def mistral_breaks(body: Body) -> bool:
    roles = [row.get("role") for row in rows(body)]
    return ("tool", "user") in set(pairwise(roles))


def ids_break(form: str, body: Body) -> bool:
    return any(not re.fullmatch(form, call["id"]) for call in calls(body))


def names_break(form: str, body: Body) -> bool:
    offered = [tool.get("name") or tool["function"]["name"] for tool in body.get("tools", ())]
    used = [call["name"] for call in calls(body)]
    return any(not re.fullmatch(form, name) for name in (*offered, *used))


def too_long_answers(most: int, body: Body) -> bool:
    names = ("max_tokens", "max_completion_tokens", "max_output_tokens")
    return any(body.get(name, 0) > most for name in names)


def lacks(name: str, body: Body) -> bool:
    made = [row for row in rows(body) if row.get("tool_calls")]
    if name == "extra_content":
        return any(name not in call for row in made for call in row["tool_calls"])
    return any(name not in row for row in made)


def says_nothing(body: Body) -> bool:
    return any(
        each == ""
        for row in rows(body)
        for each in (row.get("content"), row.get("output"))
        if isinstance(each, str)
    )


NOT_KNOWN = (
    "Unrecognized request argument supplied: {}",
    'Unknown name "{}": Cannot find field.',
    "property '{}' is unsupported",
    "{}: Extra inputs are not permitted",
)
FIELDS = {
    "c": ("stream_options", "tool_choice", "reasoning_content", "additionalProperties", "format"),
    "m": ("cache_control", "tool_choice", "additionalProperties", "format"),
    "r": ("include", "store", "strict", "detail", "tool_choice", "additionalProperties"),
}


def field_rules() -> Iterator[Rule]:
    for dialect, names in FIELDS.items():
        for name in names:
            breaks = partial(has_field, name)
            words = tuple(each.format(name) for each in NOT_KNOWN)
            yield Rule(kind="field", dialects=dialect, breaks=breaks, words=words)


RULES = (
    *field_rules(),
    Rule(
        kind="field",
        dialects="c",
        breaks=lambda b: "max_tokens" in b,
        words=("'max_tokens' is not supported here. Use 'max_completion_tokens' instead.",),
    ),
    Rule(
        kind="output",
        dialects="cmr",
        breaks=partial(too_long_answers, 4096),
        words=(
            "max_tokens must be less than or equal to 4096",
            "This model gives at most 4096 output tokens, 16000 were asked for (max_output_tokens)",
        ),
    ),
    Rule(
        kind="id",
        dialects="cr",
        breaks=partial(ids_break, "[a-zA-Z0-9]{9}"),
        words=("Tool call id must be a-z, A-Z, 0-9, with a length of 9.",),
    ),
    Rule(
        kind="id",
        dialects="cmr",
        breaks=partial(ids_break, ".{1,40}"),
        words=("tool_call id: string too long. Expected a maximum length 40.",),
    ),
    Rule(
        kind="name",
        dialects="cmr",
        breaks=partial(names_break, "[a-zA-Z][a-zA-Z0-9_]{0,63}"),
        words=("Invalid function name. It must start with a letter, and match [a-zA-Z0-9_].",),
    ),
    Rule(
        kind="order",
        dialects="cr",
        breaks=turns_break,
        words=(
            "Conversation roles must alternate user/assistant/user/assistant/...",
            "Multiple user messages in a row are not allowed: the roles have to alternate.",
        ),
    ),
    Rule(
        kind="order",
        dialects="c",
        breaks=mistral_breaks,
        words=("Unexpected role 'user' after role 'tool'",),
    ),
    Rule(
        kind="order",
        dialects="c",
        breaks=lambda b: any(row.get("role") == "system" for row in rows(b)),
        words=("System role not supported", "messages[0].role does not support 'system'"),
    ),
    Rule(
        kind="image",
        dialects="cmr",
        breaks=lambda b: images(b) > 0,
        words=("This model does not support image input.", "No endpoints that support image input"),
    ),
    Rule(
        kind="image",
        dialects="cmr",
        breaks=lambda b: "BAD0" in json.dumps(b),
        words=("Could not process image", "The image is corrupt or its format is not valid."),
    ),
    Rule(
        kind="image",
        dialects="cmr",
        breaks=lambda b: images(b) > 1,
        words=("At most 1 image(s) may be provided in one request.",),
    ),
    Rule(
        kind="reasoning",
        dialects="mr",
        breaks=lambda b: "SIG-OLD" in json.dumps(b),
        words=(
            "Invalid `signature` in `thinking` block",
            "The encrypted content of a reasoning item could not be verified.",
        ),
    ),
    Rule(
        kind="reasoning",
        dialects="c",
        breaks=partial(lacks, "reasoning_content"),
        words=("The `reasoning_content` of a call must be passed back.",),
    ),
    Rule(
        kind="reasoning",
        dialects="c",
        breaks=partial(lacks, "extra_content"),
        words=("Function call is missing a thought_signature.",),
    ),
    Rule(
        kind="tool",
        dialects="cmr",
        breaks=lambda b: "server_tool" in json.dumps(b.get("tools", ())),
        words=("Invalid schema for function 'server_tool_{}': no type.",),
    ),
    Rule(
        kind="empty",
        dialects="c",
        breaks=says_nothing,
        words=("all messages must have non-empty content", "content must not be empty"),
    ),
)


def fit(one: Rule, other: Rule) -> bool:
    """Whether a server can have both: nobody can talk to one that wants a field and refuses it."""
    wanted = sum("reasoning_content" in rule.words[0] for rule in (one, other))
    return one is other or wanted < 2
