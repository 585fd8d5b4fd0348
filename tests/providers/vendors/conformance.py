"""A provider that enforces what one vendor enforces: its rules, its words, its ends, its usage.

Each rule has its source: documentation of the vendor, or a report of people who met it; none was
recorded of a server. A rule shows a body that breaks it, so that no rule is one that cannot fail.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from plimsoll.providers.base import StopReason, Usage
from providers.fault_server import Reply, document, stream

Body = Mapping[str, object]
Check = Callable[[Body], str | None]
"""Returns the vendor's words where a body breaks a rule, else none."""
Source = Literal["documentation", "report"]
Dialect = Literal["openai", "openai-responses", "anthropic"]


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One thing that a vendor refuses."""

    name: str
    source: Source
    check: Check
    broken: Body
    """A body that breaks it."""
    needs_mend: bool = False
    """Nobody can know it before a refusal: other servers of the dialect do not have it."""
    status: int = 400
    code: str | None = None


@dataclass(frozen=True, kw_only=True)
class Vendor:
    """What is known of one vendor."""

    name: str
    dialect: Dialect = "openai"
    rules: Sequence[Rule]
    too_long: tuple[int, object]
    """Status and body of a refusal of a prompt that is too long."""
    busy: tuple[int, object]
    """Status and body of a refusal that passes."""
    ends: Mapping[str, StopReason]
    """Its words for the end of an answer, and what they mean."""
    usage: tuple[Mapping[str, object], Usage]
    """What it reports, and what that means."""

    def answer(self, raw: bytes) -> Reply:
        """Refuse a body in the vendor's words, or answer it."""
        body = strict(raw)
        for rule in self.rules:
            if words := rule.check(body):
                return refusal(rule, words)
        return stream(GOOD[self.dialect])


def strict(raw: bytes) -> Body:
    """Decode a body as strictly as every vendor does."""

    def refuse(name: str) -> object:
        raise ValueError(name)

    return json.loads(raw, parse_constant=refuse)


def refusal(rule: Rule, words: str) -> Reply:
    error = {"message": words, "type": "invalid_request_error", "code": rule.code}
    return document(rule.status, {"error": error})


def events(*payloads: Mapping[str, object]) -> bytes:
    return b"".join(b"data: " + json.dumps(payload).encode() + b"\n\n" for payload in payloads)


GOOD: Mapping[Dialect, bytes] = {
    "openai": events({"choices": [{"delta": {"content": "hi"}, "finish_reason": "stop"}]})
    + b"data: [DONE]\n\n",
    "openai-responses": events(
        {
            "type": "response.completed",
            "response": {
                "status": "completed",
                "output": [{"type": "message", "content": [{"type": "output_text", "text": "hi"}]}],
            },
        }
    ),
    "anthropic": events(
        {"type": "message_start", "message": {}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "hi"}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
        {"type": "message_stop"},
    ),
}


def messages(body: Body) -> list[dict]:
    return body.get("messages") or body.get("input") or []


def calls(body: Body) -> Iterator[tuple[str, str, str]]:
    """Yield id, name and arguments of every call in a body, in each dialect."""
    for message in messages(body):
        for call in message.get("tool_calls") or ():
            yield call["id"], call["function"]["name"], call["function"]["arguments"]
        if message.get("type") == "function_call":
            yield message["call_id"], message["name"], message["arguments"]
        for block in _blocks(message):
            if block.get("type") == "tool_use":
                yield block["id"], block["name"], json.dumps(block["input"])


def _blocks(message: dict) -> list[dict]:
    content = message.get("content")
    return [block for block in content if isinstance(block, dict)] if _is_list(content) else []


def _is_list(content: object) -> bool:
    return isinstance(content, list)


def names_match(pattern: str, words: str) -> Check:
    """Names of calls and tools match; ``words`` may quote the ``{name}``."""

    def check(body: Body) -> str | None:
        offered = [
            tool.get("function", tool).get("name", "") for tool in body.get("tools") or () if tool
        ]
        named = [*offered, *(name for _, name, _ in calls(body))]
        found = next((name for name in named if not re.fullmatch(pattern, name)), None)
        return None if found is None else words.format(name=found)

    return check


def ids_match(pattern: str, words: str) -> Check:
    """Ids of calls match; ``words`` may quote the ``{id}`` and its ``{length}``."""

    def check(body: Body) -> str | None:
        found = next((own for own, _, _ in calls(body) if not re.fullmatch(pattern, own)), None)
        return None if found is None else words.format(id=found, length=len(found))

    return check


def results_follow(words: str) -> Check:
    """Behind a message with calls come the results of all of them, and nothing before."""

    def check(body: Body) -> str | None:
        open_calls: set[str] = set()
        for message in messages(body):
            if message.get("role") == "tool":
                if message["tool_call_id"] not in open_calls:
                    return words.format(id=message["tool_call_id"])
                open_calls.discard(message["tool_call_id"])
                continue
            if open_calls:
                return words.format(id=min(open_calls))
            open_calls = {call["id"] for call in message.get("tool_calls") or ()}
        return words.format(id=min(open_calls)) if open_calls else None

    return check


def no_role_after(role: str, before: str, words: str) -> Check:
    """No message of a role stands right behind one of another."""

    def check(body: Body) -> str | None:
        roles = [message.get("role") for message in messages(body)]
        return words if (before, role) in pairwise(roles) else None

    return check


def roles_alternate(words: str) -> Check:
    """User and assistant take turns, results and a system message at the beginning aside."""

    def check(body: Body) -> str | None:
        kinds = [m.get("role") for m in messages(body) if m.get("role") in {"user", "assistant"}]
        doubled = any(a == b == "user" for a, b in pairwise(kinds))
        return words if doubled else None

    return check


def no_field(name: str, words: str) -> Check:
    """A field is not in the body, nor in one of its messages."""

    def check(body: Body) -> str | None:
        return words if name in body or any(name in m for m in messages(body)) else None

    return check


def thoughts_beside_calls(words: str) -> Check:
    """Beside calls stands the reasoning that led to them."""

    def check(body: Body) -> str | None:
        bare = (m.get("tool_calls") and "reasoning_content" not in m for m in messages(body))
        return words if any(bare) else None

    return check


def no_images(words: str) -> Check:
    """No message shows an image."""

    def check(body: Body) -> str | None:
        return words if "image_url" in str(messages(body)) else None

    return check


def no_empty_message(words: str) -> Check:
    """Every message has words, calls or parts."""

    def check(body: Body) -> str | None:
        empty = (
            m.get("role") in {"user", "assistant"}
            and not m.get("content")
            and not m.get("tool_calls")
            for m in messages(body)
        )
        return words if any(empty) else None

    return check


def arguments_are_objects(words: str) -> Check:
    """The arguments of every call are an object in strict JSON."""

    def check(body: Body) -> str | None:
        for _, _, arguments in calls(body):
            try:
                found = strict(arguments.encode())
            except ValueError:
                return words
            if not isinstance(found, dict):
                return words
        return None

    return check


def called(own: str = "call_1", name: str = "grep", arguments: str = "{}") -> dict:
    """Make a message with a call, in the dialect of chat completions."""
    function = {"name": name, "arguments": arguments}
    call = {"id": own, "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


USER = {"role": "user", "content": "x"}
RESULT = {"role": "tool", "tool_call_id": "call_1", "content": "x"}
CHAT_USAGE = (
    {"prompt_tokens": 1000, "completion_tokens": 5, "total_tokens": 1005},
    Usage(1000, 5),
)
"""What most vendors of this dialect report."""
CHAT_ENDS: Mapping[str, StopReason] = {"stop": "endTurn", "length": "maxTokens"}


def error(message: str, **more: object) -> dict[str, object]:
    return {"error": {"message": message, **more}}
