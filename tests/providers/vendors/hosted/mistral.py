"""Mistral: ids, order and fields as its API refuses them, and its documentation of ends."""

from providers.vendors.conformance import (
    CHAT_ENDS,
    CHAT_USAGE,
    RESULT,
    USER,
    Rule,
    Vendor,
    called,
    error,
    ids_match,
    no_empty_message,
    no_field,
    no_role_after,
)

VENDOR = Vendor(
    name="mistral",
    rules=(
        Rule(
            name="ids",
            source="report",
            needs_mend=True,
            check=ids_match(
                r"[a-zA-Z0-9]{9}",
                "Tool call id was {id} but must be a-z, A-Z, 0-9, with a length of 9.",
            ),
            broken={"messages": [called()]},
        ),
        Rule(
            name="order",
            source="report",
            check=no_role_after("user", "tool", "Unexpected role 'user' after role 'tool'"),
            broken={"messages": [RESULT, USER]},
        ),
        Rule(
            name="words",
            source="report",
            check=no_empty_message(
                "Assistant message must have either content or tool_calls, but not none."
            ),
            broken={"messages": [{"role": "assistant", "content": ""}]},
        ),
        Rule(
            name="prompt_cache_key",
            source="report",
            check=no_field("prompt_cache_key", "Extra inputs are not permitted: prompt_cache_key"),
            broken={"messages": [], "prompt_cache_key": 1},
            status=422,
        ),
    ),
    too_long=(
        400,
        error(
            (
                "Prompt contains 40000 tokens and 0 draft tokens, too large for"
                " model with 32768 maximum context length"
            ),
            code="3051",
        ),
    ),
    busy=(429, error("Service tier capacity exceeded for this model.", code="3505")),
    ends={**CHAT_ENDS, "model_length": "maxTokens"},
    usage=CHAT_USAGE,
)
