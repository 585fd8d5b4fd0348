"""z.ai: its list of errors and its ends, from its documentation."""

from plimsoll.providers.base import Usage
from providers.vendors.conformance import (
    CHAT_ENDS,
    USER,
    Rule,
    Vendor,
    called,
    error,
    no_empty_message,
    no_images,
    results_follow,
)

VENDOR = Vendor(
    name="zai",
    rules=(
        Rule(
            name="images",
            source="report",
            needs_mend=True,
            check=no_images("1210: API parameter error: this model does not support image input"),
            broken={"messages": [{"role": "user", "content": [{"type": "image_url"}]}]},
        ),
        Rule(
            name="messages",
            source="documentation",
            check=no_empty_message(
                "The messages parameter is illegal. Please check the documentation."
            ),
            broken={"messages": [{"role": "assistant", "content": ""}]},
        ),
        Rule(
            name="results",
            source="report",
            check=results_follow("The messages parameter is illegal: tool_calls without a result."),
            broken={"messages": [called(), USER]},
        ),
    ),
    too_long=(400, error("Prompt exceeds max length", code="1261")),
    busy=(
        429,
        error("High concurrency usage of this API, please reduce concurrency.", code="1302"),
    ),
    ends={
        **CHAT_ENDS,
        "sensitive": "refusal",
        "network_error": "cut",
        "model_context_window_exceeded": "maxTokens",
    },
    usage=(
        {
            "prompt_tokens": 1000,
            "completion_tokens": 5,
            "prompt_tokens_details": {"cached_tokens": 900},
        },
        Usage(1000, 5, 900),
    ),
)
