"""Gemini by its dialect of OpenAI: its documentation, and what its API was reported to refuse."""

from providers.vendors.conformance import (
    CHAT_ENDS,
    CHAT_USAGE,
    USER,
    Rule,
    Vendor,
    called,
    error,
    names_match,
    no_field,
    results_follow,
)

VENDOR = Vendor(
    name="gemini",
    rules=(
        Rule(
            name="names",
            source="documentation",
            needs_mend=True,
            check=names_match(
                r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}",
                "Invalid function name. Must start with a letter or an underscore.",
            ),
            broken={"messages": [called(name="1a")]},
        ),
        Rule(
            name="prompt_cache_key",
            source="report",
            check=no_field(
                "prompt_cache_key",
                (
                    "Invalid JSON payload received. Unknown name "
                    '"prompt_cache_key": Cannot find field.'
                ),
            ),
            broken={"messages": [], "prompt_cache_key": 1},
        ),
        Rule(
            name="results",
            source="documentation",
            check=results_follow(
                "Please ensure that function response turn comes immediately "
                "after a function call turn."
            ),
            broken={"messages": [called(), USER]},
        ),
    ),
    too_long=(
        400,
        [
            error(
                (
                    "The input token count (1200000) exceeds the maximum number of "
                    "tokens allowed (1048576)."
                ),
                code=400,
            )
        ],
    ),
    busy=(
        429,
        [
            error(
                "You exceeded your current quota. Please retry in 12.4s.",
                status="RESOURCE_EXHAUSTED",
            )
        ],
    ),
    ends={
        **CHAT_ENDS,
        "MAX_TOKENS": "maxTokens",
        "RECITATION": "refusal",
        "SAFETY": "refusal",
        "MALFORMED_FUNCTION_CALL": "cut",
    },
    usage=CHAT_USAGE,
)
