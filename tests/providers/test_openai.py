"""The openai kind over real HTTP on loopback, kind and unkind."""

import asyncio
import gzip
import json
import socket
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from plimsoll.errors import (
    PlimsollError,
    ProviderAnswer,
    ProviderAuth,
    ProviderError,
    ProviderModel,
    ProviderOverflow,
    ProviderRateLimited,
    ProviderUnavailable,
    SettingsInvalid,
)
from plimsoll.providers.base import CallFinished, Finished, ProviderOptions, TextDelta, Usage
from plimsoll.providers.openai import OpenAI
from providers.fault_server import Reply, broken, document, fault_server, framed, head, stream
from providers.support import KEY, collected, openai, outcome, reasoning_of, request, text_of
from recordings.beside import of_others
from recordings.streams import CHAT, CHAT_NAMES, PARALLEL, Stream, body_of

WHOLE = b'data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
PARALLEL_OF_OTHERS = "openai-chat__test_complex_agent_run_in_workflow__0.sse"
GOOD = [TextDelta("hi"), Finished("endTurn")]
KINDS = (
    ProviderAuth,
    ProviderRateLimited,
    ProviderOverflow,
    ProviderUnavailable,
    ProviderModel,
    ProviderAnswer,
)


def leaks(error: PlimsollError) -> bool:
    shown = f"{error.message} {error.remedy} {error.data!r} {error!r} {error.__cause__!r}"
    return KEY in shown or KEY[-6:] in shown


async def failing(reply: Reply, **options: float) -> PlimsollError:
    """The one error of a request that cannot succeed."""
    async with fault_server(reply) as server:
        provider = openai(server.url, **options)
        chunks, error = await outcome(provider)
        await provider.close()
    assert error is not None, chunks
    assert not any(isinstance(chunk, CallFinished | Finished) for chunk in chunks)
    assert not leaks(error)
    assert error.remedy
    return error


async def test_what_is_sent():
    async with fault_server(stream(WHOLE)) as server:
        provider = openai(server.url)
        assert await collected(provider, request(max_output=7)) == GOOD
        await provider.close()
    sent = server.heads[0].lower()
    assert sent.startswith("post /v1/chat/completions http/1.1")
    assert f"authorization: bearer {KEY}" in sent
    assert "accept-encoding: identity" in sent
    assert json.loads(server.bodies[0])["max_tokens"] == 7


async def test_no_key_means_no_header():
    async with fault_server(stream(WHOLE)) as server:
        provider = openai(server.url, key=None)
        assert await collected(provider) == GOOD
        await provider.close()
    assert "authorization" not in server.heads[0].lower()


async def test_the_environment_cannot_redirect_a_request(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    async with fault_server(stream(WHOLE)) as server:
        provider = openai(server.url)
        assert await collected(provider) == GOOD
        await provider.close()


@pytest.mark.parametrize("name", CHAT_NAMES)
async def test_recordings_one_byte_at_a_time(name: str):
    data = body_of(name)
    pieces = (
        [bytes([byte]) for byte in data]
        if len(data) < 3_000
        else [data[i : i + 7] for i in range(0, len(data), 7)]
    )
    async with fault_server(stream(data), stream(pieces)) as server:
        provider = openai(server.url)
        at_once, slowly = await outcome(provider), await outcome(provider)
        await provider.close()
    assert at_once[0] == slowly[0]
    assert type(at_once[1]) is type(slowly[1])
    assert (at_once[1] is None) == ("error" not in name)


@pytest.mark.parametrize("own", [own for own in CHAT.values() if own.reason])
async def test_what_our_streams_say(own: Stream):
    async with fault_server(stream(own.body)) as server:
        provider = openai(server.url)
        chunks = await collected(provider)
        await provider.close()
    calls = [(c.id, c.name, c.arguments) for c in chunks if isinstance(c, CallFinished)]
    assert (text_of(chunks), reasoning_of(chunks)) == (own.text, own.reasoning)
    assert tuple(calls) == own.calls
    assert chunks[-2:] == [own.usage, Finished(own.reason)]


@of_others
async def test_what_the_recordings_say():
    expected = {
        "openai-chat__test_complex_agent_run__2.sse": ("", "", Usage(448, 62), "toolCalls"),
        PARALLEL_OF_OTHERS: ("", "", Usage(364, 40), "toolCalls"),
        "openai-chat-compat__test_openrouter_streaming_reasoning__0.sse": (
            "2 + 2 = 4",
            "This is a simple arithmetic question. 2+2 equals 4.",
            Usage(43, 36),
            "endTurn",
        ),
        "openai-chat-compat__test_zai_thinking_stream__0.sse": (
            "4",
            "\n1.  **Analyze",
            Usage(13, 564),
            "endTurn",
        ),
    }
    async with fault_server(*(stream(body_of(name)) for name in expected)) as server:
        provider = openai(server.url)
        for text, reasoning, usage, reason in expected.values():
            chunks = await collected(provider)
            assert text_of(chunks) == text
            assert reasoning_of(chunks).startswith(reasoning)
            assert chunks[-2:] == [usage, Finished(reason)]
        await provider.close()


@of_others
async def test_parallel_calls_of_a_recording():
    async with fault_server(stream(body_of(PARALLEL_OF_OTHERS))) as server:
        provider = openai(server.url)
        chunks = await collected(provider)
        await provider.close()
    assert [chunk for chunk in chunks if isinstance(chunk, CallFinished)] == [
        CallFinished("call_3rqTYrA6H21AYUaRGP4F66oq", "get_country", "{}"),
        CallFinished("call_Xw9XMKBJU48kAAd78WgIswDx", "get_product_name", "{}"),
    ]


@pytest.mark.parametrize("end", [pytest.param("close", marks=pytest.mark.slow), "reset"])
async def test_a_stream_cut_at_every_byte(end: str):
    """Over HTTP: one of our errors, never a call, never a foreign exception."""
    data = body_of(PARALLEL)
    done = data.index(b"[DONE]") + len(b"[DONE]\n\n")
    cuts = range(done) if end == "close" else range(0, done, 37)
    async with fault_server(
        *(broken(data[:cut], end) for cut in cuts), Reply([b""], "close")
    ) as server:
        provider = openai(server.url, tries=1)
        for _ in cuts:
            chunks, error = await outcome(provider)
            assert isinstance(error, ProviderAnswer | ProviderUnavailable)
            assert not any(isinstance(chunk, CallFinished | Finished | Usage) for chunk in chunks)
        await provider.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", CHAT_NAMES)
async def test_every_recording_cut_at_every_event(name: str):
    data = body_of(name)
    breaks = [at for at in range(len(data)) if data.startswith(b"\n\n", at)]
    ends = [at + shift for at in breaks for shift in (0, 1, 2)]
    cuts = [cut for cut in ends if b"[DONE]\n\n" not in data[:cut]]
    async with fault_server(*(broken(data[:cut]) for cut in cuts), Reply([b""], "close")) as server:
        provider = openai(server.url, tries=1)
        for _ in cuts:
            chunks, error = await outcome(provider)
            assert isinstance(error, KINDS)
            assert not any(isinstance(chunk, CallFinished | Finished) for chunk in chunks)
        await provider.close()


async def test_a_body_that_http_proves_whole_may_lack_done():
    body = WHOLE.removesuffix(b"data: [DONE]\n\n")
    sized = Reply([head(content_type="text/event-stream", content_length=str(len(body))), body])
    unframed = Reply([head(content_type="text/event-stream"), body], "close")
    async with fault_server(stream(body), sized, unframed) as server:
        provider = openai(server.url)
        assert await collected(provider) == GOOD
        assert await collected(provider) == GOOD
        assert isinstance((await outcome(provider))[1], ProviderAnswer)
        await provider.close()


@pytest.mark.parametrize(
    ("status", "payload", "kind", "says"),
    [
        (
            401,
            {"error": {"message": f"Incorrect API key provided: {KEY}"}},
            ProviderAuth,
            "does not accept",
        ),
        (403, {"error": {"message": f"{KEY} may not"}}, ProviderAuth, "does not accept"),
        (
            404,
            {"error": {"code": "model_not_found", "message": "The model does not exist"}},
            ProviderModel,
            "some-model",
        ),
        (404, {"error": "model 'x' not found, try pulling it first"}, ProviderModel, "try pulling"),
        (404, b"<html>nothing here</html>", ProviderModel, "nothing here"),
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
        (307, b"", ProviderUnavailable, "redirect"),
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
            {"message": "Request too large: tokens per minute (TPM): Limit 6000, Requested 9000"},
            9000,
            6000,
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
        (document(529, {}), 5),
        (Reply([], "close"), 5),
        (Reply([], "reset"), 5),
        (broken(b""), 5),
        (document(400, {}), 1),
        (document(401, {}), 1),
        (document(429, {"error": {"code": "insufficient_quota"}}), 1),
        (document(400, {"error": {"code": "context_length_exceeded"}}), 1),
        (broken(b": the first byte\n"), 1),
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


async def test_cancelling_ends_a_wait_for_the_next_try():
    waiting = asyncio.Event()

    async def sleep(_seconds: float) -> None:
        waiting.set()
        await asyncio.Event().wait()

    async with fault_server(document(429, {}, {"retry-after": "50"})) as server:
        provider = openai(server.url, sleep=sleep)
        task = asyncio.create_task(collected(provider))
        await waiting.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await provider.close()


async def test_cancelling_in_mid_stream_leaves_the_connection():
    opening = head(content_type="text/event-stream", transfer_encoding="chunked")
    first = framed(b'data: {"choices":[{"delta":{"content":"hi"}}]}\n\n')
    async with fault_server(Reply([opening, first], "hold")) as server:
        provider = openai(server.url)
        seen = asyncio.Event()

        async def read() -> None:
            async for _ in provider.stream(request()):
                seen.set()

        task = asyncio.create_task(read())
        await seen.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await server.left.wait()
        await provider.close()


async def test_leaving_a_stream_leaves_the_connection():
    opening = head(content_type="text/event-stream", transfer_encoding="chunked")
    first = framed(b'data: {"choices":[{"delta":{"content":"hi"}}]}\n\n')
    async with fault_server(Reply([opening, first], "hold")) as server:
        provider = openai(server.url)
        chunks = provider.stream(request())
        assert await anext(chunks) == TextDelta("hi")
        await chunks.aclose()
        await server.left.wait()
        await provider.close()


async def test_nobody_listens():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        provider = openai(url)
        _, error = await outcome(provider)
        await provider.close()
    assert isinstance(error, ProviderUnavailable)
    assert url in error.message
    assert "nobody listens" in error.message
    assert "ollama serve" in (error.remedy or "")
    assert error.data["url"] == f"{url}/chat/completions"


async def test_an_unknown_host():
    provider = openai("http://nowhere.invalid/v1")
    _, error = await outcome(provider)
    await provider.close()
    assert isinstance(error, ProviderUnavailable)
    assert "nowhere.invalid" in error.message


async def test_tls_where_none_is_spoken():
    async def plain(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(plain, "127.0.0.1", 0) as server:
        provider = openai(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
        _, error = await outcome(provider)
        await provider.close()
    assert isinstance(error, ProviderUnavailable)
    assert "TLS" in error.message


async def test_a_server_that_never_answers():
    error = await failing(Reply([], "hold"), first_byte_seconds=0.05)
    assert isinstance(error, ProviderUnavailable)
    assert "silent for 0.05 s" in error.message


async def test_a_server_that_falls_silent():
    opening = head(content_type="text/event-stream", transfer_encoding="chunked")
    error = await failing(Reply([opening, framed(b"data: {}\n\n")], "hold"), idle_seconds=0.05)
    assert isinstance(error, ProviderUnavailable)
    assert "silent for 0.05 s" in error.message


async def test_a_server_that_drips_bytes_of_one_line_is_silent():
    opening = head(content_type="text/event-stream", transfer_encoding="chunked")
    error = await failing(Reply([opening], drip=framed(b"x")), idle_seconds=0.1)
    assert "silent for 0.1 s" in error.message


async def test_a_server_that_drips_for_ever_is_ended():
    opening = head(content_type="text/event-stream", transfer_encoding="chunked")
    error = await failing(Reply([opening], drip=framed(b": still here\n\n")), total_seconds=0.2)
    assert isinstance(error, ProviderUnavailable)
    assert "longer than 0.2 s" in error.message


async def test_a_compressed_answer_is_refused_unopened():
    bomb = gzip.compress(b"\n" * 10_000_000)
    opening = head(
        content_type="text/event-stream", content_encoding="gzip", content_length=str(len(bomb))
    )
    error = await failing(Reply([opening, bomb], "close"))
    assert isinstance(error, ProviderAnswer)
    assert "gzip" in error.message


async def test_a_compressed_refusal_is_not_opened_either():
    bomb = gzip.compress(b"x" * 1_000_000)
    error = await failing(document(400, bomb, {"content_encoding": "gzip"}))
    assert isinstance(error, ProviderAnswer)
    assert error.message.endswith("(400).")


async def test_an_endless_answer_is_ended_by_its_size():
    opening = head(content_type="text/event-stream", transfer_encoding="chunked")
    error = await failing(
        Reply([opening], drip=framed(b": " + b"x" * 5_000 + b"\n"), every=0), body_bytes=100_000
    )
    assert isinstance(error, ProviderAnswer)
    assert "100,000 bytes" in error.message


async def test_a_wrong_chunk_length():
    opening = head(content_type="text/event-stream", transfer_encoding="chunked")
    error = await failing(Reply([opening, b"zz\r\n" + WHOLE], "close"), tries=1)
    assert isinstance(error, ProviderAnswer | ProviderUnavailable)


@pytest.mark.parametrize("key", ["sk-line\nbreak-" + KEY, "sk-\u00fcmlaut-" + KEY, "a\x00b" + KEY])
async def test_a_key_that_no_header_can_carry(key: str):
    provider = openai("http://127.0.0.1:1/v1", key=key)
    _, error = await outcome(provider)
    await provider.close()
    assert isinstance(error, ProviderAuth)
    assert not leaks(error)


async def test_a_key_with_a_line_end_behind_it_is_taken():
    async with fault_server(stream(WHOLE)) as server:
        provider = openai(server.url, key=KEY + "\n")
        assert await collected(provider) == GOOD
        await provider.close()


async def test_the_vendor_s_own_address_needs_a_key():
    provider = OpenAI(ProviderOptions(name="m"))
    _, error = await outcome(provider)
    await provider.close()
    assert isinstance(error, ProviderAuth)
    assert "OPENAI_API_KEY" in (error.remedy or "")


@pytest.mark.parametrize(
    "url", ["", "ftp://x/v1", "localhost:11434", "http://", "http://[::1", "file:///etc"]
)
def test_an_address_that_is_none(url: str):
    if not url:
        assert OpenAI(ProviderOptions(name="m", base_url=url))
        return
    with pytest.raises(SettingsInvalid, match="base_url"):
        OpenAI(ProviderOptions(name="m", base_url=url))


async def test_an_address_is_shown_without_what_it_may_hide():
    provider = openai(f"http://user:{KEY}@127.0.0.1:1/v1", key=None)
    _, error = await outcome(provider)
    await provider.close()
    assert error is not None
    assert not leaks(error)


async def test_an_answer_that_may_not_be_so_long_is_asked_for_shorter():
    said = "max_tokens is too large: 16000. This model supports at most 4096 completion tokens."
    async with fault_server(document(400, {"error": {"message": said}}), stream(WHOLE)) as server:
        provider = openai(server.url)
        assert await collected(provider, request(max_output=16_000)) == GOOD
        await provider.close()
    assert [json.loads(body)["max_tokens"] for body in server.bodies] == [16_000, 4096]


async def test_a_model_that_is_never_content_is_not_asked_for_ever():
    said = "max_tokens is too large. This model supports at most 4096 completion tokens."
    async with fault_server(document(400, {"error": {"message": said}})) as server:
        provider = openai(server.url)
        assert isinstance((await outcome(provider, request(max_output=9_000)))[1], ProviderAnswer)
        await provider.close()
    assert len(server.bodies) == 2


async def test_what_has_begun_to_speak_is_not_asked_again():
    said = "max_tokens is too large. This model supports at most 4096 completion tokens."
    error = json.dumps({"error": {"message": said, "code": 400}}).encode()
    body = b'data: {"choices":[{"delta":{"content":"hi"}}]}\n\ndata: ' + error + b"\n\n"
    async with fault_server(stream(body), stream(WHOLE)) as server:
        provider = openai(server.url)
        chunks, failed = await outcome(provider, request(max_output=9_000))
        await provider.close()
    assert chunks == [TextDelta("hi")]
    assert isinstance(failed, ProviderAnswer)
