"""vLLM: its own checks, and those of the templates of chats that it runs."""

from providers.vendors.conformance import (
    CHAT_ENDS,
    CHAT_USAGE,
    USER,
    Rule,
    Vendor,
    arguments_are_objects,
    called,
    error,
    ids_match,
    roles_alternate,
)

VENDOR = Vendor(
    name="vllm",
    rules=(
        Rule(
            name="turns",
            source="report",
            check=roles_alternate(
                "Conversation roles must alternate user/assistant/user/assistant/..."
            ),
            broken={"messages": [USER, USER]},
        ),
        Rule(
            name="arguments",
            source="report",
            check=arguments_are_objects("Can only get item pairs from a mapping."),
            broken={"messages": [called(arguments="{")]},
        ),
        Rule(
            name="ids",
            source="report",
            needs_mend=True,
            check=ids_match(
                r"[a-zA-Z0-9]{9}",
                "Tool call IDs should be alphanumeric strings with length 9!",
            ),
            broken={"messages": [called()]},
        ),
    ),
    too_long=(
        400,
        error(
            (
                "This model's maximum context length is 4096 tokens. However, "
                "you requested 5000 tokens (4000 in the messages, 1000 in the "
                "completion)."
            ),
            code=400,
        ),
    ),
    busy=(503, error("The engine is overloaded", type="ServiceUnavailableError")),
    ends={**CHAT_ENDS, "abort": "cut", "tool_calls": "endTurn"},
    usage=CHAT_USAGE,
)
