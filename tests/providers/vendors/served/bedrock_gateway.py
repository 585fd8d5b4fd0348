"""Bedrock behind a gateway: the rules of Converse, from its API reference."""

from providers.vendors.conformance import (
    CHAT_ENDS,
    CHAT_USAGE,
    USER,
    Rule,
    Vendor,
    called,
    error,
    ids_match,
    names_match,
    no_empty_message,
    results_follow,
)

VENDOR = Vendor(
    name="bedrock",
    rules=(
        Rule(
            name="names",
            source="documentation",
            check=names_match(
                r"[a-zA-Z0-9_-]{1,64}",
                (
                    "Value 'a.b' at 'toolConfig.tools.1.member.toolSpec.name' "
                    "failed to satisfy constraint: Member must satisfy regular "
                    "expression pattern: [a-zA-Z0-9_-]+"
                ),
            ),
            broken={"messages": [called(name="a.b")]},
        ),
        Rule(
            name="ids",
            source="documentation",
            check=ids_match(
                r"[a-zA-Z0-9_.:-]{1,64}",
                (
                    "Value '{id}' at 'messages.2.content.1.toolUse.toolUseId' "
                    "failed to satisfy constraint: Member must have length less "
                    "than or equal to 64"
                ),
            ),
            broken={"messages": [called(own="c" * 65)]},
        ),
        Rule(
            name="results",
            source="report",
            check=results_follow(
                "Expected toolResult blocks at messages.2.content for the following Ids: {id}"
            ),
            broken={"messages": [called(), USER]},
        ),
        Rule(
            name="words",
            source="report",
            check=no_empty_message(
                "The text field in the ContentBlock object at "
                "messages.1.content.0 is blank. Add text to the text field, and"
                " try again."
            ),
            broken={"messages": [{"role": "assistant", "content": ""}]},
        ),
    ),
    too_long=(400, error("Input is too long for requested model.")),
    busy=(
        429,
        error("Too many requests, please wait before trying again.", code="ThrottlingException"),
    ),
    ends={**CHAT_ENDS, "guardrail_intervened": "refusal", "end_turn": "endTurn"},
    usage=CHAT_USAGE,
)
