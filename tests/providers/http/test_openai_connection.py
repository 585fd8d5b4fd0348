"""The openai kind on connections that hang, drip, end or lead nowhere; its keys and addresses."""

import asyncio
import gzip
import json
import socket
from collections.abc import Iterator

import pytest

from plimsoll.errors import ProviderAnswer, ProviderAuth, ProviderUnavailable, SettingsInvalid
from plimsoll.providers.base import Mended, ProviderOptions, TextDelta
from plimsoll.providers.openai import OpenAI
from providers.fault_server import (
    Reply,
    broken,
    document,
    fault_server,
    framed,
    head,
    stream,
)
from providers.support import (
    GOOD,
    KEY,
    WHOLE,
    collected,
    failing,
    leaks,
    openai,
    outcome,
    request,
)

NO_OPTIONS = {"error": {"message": "Unrecognized request argument supplied: stream_options"}}


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
    assert error.message == f"Nothing is running at {url.split('/')[2]}."
    assert error.remedy == ("Start the server there and try again. Otherwise check model.base_url.")
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


SPEAKING = (
    head(content_type="text/event-stream", transfer_encoding="chunked"),
    framed(b'data: {"choices":[{"delta":{"content":"hi"}}]}\n\n'),
)


@pytest.mark.parametrize(
    "reply",
    [
        Reply([], "hold"),
        Reply([SPEAKING[0]], "hold"),
        Reply([SPEAKING[0], framed(b'data: {"choices":[{"delta":{"role":"x"}}]}\n\n')], "hold"),
        Reply([SPEAKING[0]], drip=framed(b": still here\n\n")),
    ],
    ids=["nothing", "a head", "an event without a token", "comments"],
)
async def test_an_answer_without_a_token_is_given_up(reply: Reply):
    error = await failing(reply, first_token_seconds=0.1, idle_seconds=0.01)
    assert isinstance(error, ProviderUnavailable)
    assert "no token" in error.message
    assert "0.1 s" in error.message
    assert "model.first_token_seconds" in (error.remedy or "")


@pytest.mark.parametrize("drip", [b"", framed(b"x")], ids=["nothing", "bytes of one line"])
async def test_a_server_that_falls_silent(drip: bytes):
    error = await failing(Reply(SPEAKING, "hold", drip), idle_seconds=0.1)
    assert isinstance(error, ProviderUnavailable)
    assert "silent for 0.1 s" in error.message
    assert "model.idle_seconds" in (error.remedy or "")


async def test_a_server_that_drips_for_ever_is_ended():
    error = await failing(Reply(SPEAKING, drip=framed(b": here\n\n")), answer_seconds=0.2)
    assert isinstance(error, ProviderUnavailable)
    assert "longer than 0.2 s" in error.message
    assert "model.answer_seconds" in (error.remedy or "")


async def test_no_limit_is_none():
    async with fault_server(stream(WHOLE)) as server:
        limits = {"first_token_seconds": 0, "idle_seconds": 0, "answer_seconds": 0}
        provider = openai(server.url, **limits)
        assert await collected(provider) == GOOD
        await provider.close()


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
        told, *answer = await collected(provider, request(max_output=16_000))
        assert told == Mended(
            "The server of some-model takes answers of at most 4096 tokens, so no longer one is "
            "asked for."
        )
        assert answer == GOOD
        assert await collected(provider, request(max_output=16_000)) == GOOD
        await provider.close()
    assert [json.loads(body)["max_tokens"] for body in server.bodies] == [16_000, 4096, 4096]


async def test_a_model_that_is_never_content_is_not_asked_for_ever():
    said = "max_tokens is too large. This model supports at most 4096 completion tokens."
    async with fault_server(document(400, {"error": {"message": said}})) as server:
        provider = openai(server.url)
        assert isinstance((await outcome(provider, request(max_output=9_000)))[1], ProviderAnswer)
        await provider.close()
    assert [json.loads(body)["max_tokens"] for body in server.bodies] == [9_000, 4096, 2048]


async def test_a_refusal_in_a_stream_is_mended_at_once():
    refused = stream(b"data: " + json.dumps(NO_OPTIONS).encode() + b"\n\n")
    async with fault_server(refused, stream(WHOLE)) as server:
        provider = openai(server.url)
        assert (await collected(provider))[1:] == GOOD
        await provider.close()
    assert [body.count(b"stream_options") for body in server.bodies] == [1, 0]


async def test_what_a_server_took_is_known_though_it_was_stopped_before_a_word():
    read = asyncio.Event()

    def pieces() -> Iterator[bytes]:
        yield head(content_type="text/event-stream", transfer_encoding="chunked")
        # More than all buffers hold: when it has been sent, the client has begun to read.
        yield from [framed(b":" + b"x" * 65_000 + b"\n\n")] * 500
        read.set()

    held = Reply(pieces(), "hold")
    async with fault_server(document(400, NO_OPTIONS), held, stream(WHOLE)) as server:
        provider = openai(server.url)
        asking = asyncio.create_task(collected(provider))
        await read.wait()
        asking.cancel()
        await server.left.wait()
        assert await collected(provider) == GOOD
        await provider.close()
    assert [body.count(b"stream_options") for body in server.bodies] == [1, 0, 0]


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


async def test_one_connection_serves_one_answer_after_the_other():
    async with fault_server(stream(WHOLE)) as server:
        provider = openai(server.url)
        for _ in range(3):
            assert await collected(provider) == GOOD
        assert server.connections == 1
        await provider.close()


async def test_a_body_that_does_not_end_behind_its_answer_is_not_waited_for():
    async with fault_server(broken(WHOLE, "hold")) as server:
        provider = openai(server.url)
        assert await collected(provider) == GOOD
        await server.left.wait()
        await provider.close()
