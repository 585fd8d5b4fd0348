"""What the openai kind makes of refusals, and how often it asks again."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from plimsoll.errors import (
    ProviderAnswer,
    ProviderAuth,
    ProviderError,
    ProviderModel,
    ProviderOverflow,
    ProviderRateLimited,
    ProviderUnavailable,
)
from plimsoll.providers.base import ProviderOptions
from plimsoll.providers.openai import OpenAI
from providers.fault_server import Reply, broken, document, fault_server, stream
from providers.support import GOOD, KEY, KINDS, WHOLE, collected, failing, openai, outcome


@pytest.mark.parametrize(
    ("status", "payload", "kind", "says"),
    [
        (
            401,
            {"error": {"message": f"Incorrect API key provided: {KEY}"}},
            ProviderAuth,
            "(401): Incorrect API key provided: [key]",
        ),
        (
            401,
            {"error": {"message": f"No such key: {KEY[:8]}***{KEY[-4:]}. See https://h/api-keys."}},
            ProviderAuth,
            "(401): No such key: [key] See https://h/api-keys.",
        ),
        (401, {"error": {"message": f"({KEY[:6]}) is not known"}}, ProviderAuth, "[key] is not kn"),
        (403, {"error": {"message": f"{KEY} may not"}}, ProviderAuth, "does not accept"),
        (
            404,
            {"error": {"code": "model_not_found", "message": "The model does not exist"}},
            ProviderModel,
            "some-model",
        ),
        (404, {"error": "model 'x' not found, try pulling it first"}, ProviderModel, "try pulling"),
        (404, b"<html>no model here</html>", ProviderUnavailable, "Nothing is served at this"),
        (404, {"detail": "Not Found"}, ProviderUnavailable, "Nothing is served at this"),
        (405, {"detail": "Method Not Allowed"}, ProviderUnavailable, "Nothing is served at this"),
        (404, {"error": {"message": "some-model: unknown"}}, ProviderModel, "unknown"),
        (400, {"error": {"message": "No connected db."}}, ProviderAuth, "does not accept"),
        (
            400,
            [
                {
                    "error": {
                        "code": 400,
                        "message": "API key not valid. Please pass a valid one.",
                    }
                }
            ],
            ProviderAuth,
            "does not accept",
        ),
        (
            400,
            {"message": "The provided model identifier is invalid."},
            ProviderModel,
            "identifier is invalid",
        ),
        (400, {"error": {"message": "Model foo/bar-1.5 is not supported"}}, ProviderModel, "foo"),
        (
            400,
            {"error": {"message": "'top_k' is not supported with this model"}},
            ProviderAnswer,
            "top_k",
        ),
        (
            400,
            {"error": {"message": "Your credit balance is too low to access the API."}},
            ProviderRateLimited,
            "has no quota left",
        ),
        (
            502,
            {
                "error": {
                    "message": "Provider returned error",
                    "code": 502,
                    "metadata": {"raw": '{"error":{"message":"GPU on fire"}}'},
                }
            },
            ProviderUnavailable,
            "Provider returned error: GPU on fire",
        ),
        (
            400,
            {"error": {"message": "Provider error", "metadata": {"raw": "prompt is too long"}}},
            ProviderOverflow,
            "prompt is too long",
        ),
        (
            400,
            b"Client sent an HTTP request to an HTTPS server.\n",
            ProviderUnavailable,
            "speaks https alone",
        ),
        (
            400,
            {"error": {"message": "x is not a valid model ID", "code": 400}},
            ProviderModel,
            "not a valid",
        ),
        (400, {"error": {"message": f"no tools for {KEY}"}}, ProviderAnswer, "no tools for [key]"),
        (422, {"detail": [{"msg": "field required"}]}, ProviderAnswer, "field required"),
        (422, {"detail": [{"msg": "no model\n  here"}]}, ProviderAnswer, "no model here"),
        (500, {"error": {"message": r"b'no\r\n\nroom'"}}, ProviderUnavailable, "b'no room'"),
        (
            402,
            {"error": {"message": "Insufficient credits", "code": 402}},
            ProviderRateLimited,
            "credits",
        ),
        (
            429,
            {"error": {"code": "insufficient_quota", "message": "quota"}},
            ProviderRateLimited,
            "quota",
        ),
        (413, {"error": {"message": "Too large"}}, ProviderOverflow, "Too large"),
        *((status, b"", ProviderUnavailable, "redirect") for status in (300, 307)),
        (407, b"", ProviderUnavailable, "407"),
        (500, {"error": {"message": "boom"}}, ProviderUnavailable, "boom"),
        (503, b"\x00\x1b[31mred", ProviderUnavailable, "503"),
        (
            529,
            {"error": {"type": "overloaded_error", "message": "busy"}},
            ProviderUnavailable,
            "busy",
        ),
        (418, b"", ProviderAnswer, "418"),
    ],
)
async def test_refusals(status: int, payload: object, kind: type[ProviderError], says: str):
    error = await failing(document(status, payload, {"location": "http://127.0.0.1:9/"}))
    assert type(error) is kind
    assert says in error.message
    assert "\x1b" not in error.message


async def test_the_remedy_names_the_key_s_variable():
    options = ProviderOptions(
        name="m", base_url="http://127.0.0.1:1", api_key=KEY, api_key_env="MY_KEY"
    )
    async with fault_server(document(401, {})) as server:
        provider = OpenAI(
            ProviderOptions(name="m", base_url=server.url, api_key=KEY, api_key_env="MY_KEY")
        )
        _, error = await outcome(provider)
        await provider.close()
    assert error is not None
    assert "MY_KEY" in (error.remedy or "")
    assert KEY not in repr(options)


@pytest.mark.parametrize(
    ("error", "tokens", "limit"),
    [
        (
            {
                "code": "context_length_exceeded",
                "message": "This model's maximum context length is 8192 tokens. However, your "
                "messages resulted in 10,240 tokens. Please reduce the length of the messages.",
            },
            10_240,
            8192,
        ),
        ({"message": "This model's maximum context length is 4096 tokens."}, None, 4096),
        ({"message": "prompt is too long: 210000 tokens > 200000 maximum"}, 210_000, 200_000),
        (
            {
                "message": "The input token count (1200000) exceeds the maximum number of tokens "
                "allowed (1048576)."
            },
            1_200_000,
            1_048_576,
        ),
        (
            {
                "type": "exceed_context_size_error",
                "message": "the request exceeds the available context size",
                "n_prompt_tokens": 5000,
                "n_ctx": 4096,
            },
            5000,
            4096,
        ),
        (
            {
                "message": "This model's maximum context length is 4,096 tokens. However, you "
                "requested 5,000 tokens (4,000 in the messages, 1,000 in the completion)."
            },
            4000,
            4096,
        ),
        (
            {
                "message": "This model's maximum context length is 4,096 tokens. However, you "
                "requested 5,000 tokens (4,000 messages, 1,000 completion)."
            },
            4000,
            4096,
        ),
        (
            {
                "message": "This model's maximum context length is 4,096 tokens. However, you "
                "requested 5,000 tokens (3,500 of text input, 500 of tool input, "
                "1,000 in the output)."
            },
            4000,
            4096,
        ),
        ({"message": "Input is too long for requested model."}, None, None),
        (
            {
                "message": "input length and `max_tokens` exceed context limit: "
                "190000 + 16000 > 200000"
            },
            190_000,
            200_000,
        ),
    ],
)
async def test_overflow_names_the_tokens_it_was_told(
    error: dict[str, object], tokens: int | None, limit: int | None
):
    failed = await failing(document(400, {"error": error}))
    assert isinstance(failed, ProviderOverflow)
    sizes = {"tokens": tokens, "limit": limit}
    assert failed.data == {name: size for name, size in sizes.items() if size is not None}


@pytest.mark.parametrize("status", [400, 413, 429])
async def test_a_limit_of_tokens_in_a_time_is_no_window(status: int):
    told = "Request too large for m on tokens per minute (TPM): Limit 6000, Requested 9000"
    failed = await failing(document(status, {"error": {"message": told}}))
    assert isinstance(failed, ProviderOverflow)
    assert failed.data == {"rate": 6000, "requested": 9000}
    assert "the window stays" in (failed.remedy or "")


RATES = [
    "Rate limit reached for m on tokens per min (TPM): Limit 30000, Used 29000, Requested 5000.",
    "This request would exceed your organization's rate limit of 30,000 input tokens per minute.",
]


@pytest.mark.parametrize("told", RATES)
async def test_a_request_within_a_rate_is_waited_for(told: str):
    async with fault_server(document(429, {"error": {"message": told}}), stream(WHOLE)) as server:
        provider = openai(server.url)
        assert await collected(provider) == GOOD
        await provider.close()


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b'{"error":{"message":"prompt is too long"}}', ProviderOverflow),
        (b'{"choices":[]}', ProviderAnswer),
        (b"<html></html>", ProviderAnswer),
    ],
)
async def test_a_document_in_place_of_a_stream(body: bytes, kind: type[ProviderError]):
    for name in ("application/json; charset=utf-8", "text/html"):
        assert type(await failing(stream(body, kind=name))) is kind


class Waits(list[float]):
    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


def later(seconds: float) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


@pytest.mark.parametrize(
    ("headers", "least", "most"),
    [
        ({"retry-after": "7"}, 7, 7.7),
        ({"retry-after": "0.5"}, 0.5, 0.55),
        ({"retry-after-ms": "1500"}, 1.5, 1.65),
        ({"retry-after": "soon"}, 0.25, 0.5),
        ({}, 0.25, 0.5),
    ],
)
async def test_retry_after_is_honoured(headers: dict[str, str], least: float, most: float):
    waits = Waits()
    async with fault_server(document(429, {}, headers), stream(WHOLE)) as server:
        provider = openai(server.url, sleep=waits)
        assert await collected(provider) == GOOD
        await provider.close()
    assert len(waits) == 1
    assert least <= waits[0] <= most


MINUTE = {"error": {"message": "Please try again in 12.1s.", "code": "rate_limit_exceeded"}}
GOOGLE = [{"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "Quota exceeded."}}]
DELAY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "17.5s"}
GOOGLE_WAITS = [{"error": {**GOOGLE[0]["error"], "details": [DELAY]}}]
DAY = {"violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}
GOOGLE_DAY = [{"error": {**GOOGLE[0]["error"], "details": [DAY, DELAY]}}]
RESET = {"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6.5s"}


@pytest.mark.parametrize(
    ("reply", "seconds"),
    [
        (document(429, MINUTE), 12.1),
        (document(429, GOOGLE_WAITS), 17.5),
        (document(429, {}, RESET), 6.5),
        (document(429, MINUTE, {"retry-after": "3", **RESET}), 3),
        (stream(b'data: {"error":{"code":429,"message":"Please retry in 250ms."}}\n\n'), 0.25),
    ],
    ids=["words", "a field", "a reset", "a header", "in a stream"],
)
async def test_the_wait_that_is_named_is_kept(reply: Reply, seconds: float):
    waits = Waits()
    async with fault_server(reply, stream(WHOLE)) as server:
        provider = openai(server.url, sleep=waits)
        assert await collected(provider) == GOOD
        await provider.close()
    assert waits == [pytest.approx(seconds * 1.05)]


@pytest.mark.parametrize(
    "payload", [GOOGLE_DAY, {"error": {"message": "Rate limit exceeded: free-models-per-day"}}]
)
async def test_a_quota_of_a_day_is_not_waited_for(payload: object):
    waits = Waits()
    async with fault_server(document(429, payload)) as server:
        provider = openai(server.url, sleep=waits)
        _, error = await outcome(provider)
        await provider.close()
    assert isinstance(error, ProviderRateLimited)
    assert (waits, error.data) == ([], {})
    assert "of a day or longer" in (error.remedy or "")


async def test_retry_after_as_a_date():
    waits = Waits()
    async with fault_server(document(503, {}, {"retry-after": later(30)}), stream(WHOLE)) as server:
        provider = openai(server.url, sleep=waits)
        assert await collected(provider) == GOOD
        await provider.close()
    assert 20 < waits[0] <= 33


async def test_a_wait_too_long_is_told_and_not_waited():
    waits = Waits()
    async with fault_server(document(429, {}, {"retry-after": "3600"})) as server:
        provider = openai(server.url, sleep=waits)
        _, error = await outcome(provider)
        await provider.close()
    assert isinstance(error, ProviderRateLimited)
    assert error.data == {"retryAfterSeconds": 3600.0}
    assert waits == []


@pytest.mark.parametrize(
    ("reply", "tries"),
    [
        (document(429, {}), 5),
        (document(500, {}), 5),
        *((document(status, {}), 5) for status in (408, 409, 425, *range(520, 525))),
        (document(529, {}), 5),
        (Reply([], "close"), 5),
        (Reply([], "reset"), 5),
        (broken(b""), 5),
        (document(400, {}), 1),
        (document(401, {}), 1),
        (document(429, {"error": {"code": "insufficient_quota"}}), 1),
        (document(429, {"error": {"type": "insufficient_quota", "code": None}}), 1),
        (document(429, {"error": {"message": "Insufficient balance"}}), 1),
        (document(400, {"error": {"code": "context_length_exceeded"}}), 1),
        (broken(b": the first byte\n"), 5),
        (broken(b'data: {"choices":[{"delta":{"content":"a word"}}]}\n\n'), 1),
    ],
)
async def test_how_often_it_is_tried(reply: Reply, tries: int):
    waits = Waits()
    async with fault_server(reply) as server:
        provider = openai(server.url, sleep=waits)
        _, error = await outcome(provider)
        await provider.close()
    assert isinstance(error, KINDS)
    assert len(server.bodies) == tries
    assert sorted(waits) == waits
    assert len(waits) == tries - 1
