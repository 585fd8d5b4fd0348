"""MiniMax: its documented list of errors, which come beside an answer with status 200."""

from providers.vendors.conformance import (
    CHAT_ENDS,
    CHAT_USAGE,
    USER,
    Rule,
    Vendor,
    called,
    error,
    no_empty_message,
    results_follow,
)

VENDOR = Vendor(
    name="minimax",
    rules=(
        Rule(
            name="results",
            source="report",
            check=results_follow("invalid params, tool result's tool id({id}) not found (2013)"),
            broken={"messages": [called(), USER]},
        ),
        Rule(
            name="words",
            source="report",
            check=no_empty_message("invalid params, chat content is empty (2013)"),
            broken={"messages": [{"role": "assistant", "content": ""}]},
        ),
    ),
    too_long=(400, error("invalid params, context window exceeds limit (2013)")),
    busy=(200, {"base_resp": {"status_code": 1002, "status_msg": "rate limit exceeded"}}),
    ends={**CHAT_ENDS, "content_filter": "refusal"},
    usage=CHAT_USAGE,
)
