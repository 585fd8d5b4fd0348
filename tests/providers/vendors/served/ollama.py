"""Ollama by its dialect of OpenAI; a longer prompt it cuts without a word."""

from providers.vendors.conformance import (
    CHAT_ENDS,
    CHAT_USAGE,
    Rule,
    Vendor,
    arguments_are_objects,
    called,
    error,
    no_images,
)

VENDOR = Vendor(
    name="ollama",
    rules=(
        Rule(
            name="images",
            source="report",
            needs_mend=True,
            check=no_images("this model is missing data required for image input"),
            broken={"messages": [{"role": "user", "content": [{"type": "image_url"}]}]},
        ),
        Rule(
            name="arguments",
            source="report",
            check=arguments_are_objects(
                "json: cannot unmarshal string into Go struct field "
                ".messages.tool_calls.function.arguments of type "
                "api.ToolCallFunctionArguments"
            ),
            broken={"messages": [called(arguments="{")]},
        ),
    ),
    too_long=(400, error("the input length exceeds the context length")),
    busy=(503, error("server busy, please try again. maximum pending requests exceeded")),
    ends={**CHAT_ENDS, "load": "cut"},
    usage=CHAT_USAGE,
)
