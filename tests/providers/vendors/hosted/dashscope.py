"""DashScope: words of its refusals as people reported them."""

from providers.vendors.conformance import (
    CHAT_ENDS,
    CHAT_USAGE,
    USER,
    Rule,
    Vendor,
    arguments_are_objects,
    called,
    error,
    results_follow,
)

VENDOR = Vendor(
    name="dashscope",
    rules=(
        Rule(
            name="arguments",
            source="report",
            check=arguments_are_objects(
                "<400> InternalError.Algo.InvalidParameter: The "
                '"function.arguments" parameter of the code model must be in '
                "JSON format."
            ),
            broken={"messages": [called(arguments="{")]},
        ),
        Rule(
            name="results",
            source="report",
            check=results_follow(
                "<400> InternalError.Algo.InvalidParameter: An assistant "
                'message with "tool_calls" must be followed by tool messages '
                'responding to each "tool_call_id".'
            ),
            broken={"messages": [called(), USER]},
        ),
    ),
    too_long=(
        400,
        error(
            "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]"
        ),
    ),
    busy=(
        429,
        error("Requests rate limit exceeded, please try again later.", code="limit_requests"),
    ),
    ends=CHAT_ENDS,
    usage=CHAT_USAGE,
)
