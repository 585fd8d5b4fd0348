"""OpenAI, chat completions. Names, ids and fields: its API reference and its own refusals."""

from plimsoll.providers.base import CacheWrites, Usage
from providers.vendors.conformance import (
    CHAT_ENDS,
    RESULT,
    USER,
    Rule,
    Vendor,
    called,
    error,
    ids_match,
    names_match,
    no_field,
    results_follow,
)

VENDOR = Vendor(
    name="openai",
    rules=(
        Rule(
            name="names",
            source="documentation",
            check=names_match(
                r"[a-zA-Z0-9_-]{1,64}",
                "Invalid 'messages[2].tool_calls[0].function.name': string does not match "
                "pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
            ),
            broken={"messages": [called(name="a.b"), RESULT]},
        ),
        Rule(
            name="ids",
            source="report",
            check=ids_match(
                r".{1,40}",
                "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with "
                "maximum length 40, but got a string with length {length} instead.",
            ),
            broken={"messages": [called(own="c" * 41)]},
        ),
        Rule(
            name="results",
            source="documentation",
            check=results_follow(
                "An assistant message with 'tool_calls' must be followed by tool messages "
                "responding to each 'tool_call_id'. The following tool_call_ids did not have "
                "response messages: {id}"
            ),
            broken={"messages": [called(), USER]},
        ),
        Rule(
            name="limit",
            source="documentation",
            needs_mend=True,
            check=no_field(
                "max_tokens",
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
                "'max_completion_tokens' instead.",
            ),
            broken={"messages": [], "max_tokens": 5},
            code="unsupported_parameter",
        ),
    ),
    too_long=(
        400,
        error(
            "This model's maximum context length is 128000 tokens. However, your messages "
            "resulted in 130000 tokens.",
            code="context_length_exceeded",
        ),
    ),
    busy=(429, error("Rate limit reached. Please try again in 1.2s.", code="rate_limit_exceeded")),
    ends={**CHAT_ENDS, "content_filter": "refusal", "tool_calls": "endTurn"},
    usage=(
        {
            "prompt_tokens": 1000,
            "completion_tokens": 5,
            "prompt_tokens_details": {"cached_tokens": 900},
        },
        Usage(1000, 5, 900, CacheWrites(0)),
    ),
)
