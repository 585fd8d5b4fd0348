"""What a refusal complains about, in the words of the vendors; other wordings of a kind too."""

import pytest

from plimsoll.errors import Fix, ProviderAnswer, ProviderError, ProviderModel
from plimsoll.providers.http.complaints import STATUS_OF_TYPE, Complaint, complaint_of
from plimsoll.providers.http.faults import translate
from plimsoll.providers.http.refusals import (
    ITS_WORDS,
    OF_SAFETY,
    TAKES_NO_TOOLS,
    refusal_of,
)
from plimsoll.providers.http.site import Site, without_keys
from plimsoll.providers.http.stated_sizes import stated_sizes

LENGTH = (
    "The input (14929 tokens) is longer than the model's context length (8192 tokens).",
    "Invalid request: Your request exceeded model token limit: 8192 (requested: 14929)",
    "This model's maximum prompt length is 8192 but the request contains 14929 tokens.",
    "Prompt exceeds max length",
    "invalid params, context window exceeds limit (2013)",
    "prompt token count of 14929 exceeds the limit of 8192",
    "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 8192]",
    (
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8192. Given: 14929 "
        "`inputs` tokens and 1024 `max_new_tokens`"
    ),
    (
        "The number of tokens to keep from the initial prompt is greater than the context length "
        "(n_keep: 14929>= n_ctx: 8192)."
    ),
    "Total tokens of image and text exceed max message tokens.",
    "Requested input length 14929 exceeds maximum input length 8192",
    "length of prompt_tokens (14929) must be less than max_seq_len (8192).",
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "input length and `max_tokens` exceed context limit: 190000 + 16000 > 200000",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "Requested token count exceeds the model's maximum context length of 131072 tokens.",
    "the request exceeds the available context size, try increasing it",
    "Input is too long for requested model.",
)
ID = (
    (
        "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum "
        "length 64, but got a string with length 84 instead."
    ),
    "Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.",
    "messages.1.content.1.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    "Invalid 'input[3].call_id': string too long.",
)
NAME = (
    "Invalid function name in the history: it must match ^[a-zA-Z0-9_-]{1,64}$",
    "Invalid 'tools[0].function.name': string does not match pattern.",
    "messages.1.content.0.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    "Function name was a.b but must be a-z, A-Z, 0-9, or contain underscores and dashes.",
)
ORDER = (
    "Unexpected role 'user' after role 'tool'",
    "After the optional system message, conversation roles must alternate user and assistant roles",
    "Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant",
    "deepseek-reasoner does not support successive user or assistant messages",
    'messages: roles must alternate between "user" and "assistant", but found multiple',
    "System role not supported",
    "Please ensure that function call turn comes immediately after a user turn",
    "This model does not support assistant message prefill. The conversation must end with a user",
)
IMAGE = (
    "Could not process image",
    (
        "messages.0.content.1.image.source.base64.data: At least one of the image dimensions "
        "exceed max allowed size for many-image requests: 2000 pixels"
    ),
    "You uploaded an unsupported image. Please make sure your image is valid.",
    "image input is not supported by this model",
    "messages.3.content.0.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880",
    "unknown variant `image_url`, expected `text`",
    "At most 1 image(s) may be provided in one request.",
)
REASONING = (
    "messages.1.content.0: Invalid `signature` in `thinking` block",
    "The `reasoning_content` in the thinking mode must be passed back to the API.",
    "Function call is missing a thought_signature in functionCall parts.",
    "The encrypted content gAAA could not be verified.",
    "Encrypted content is not supported with this model.",
)
FIELD = (
    "Unrecognized request argument supplied: stream_options",
    (
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
        "'max_completion_tokens' instead."
    ),
    "property 'parallel_tool_calls' is unsupported",
    "[{'type': 'extra_forbidden', 'loc': ('body', 'store'), 'msg': 'Extra inputs not permitted'}]",
)
OUTPUT = (
    "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]",
    (
        "max_tokens is too large: 16000. This model supports at most 4096 completion tokens, "
        "whereas you provided 16000."
    ),
    "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens`",
    "max_tokens: 16000 > 8192, which is the maximum allowed number of output tokens for this model",
)
TOOL = ("Invalid schema for function 'grep': array schema missing items.",)
EMPTY = (
    "messages: text content blocks must be non-empty",
    "all messages must have non-empty content except for the optional final assistant message",
)
TABLE = {
    "length": LENGTH,
    "id": ID,
    "name": NAME,
    "order": ORDER,
    "image": IMAGE,
    "reasoning": REASONING,
    "field": FIELD,
    "output": OUTPUT,
    "tool": TOOL,
    "empty": EMPTY,
}
CASES = [(kind, words) for kind, told in TABLE.items() for words in told]


@pytest.mark.parametrize(("kind", "words"), CASES)
def test_the_words_of_vendors_tell_what_they_refuse(kind: str, words: str):
    assert refusal_of(words, 400).kind == kind


@pytest.mark.parametrize(
    "words",
    ["", "no luck", "Bad Request", "<html><title>400</title></html>", "Something went wrong."],
)
def test_words_that_say_nothing_fit_no_kind(words: str):
    assert refusal_of(words, 400).kind is None


def test_what_a_template_raises_is_read_of_a_server_that_failed():
    assert refusal_of("Conversation roles must alternate user/assistant", 500).kind == "order"
    assert refusal_of("Invalid value somewhere", 500).kind is None
    assert refusal_of("<html>roles must alternate</html>", 502).kind is None


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("Invalid prompt: your prompt was flagged, see docs/guides/reasoning", "invalid_prompt"),
        ("Your request was rejected as a result of our safety system. It is not allowed.", ""),
        ("The field was not accepted.", "content_filter"),
    ],
)
def test_a_refusal_of_what_was_said_is_no_matter_of_how_it_is_rendered(words: str, code: str):
    assert refusal_of(words, 400, code).kind is None
    assert refusal_of(f"{words} (image)", 400, code).kind == "image"


@pytest.mark.parametrize("status", [401, 402, 403, 408, 503])
def test_the_status_of_another_trouble_says_more_than_words_of_a_field(status: int):
    words = "Unsupported parameter: 'temperature' is not supported with this model."
    assert refusal_of(words, 400).kind is not None
    assert refusal_of(words, status).kind is None


def test_a_server_that_fails_for_a_while_has_refused_nothing():
    assert refusal_of("No available capacity for reasoning", 503).kind is None


def refused_by(model: str, status: int, words: str) -> ProviderError:
    url = "http://host/v1/chat/completions"
    site = Site(url=url, path="/chat/completions", model=model, key_env="KEY")
    return translate(Complaint(message=words, status=status), site)


@pytest.mark.parametrize("kind", [kind for kind, code in STATUS_OF_TYPE.items() if code >= 500])
def test_a_server_that_says_that_it_fails_may_answer_soon(kind: str):
    """Inside a stream that has begun there is no status beside these words."""
    complaint = complaint_of({"error": {"type": kind, "message": "Sorry."}})
    assert translate(complaint, Site(url="http://host/v1", model="m", key_env="KEY")).passing


@pytest.mark.parametrize("kind", STATUS_OF_TYPE)
def test_a_type_without_a_status_stands_for_one_of_http(kind: str):
    found = complaint_of({"error": {"type": kind.upper(), "message": "Sorry."}}).status
    assert found in {400, 401, 402, 403, 404, 413, 429, 500, 502, 503, 504, 529}
    told = complaint_of({"error": {"type": kind, "message": "Sorry."}}, 418)
    assert told.status == 418


@pytest.mark.parametrize("secret", [None, ""])
def test_what_is_said_of_a_missing_key_stays_readable(secret: str | None):
    site = Site(url="http://host/v1", model="m", key_env="KEY", secret=secret)
    told = "A missing key is not valid here."
    assert without_keys(told, site) == told


def test_a_demand_for_money_is_no_limit_that_passes():
    error = refused_by("m", 402, "Payment Required")
    assert "has no quota left for" in error.message
    assert error.fix == Fix(kind="account")


@pytest.mark.parametrize("model", ["gpt-4-vision-preview", "us/kimi-k2-thinking", "grok-reasoning"])
@pytest.mark.parametrize("status", [400, 404])
def test_the_name_of_a_model_is_no_complaint(model: str, status: int):
    told = (f"The model `{model}` does not exist", f"model {model.rpartition('/')[2]} not found")
    for words in told:
        error = refused_by(model, status, words)
        assert isinstance(error, ProviderModel)
        assert error.refusal.kind is None
        assert words in error.message


def test_a_safety_check_is_no_wrong_key():
    error = refused_by("grok-4", 403, "Content violates usage guidelines.")
    assert isinstance(error, ProviderAnswer)
    assert "key" not in error.remedy


@pytest.mark.parametrize(
    ("status", "words", "remedy"),
    [
        (400, "library/gemma:2b does not support tools", TAKES_NO_TOOLS),
        (400, '"auto" tool choice requires --enable-auto-tool-choice', TAKES_NO_TOOLS),
        (404, "No endpoints found that support tool use. See model routing.", TAKES_NO_TOOLS),
        (404, "No endpoints found matching your data policy for gemma", ITS_WORDS),
        (400, "Your request was rejected as a result of our safety system.", OF_SAFETY),
        (400, "Access denied, please make sure your account is in good standing.", ITS_WORDS),
    ],
)
def test_a_remedy_fits_what_was_refused(status: int, words: str, remedy: str):
    error = refused_by("gemma", status, words)
    assert isinstance(error, ProviderAnswer)
    assert words in error.message
    assert error.remedy == remedy


@pytest.mark.parametrize("status", [429, 413])
def test_a_limit_of_tokens_in_a_time_is_no_length(status: int):
    words = "Request too large for m on tokens per min (TPM): Limit 30000, Requested 31250."
    assert refusal_of(words, status).kind == "rate"


@pytest.mark.parametrize(
    ("words", "sizes"),
    [
        (LENGTH[0], (14929, 8192)),
        (LENGTH[1], (14929, 8192)),
        (LENGTH[2], (14929, 8192)),
        (LENGTH[6], (None, 8192)),
        (LENGTH[7], (None, 8192)),
        (LENGTH[8], (14929, 8192)),
        # A code, which is no window.
        ("invalid params, context window exceeds limit (2013)", (None, None)),
        ("<400> Prompt exceeds max length, code 1261", (None, None)),
    ],
)
def test_sizes_are_read_in_whatever_words(words: str, sizes: tuple[int | None, int | None]):
    assert stated_sizes(words) == sizes
