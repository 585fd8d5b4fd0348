"""LM Studio: refusals of its templates that people reported, and its documented ends."""

from providers.vendors.conformance import (
    CHAT_ENDS,
    CHAT_USAGE,
    USER,
    Rule,
    Vendor,
    roles_alternate,
)

VENDOR = Vendor(
    name="lm_studio",
    rules=(
        Rule(
            name="turns",
            source="report",
            check=roles_alternate(
                'Error rendering prompt with jinja template: "Conversation '
                'roles must alternate user/assistant/user/assistant/...".'
            ),
            broken={"messages": [USER, USER]},
        ),
    ),
    too_long=(
        400,
        {
            "error": (
                "The number of tokens to keep from the initial prompt is "
                "greater than the context length. Trying to keep 5000 tokens "
                "when context the overflows (n_ctx: 4096)."
            )
        },
    ),
    busy=(503, {"error": "The model is busy, try again."}),
    ends={**CHAT_ENDS, "maxPredictedTokensReached": "maxTokens", "eosFound": "endTurn"},
    usage=CHAT_USAGE,
)
