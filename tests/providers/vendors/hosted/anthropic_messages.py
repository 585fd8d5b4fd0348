"""Anthropic, messages: its API reference, and the words of its own refusals."""

from plimsoll.providers.base import CacheWrites, Usage
from providers.vendors.conformance import (
    Body,
    Rule,
    Vendor,
    ids_match,
    messages,
    names_match,
)


def results_come_next(body: Body) -> str | None:
    held: set[str] = set()
    for message in messages(body):
        blocks = [b for b in message["content"] if isinstance(b, dict)]
        results = {b["tool_use_id"] for b in blocks if b["type"] == "tool_result"}
        if held - results:
            return (
                "messages.2: `tool_use` ids were found without `tool_result` blocks immediately "
                f"after: {min(held - results)}."
            )
        held = {b["id"] for b in blocks if b["type"] == "tool_use"}
    return None


def texts_have_words(body: Body) -> str | None:
    for message in messages(body):
        for block in message["content"]:
            if block["type"] == "text" and not block["text"].strip():
                return "messages: text content blocks must be non-empty"
    return None


def few_marks(body: Body) -> str | None:
    marks = str(body).count("'cache_control'")
    words = f"A maximum of 4 blocks with cache_control may be provided. Found {marks}."
    return None if marks <= 4 else words


def limited(body: Body) -> str | None:
    return None if body.get("max_tokens") else "max_tokens: Field required"


def begins_with_user(body: Body) -> str | None:
    roles = [message["role"] for message in messages(body)]
    return None if roles[:1] == ["user"] else 'messages: first message must use the "user" role'


USE = {"type": "tool_use", "id": "a:b", "name": "a.b", "input": {}}
TEXT = {"type": "text", "text": " ", "cache_control": {}}
BROKEN: Body = {"messages": [{"role": "assistant", "content": [USE, *[TEXT] * 5]}] * 2}


def rule(name: str, check) -> Rule:
    return Rule(name=name, source="documentation", check=check, broken=BROKEN)


VENDOR = Vendor(
    name="anthropic",
    dialect="anthropic",
    rules=(
        rule(
            "names",
            names_match(
                r"[a-zA-Z0-9_-]{1,128}",
                "messages.1.content.0.tool_use.name: String should match pattern "
                "'^[a-zA-Z0-9_-]{{1,128}}$'",
            ),
        ),
        rule(
            "ids",
            ids_match(
                r"[a-zA-Z0-9_-]+",
                "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
            ),
        ),
        rule("results", results_come_next),
        rule("words", texts_have_words),
        rule("marks", few_marks),
        rule("limit", limited),
        rule("first", begins_with_user),
    ),
    too_long=(
        400,
        {
            "type": "error",
            "error": {
                "type": "invalid_request_error",
                "message": "prompt is too long: 210000 tokens > 200000 maximum",
            },
        },
    ),
    busy=(529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
    ends={
        "end_turn": "endTurn",
        "max_tokens": "maxTokens",
        "refusal": "refusal",
        "model_context_window_exceeded": "maxTokens",
    },
    usage=(
        {
            "input_tokens": 100,
            "output_tokens": 5,
            "cache_read_input_tokens": 800,
            "cache_creation_input_tokens": 100,
        },
        Usage(1000, 5, 800, CacheWrites(100)),
    ),
)
