"""The anthropic kind over real HTTP on loopback; what the transport does is shown with openai."""

import json

import pytest

from plimsoll.errors import ProviderAnswer, ProviderAuth, ProviderOverflow, ProviderUnavailable
from plimsoll.providers.anthropic import Anthropic
from plimsoll.providers.base import CallFinished, Finished, ProviderOptions, Usage
from providers.fault_server import Reply, broken, document, fault_server, stream
from providers.support import KEY, anthropic, collected, outcome, request
from recordings.streams import MESSAGE_NAMES, MESSAGES, body_of

TOOLS = "messages-tools"


async def test_what_is_sent():
    async with fault_server(stream(body_of(TOOLS))) as server:
        provider = anthropic(server.url)
        chunks = await collected(provider)
        await provider.close()
    calls = [(c.id, c.name, c.arguments) for c in chunks if isinstance(c, CallFinished)]
    assert tuple(calls) == MESSAGES[TOOLS].calls
    sent = server.heads[0].lower()
    assert sent.startswith("post /v1/messages http/1.1")
    assert f"x-api-key: {KEY}" in sent
    assert "anthropic-version: 2023-06-01" in sent
    assert "authorization" not in sent


@pytest.mark.slow
@pytest.mark.parametrize("name", MESSAGE_NAMES)
async def test_recordings_cut_at_every_event(name: str):
    data = body_of(name)
    breaks = [at for at in range(len(data)) if data.startswith(b"\n\n", at)]
    ends = [at + shift for at in breaks for shift in (0, 1, 2)]
    cuts = [cut for cut in ends if b"message_stop" not in data[:cut]]
    async with fault_server(*(broken(data[:cut]) for cut in cuts), Reply([b""], "close")) as server:
        provider = anthropic(server.url, tries=1)
        for _ in cuts:
            chunks, error = await outcome(provider)
            assert isinstance(error, ProviderAnswer)
            assert not any(isinstance(c, CallFinished | Finished | Usage) for c in chunks)
        await provider.close()


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (401, {"type": "authentication_error", "message": f"bad {KEY}"}, ProviderAuth),
        (
            400,
            {
                "type": "invalid_request_error",
                "message": "prompt is too long: 9 tokens > 8 maximum",
            },
            ProviderOverflow,
        ),
        (529, {"type": "overloaded_error", "message": "Overloaded"}, ProviderUnavailable),
    ],
)
async def test_refusals(status: int, error: dict[str, str], kind: type[Exception]):
    async with fault_server(document(status, {"type": "error", "error": error})) as server:
        provider = anthropic(server.url)
        _, raised = await outcome(provider)
        await provider.close()
    assert type(raised) is kind
    assert KEY not in f"{raised} {raised.remedy} {raised.data}"


async def test_an_answer_that_may_not_be_so_long_is_asked_for_shorter():
    said = "max_tokens: 16000 > 8192, which is the maximum allowed number of output tokens for x"
    error = {"type": "error", "error": {"type": "invalid_request_error", "message": said}}
    async with fault_server(document(400, error), stream(body_of(TOOLS))) as server:
        provider = anthropic(server.url)
        chunks = await collected(provider, request(max_output=16_000))
        await provider.close()
    assert chunks[-1] == Finished("toolCalls")
    assert [json.loads(body)["max_tokens"] for body in server.bodies] == [16_000, 8192]


async def test_the_vendor_s_own_address_needs_a_key():
    provider = Anthropic(ProviderOptions(name="m"))
    _, error = await outcome(provider)
    await provider.close()
    assert isinstance(error, ProviderAuth)
    assert "ANTHROPIC_API_KEY" in (error.remedy or "")
