"""DeepSeek: its documentation of thinking with tools, its list of errors and its ends."""

from plimsoll.providers.base import Usage
from providers.vendors.conformance import (
    CHAT_ENDS,
    USER,
    Rule,
    Vendor,
    called,
    error,
    names_match,
    results_follow,
    thoughts_beside_calls,
)

VENDOR = Vendor(
    name="deepseek",
    rules=(
        Rule(
            name="thoughts",
            source="report",
            needs_mend=True,
            check=thoughts_beside_calls(
                "Missing `reasoning_content` field in the assistant message at message index 1."
            ),
            broken={"messages": [called()]},
        ),
        Rule(
            name="results",
            source="report",
            check=results_follow(
                "An assistant message with 'tool_calls' must be followed by "
                "tool messages responding to each 'tool_call_id'."
            ),
            broken={"messages": [called(), USER]},
        ),
        Rule(
            name="names",
            source="documentation",
            check=names_match(
                r"[a-zA-Z0-9_-]{1,64}",
                (
                    "Invalid 'tools[0].function.name': string does not match "
                    "pattern. Expected a string that matches the pattern "
                    "'^[a-zA-Z0-9_-]+$'."
                ),
            ),
            broken={"messages": [called(name="a.b")]},
        ),
    ),
    too_long=(
        400,
        error(
            "This model's maximum context length is 131072 tokens. However,"
            " you requested 140000 tokens (136000 in the messages, 4000 in "
            "the completion)."
        ),
    ),
    busy=(
        503,
        error(
            "Service is too busy. We advise users to temporarily switch to "
            "alternative LLM API service providers."
        ),
    ),
    ends={**CHAT_ENDS, "content_filter": "refusal", "insufficient_system_resource": "cut"},
    usage=(
        {"prompt_tokens": 1000, "completion_tokens": 5, "prompt_cache_hit_tokens": 900},
        Usage(1000, 5, 900),
    ),
)
