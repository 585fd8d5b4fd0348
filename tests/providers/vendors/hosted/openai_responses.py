"""OpenAI, responses: its API reference, and what people reported of items out of their place."""

from plimsoll.providers.base import Usage
from providers.vendors.conformance import (
    Body,
    Rule,
    Vendor,
    error,
    ids_match,
    messages,
    names_match,
)


def outputs_have_calls(body: Body) -> str | None:
    known = {item.get("call_id") for item in messages(body) if item.get("type") == "function_call"}
    for item in messages(body):
        if item.get("type") == "function_call_output" and item["call_id"] not in known:
            return f"No tool call found for function call output with call_id {item['call_id']}."
    return None


def reasoning_leads_on(body: Body) -> str | None:
    kinds = [item.get("type") for item in messages(body)]
    if kinds[-1:] == ["reasoning"]:
        return "Item 'rs_1' of type 'reasoning' was provided without its required following item."
    return None


CALL = {"type": "function_call", "call_id": "c" * 65, "name": "a.b", "arguments": "{}"}
VENDOR = Vendor(
    name="openai-responses",
    dialect="openai-responses",
    rules=(
        Rule(
            name="names",
            source="documentation",
            check=names_match(
                r"[a-zA-Z0-9_-]{1,64}",
                "Invalid 'input[2].name': string does not match pattern. Expected a string that "
                "matches the pattern '^[a-zA-Z0-9_-]+$'.",
            ),
            broken={"input": [CALL]},
        ),
        Rule(
            name="ids",
            source="report",
            check=ids_match(
                r".{1,64}",
                "Invalid 'input[2].call_id': string too long. Expected a string with maximum "
                "length 64, but got a string with length {length} instead.",
            ),
            broken={"input": [CALL]},
        ),
        Rule(
            name="results",
            source="documentation",
            check=outputs_have_calls,
            broken={"input": [{"type": "function_call_output", "call_id": "c", "output": "x"}]},
        ),
        Rule(
            name="reasoning",
            source="report",
            check=reasoning_leads_on,
            broken={"input": [{"type": "reasoning"}]},
        ),
    ),
    too_long=(
        400,
        error(
            "Your input exceeds the context window of this model. Please adjust your input and "
            "try again.",
            code="context_length_exceeded",
        ),
    ),
    busy=(503, error("Our servers are currently overloaded.", code="server_is_overloaded")),
    ends={"max_output_tokens": "maxTokens", "content_filter": "refusal"},
    usage=(
        {
            "input_tokens": 1000,
            "output_tokens": 5,
            "input_tokens_details": {"cached_tokens": 900},
        },
        Usage(1000, 5, 900),
    ),
)
