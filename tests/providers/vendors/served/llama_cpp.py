"""llama.cpp: its own checks, and those of the templates that it runs, as people reported them."""

from plimsoll.providers.base import Usage
from providers.vendors.conformance import (
    CHAT_ENDS,
    USER,
    Rule,
    Vendor,
    arguments_are_objects,
    called,
    error,
    roles_alternate,
)

VENDOR = Vendor(
    name="llama_cpp",
    rules=(
        Rule(
            name="arguments",
            source="report",
            check=arguments_are_objects("parse error: invalid literal in function arguments"),
            broken={"messages": [called(arguments="{")]},
        ),
        Rule(
            name="turns",
            source="report",
            check=roles_alternate(
                "Conversation roles must alternate user/assistant/user/assistant/..."
            ),
            broken={"messages": [USER, USER]},
            status=500,
        ),
    ),
    too_long=(
        400,
        error(
            "the request exceeds the available context size, try increasing it",
            type="exceed_context_size_error",
            n_prompt_tokens=5000,
            n_ctx=4096,
        ),
    ),
    busy=(503, error("Loading model", code=503)),
    ends=CHAT_ENDS,
    usage=(
        {
            "prompt_tokens": 1000,
            "completion_tokens": 5,
            "prompt_tokens_details": {"cached_tokens": 900},
        },
        Usage(1000, 5, 900),
    ),
)
