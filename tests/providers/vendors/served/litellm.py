"""LiteLLM's proxy: the names that it puts before the words of the provider behind it."""

from providers.vendors.conformance import (
    CHAT_ENDS,
    CHAT_USAGE,
    USER,
    Rule,
    Vendor,
    called,
    error,
    no_field,
    results_follow,
)

VENDOR = Vendor(
    name="litellm",
    rules=(
        Rule(
            name="prompt_cache_key",
            source="report",
            check=no_field(
                "prompt_cache_key",
                (
                    "litellm.UnsupportedParamsError: m does not support parameters:"
                    " ['prompt_cache_key']"
                ),
            ),
            broken={"messages": [], "prompt_cache_key": 1},
        ),
        Rule(
            name="results",
            source="report",
            check=results_follow(
                "litellm.BadRequestError: tool_use ids were found without tool_result blocks: {id}"
            ),
            broken={"messages": [called(), USER]},
        ),
    ),
    too_long=(
        400,
        error(
            (
                "litellm.ContextWindowExceededError: prompt is too long: 210000"
                " tokens > 200000 maximum"
            ),
            code="400",
        ),
    ),
    busy=(
        429,
        error(
            (
                "litellm.RateLimitError: No deployments available for selected "
                "model, Try again in 5 seconds."
            ),
            code="429",
        ),
    ),
    ends=CHAT_ENDS,
    usage=CHAT_USAGE,
)
