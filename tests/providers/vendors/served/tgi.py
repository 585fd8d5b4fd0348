"""Text Generation Inference: its checks of a body and of the sum of both lengths."""

from providers.vendors.conformance import (
    CHAT_ENDS,
    CHAT_USAGE,
    USER,
    Rule,
    Vendor,
    roles_alternate,
)

VENDOR = Vendor(
    name="tgi",
    rules=(
        Rule(
            name="turns",
            source="report",
            check=roles_alternate(
                "Template error: Conversation roles must alternate "
                "user/assistant/user/assistant/..."
            ),
            broken={"messages": [USER, USER]},
            status=422,
        ),
    ),
    too_long=(
        422,
        {
            "error": (
                "Input validation error: `inputs` tokens + `max_new_tokens` "
                "must be <= 4096. Given: 5000 `inputs` tokens and 1024 "
                "`max_new_tokens`"
            ),
            "error_type": "validation",
        },
    ),
    busy=(429, {"error": "Model is overloaded", "error_type": "overloaded"}),
    ends={**CHAT_ENDS, "eos_token": "endTurn", "stop_sequence": "endTurn"},
    usage=CHAT_USAGE,
)
