"""Kimi of Moonshot: words of its refusals as people reported them."""

from plimsoll.providers.base import Usage
from providers.vendors.conformance import (
    CHAT_ENDS,
    USER,
    Rule,
    Vendor,
    called,
    error,
    names_match,
    no_empty_message,
    results_follow,
    thoughts_beside_calls,
)

VENDOR = Vendor(
    name="kimi",
    rules=(
        Rule(
            name="thoughts",
            source="report",
            needs_mend=True,
            check=thoughts_beside_calls(
                "thinking is enabled but reasoning_content is missing in "
                "assistant tool call message at index 2"
            ),
            broken={"messages": [called()]},
        ),
        Rule(
            name="names",
            source="report",
            needs_mend=True,
            check=names_match(
                r"[a-zA-Z][a-zA-Z0-9_-]{0,63}",
                (
                    "Invalid request: function name is invalid, must start with a "
                    "letter and can contain letters, numbers, underscores, and "
                    "dashes"
                ),
            ),
            broken={"messages": [called(name="1.b")]},
        ),
        Rule(
            name="words",
            source="report",
            check=no_empty_message(
                "Invalid request: message at position 2 with role 'assistant' must not be empty"
            ),
            broken={"messages": [{"role": "assistant", "content": ""}]},
        ),
        Rule(
            name="results",
            source="report",
            check=results_follow("Invalid request: tool_call_id {id} is not found"),
            broken={"messages": [called(), USER]},
        ),
    ),
    too_long=(
        400,
        error(
            "Invalid request: Your request exceeded model token limit: 131072",
            type="invalid_request_error",
        ),
    ),
    busy=(
        429,
        error(
            "The engine is currently overloaded, please try again after 1 seconds",
            type="engine_overloaded_error",
        ),
    ),
    ends={**CHAT_ENDS, "content_filter": "refusal"},
    usage=(
        {"prompt_tokens": 1000, "completion_tokens": 5, "cached_tokens": 900},
        Usage(1000, 5, 900),
    ),
)
