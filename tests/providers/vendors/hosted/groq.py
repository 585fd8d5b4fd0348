"""Groq: refusals as its API words them, and the headers of its limits."""

from plimsoll.providers.base import Usage
from providers.vendors.conformance import (
    CHAT_ENDS,
    USER,
    Rule,
    Vendor,
    called,
    error,
    no_field,
    results_follow,
)

VENDOR = Vendor(
    name="groq",
    rules=(
        Rule(
            name="reasoning_content",
            source="report",
            check=no_field(
                "reasoning_content",
                (
                    "'messages.2' : for 'role:assistant' the following must be "
                    "satisfied[('messages.2' : property 'reasoning_content' is "
                    "unsupported)]"
                ),
            ),
            broken={"messages": [], "reasoning_content": 1},
        ),
        Rule(
            name="results",
            source="report",
            check=results_follow("tool_call_id {id} has no response message"),
            broken={"messages": [called(), USER]},
        ),
    ),
    too_long=(
        400,
        error(
            "Please reduce the length of the messages or completion.",
            code="context_length_exceeded",
        ),
    ),
    busy=(
        429,
        error(
            (
                "Rate limit reached for model `m` on tokens per minute (TPM): "
                "Limit 6000, Used 5000, Requested 2000. Please try again in "
                "10s."
            ),
            code="rate_limit_exceeded",
        ),
    ),
    ends=CHAT_ENDS,
    usage=({"prompt_tokens": 1000, "completion_tokens": 5, "queue_time": 0.02}, Usage(1000, 5)),
)
