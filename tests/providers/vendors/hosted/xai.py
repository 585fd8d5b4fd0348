"""xAI: its documentation, and refusals that people reported."""

from providers.vendors.conformance import (
    CHAT_ENDS,
    CHAT_USAGE,
    USER,
    Rule,
    Vendor,
    called,
    no_empty_message,
    results_follow,
)

VENDOR = Vendor(
    name="xai",
    rules=(
        Rule(
            name="words",
            source="report",
            check=no_empty_message("Each message must have at least one content element."),
            broken={"messages": [{"role": "assistant", "content": ""}]},
        ),
        Rule(
            name="results",
            source="report",
            check=results_follow("Invalid request content: tool call {id} has no result."),
            broken={"messages": [called(), USER]},
        ),
    ),
    too_long=(
        400,
        {
            "code": "Client specified an invalid argument",
            "error": (
                "This model's maximum prompt length is 131072 but the request "
                "contains 140000 tokens."
            ),
        },
    ),
    busy=(
        503,
        {
            "code": "The service is currently unavailable",
            "error": "Service temporarily unavailable. The model is at capacity.",
        },
    ),
    ends={**CHAT_ENDS, "end_turn": "endTurn"},
    usage=CHAT_USAGE,
)
