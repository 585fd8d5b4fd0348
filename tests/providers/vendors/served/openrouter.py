"""OpenRouter: its documentation of errors, which hand on those of the provider behind it."""

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
)

VENDOR = Vendor(
    name="openrouter",
    rules=(
        Rule(
            name="names",
            source="report",
            check=names_match(
                r"[a-zA-Z0-9_-]{1,64}",
                (
                    "Provider returned error: tools.0.custom.name: String should "
                    "match pattern '^[a-zA-Z0-9_-]{{1,64}}$'"
                ),
            ),
            broken={"messages": [called(name="a.b")]},
        ),
        Rule(
            name="results",
            source="report",
            check=results_follow(
                "Provider returned error: tool_use ids were found without tool_result blocks: {id}"
            ),
            broken={"messages": [called(), USER]},
        ),
    ),
    too_long=(
        400,
        error(
            (
                "This endpoint's maximum context length is 128000 tokens. "
                "However, you requested about 140000 tokens (136000 of text "
                "input, 4000 in the output)."
            ),
            code=400,
        ),
    ),
    busy=(502, error("Provider returned error", code=502, metadata={"raw": "overloaded"})),
    ends={**CHAT_ENDS, "content_filter": "refusal"},
    usage=(
        {
            "prompt_tokens": 1000,
            "completion_tokens": 5,
            "cost": 0.01,
            "prompt_tokens_details": {"cached_tokens": 900},
        },
        Usage(1000, 5, 900),
    ),
)
