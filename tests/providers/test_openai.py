"""The openai kind over real HTTP on loopback: what is sent, and streams whole and cut."""

import json

import pytest

from plimsoll.errors import ProviderAnswer, ProviderUnavailable
from plimsoll.providers.base import CallFinished, Finished, Usage
from providers.fault_server import Reply, broken, fault_server, head, stream
from providers.support import (
    GOOD,
    KEY,
    KINDS,
    WHOLE,
    collected,
    openai,
    outcome,
    reasoning_of,
    request,
    text_of,
)
from recordings.beside import of_others
from recordings.streams import CHAT, CHAT_NAMES, PARALLEL, Stream, body_of

PARALLEL_OF_OTHERS = "openai-chat__test_complex_agent_run_in_workflow__0.sse"


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
async def test_a_stream_cut_at_bytes_everywhere(end: str):
    """Over HTTP: one of our errors, never a call, never a foreign exception."""
    data = body_of(PARALLEL)
    done = data.index(b"[DONE]") + len(b"[DONE]\n\n")
    cuts = range(0, done, 5) if end == "close" else range(0, done, 37)
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
