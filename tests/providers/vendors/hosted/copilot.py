"""Copilot: refusals that people reported of its chat completions."""

from providers.vendors.conformance import (
    CHAT_ENDS,
    CHAT_USAGE,
    USER,
    Rule,
    Vendor,
    called,
    error,
    names_match,
    no_images,
    results_follow,
)

VENDOR = Vendor(
    name="copilot",
    rules=(
        Rule(
            name="images",
            source="report",
            needs_mend=True,
            check=no_images("missing required Copilot-Vision-Request header for vision requests"),
            broken={"messages": [{"role": "user", "content": [{"type": "image_url"}]}]},
        ),
        Rule(
            name="names",
            source="report",
            check=names_match(
                r"[a-zA-Z0-9_-]{1,64}",
                (
                    "Invalid 'tools[0].function.name': string does not match "
                    "pattern. Expected a string that matches the pattern "
                    "'^[a-zA-Z0-9_-]+$'."
                ),
            ),
            broken={"messages": [called(name="a.b")]},
        ),
        Rule(
            name="results",
            source="report",
            check=results_follow("No tool output found for function call {id}."),
            broken={"messages": [called(), USER]},
        ),
    ),
    too_long=(
        400,
        error(
            "prompt token count of 140000 exceeds the limit of 128000",
            code="model_max_prompt_tokens_exceeded",
        ),
    ),
    busy=(
        429,
        error(
            "Sorry, you have exceeded your rate limit. Please retry after 26 seconds.",
            code="rate_limited",
        ),
    ),
    ends={**CHAT_ENDS, "content_filter": "refusal"},
    usage=CHAT_USAGE,
)
