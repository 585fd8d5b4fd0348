"""SGLang: its own checks, and its words for an end that is none."""

from providers.vendors.conformance import (
    CHAT_ENDS,
    CHAT_USAGE,
    USER,
    Rule,
    Vendor,
    arguments_are_objects,
    called,
    error,
    roles_alternate,
)

VENDOR = Vendor(
    name="sglang",
    rules=(
        Rule(
            name="arguments",
            source="report",
            check=arguments_are_objects("Can only get item pairs from a mapping."),
            broken={"messages": [called(arguments="{")]},
        ),
        Rule(
            name="turns",
            source="report",
            check=roles_alternate(
                "Conversation roles must alternate user/assistant/user/assistant/..."
            ),
            broken={"messages": [USER, USER]},
        ),
    ),
    too_long=(
        400,
        error(
            "The input (140000 tokens) is longer than the model's context length (131072 tokens)."
        ),
    ),
    busy=(503, error("Server is busy: the request queue is full.")),
    ends={**CHAT_ENDS, "abort": "cut"},
    usage=CHAT_USAGE,
)
