"""What is told of a wait before the first token, why it ends, and that a cancel ends it at once."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager

import pytest

from plimsoll.errors import ProviderUnavailable
from plimsoll.providers.base import Chunk, Provider, TextDelta, Waiting
from plimsoll.providers.http.waits import AnswerProgress
from providers.fault_server import Reply, document, fault_server, framed, head, stream
from providers.support import GOOD, WHOLE, collected, openai, outcome, request

LOADING = document(503, {"error": {"message": "Loading model", "code": 503}})
OPENING = head(content_type="text/event-stream", transfer_encoding="chunked")
Where = Callable[[], AbstractAsyncContextManager[str]]
ROLE = framed(b'data: {"choices":[{"delta":{"role":"assistant"}}]}\n\n')


class Pauses:
    """The sleeps between tries: each lasts until its wait has been told."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.over = asyncio.Event()

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
        await self.over.wait()
        self.over.clear()


async def told(provider: Provider, pauses: Pauses) -> list[Chunk]:
    chunks: list[Chunk] = []
    async for chunk in provider.stream(request()):
        chunks.append(chunk)
        if isinstance(chunk, Waiting) and chunk.reason != "firstToken":
            pauses.over.set()
    return chunks


async def test_a_limit_of_requests_is_waited_for_and_told():
    pauses = Pauses()
    async with fault_server(document(429, {}, {"retry-after": "7"}), stream(WHOLE)) as server:
        provider = openai(server.url, sleep=pauses, told_after_seconds=0)
        chunks = await told(provider, pauses)
        await provider.close()
    (wait,) = [c for c in chunks if isinstance(c, Waiting) and c.reason == "rateLimited"]
    assert (wait.attempt, wait.attempts) == (2, 5)
    assert wait.seconds is not None
    assert 6 < wait.seconds <= 7.7
    assert chunks[-2:] == GOOD


async def test_a_failing_server_is_asked_again_and_that_is_told():
    pauses = Pauses()
    async with fault_server(document(500, {}), document(500, {}), stream(WHOLE)) as server:
        provider = openai(server.url, sleep=pauses, told_after_seconds=0)
        chunks = await told(provider, pauses)
        await provider.close()
    tries = [c.attempt for c in chunks if isinstance(c, Waiting) and c.reason == "retrying"]
    assert tries == [2, 3]


async def test_a_model_that_is_loading_is_waited_for_as_long_as_it_says_so():
    async with fault_server(*[LOADING] * 40, stream(WHOLE)) as server:
        provider = openai(server.url, tries=1)
        assert await collected(provider) == GOOD
        await provider.close()
    assert len(server.bodies) == 41


async def test_loading_is_told_once():
    pauses = Pauses()
    async with fault_server(LOADING, stream(WHOLE)) as server:
        provider = openai(server.url, sleep=pauses, told_after_seconds=0)
        chunks = await told(provider, pauses)
        await provider.close()
    waits = [chunk for chunk in chunks if isinstance(chunk, Waiting)]
    assert [wait.reason for wait in waits].count("loading") == 1
    assert all(wait.attempt is None for wait in waits)


async def test_a_server_on_this_machine_that_is_starting_is_waited_for():
    async with fault_server(stream(WHOLE)) as server:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            later = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
            relays: list[asyncio.Server] = []

            async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                await server.serve(reader, writer)

            async def starts(_seconds: float) -> None:
                if not relays:
                    relays.append(await asyncio.start_server(relay, sock=taken))

            provider = openai(later, sleep=starts)
            assert await collected(provider) == GOOD
            await provider.close()
            relays[0].close()


async def test_a_server_that_does_not_start_is_given_up():
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        provider = openai(f"http://127.0.0.1:{taken.getsockname()[1]}/v1", sleep=sleep)
        _, error = await outcome(provider)
        await provider.close()
    assert isinstance(error, ProviderUnavailable)
    assert sum(slept) == 15


@pytest.mark.parametrize(
    "reply",
    [
        Reply([], "hold"),
        Reply([OPENING], "hold"),
        Reply([OPENING, ROLE], "hold"),
        Reply([OPENING], drip=framed(b": here\n\n")),
    ],
    ids=["nothing", "a head", "an event without a token", "comments"],
)
async def test_the_first_token_is_waited_for_and_a_cancel_leaves(reply: Reply):
    async with fault_server(reply) as server:
        provider = openai(server.url, told_after_seconds=0.05)
        seen = asyncio.Event()

        async def read() -> None:
            async for chunk in provider.stream(request()):
                assert isinstance(chunk, Waiting)
                # On a busy machine it takes longer to connect than passes before a wait is told.
                assert chunk.reason in {"connecting", "firstToken"}
                if chunk.reason == "firstToken":
                    seen.set()

        task = asyncio.create_task(read())
        await seen.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await server.left.wait()
        await provider.close()


@asynccontextmanager
async def nobody() -> AsyncIterator[str]:
    """An address at which nobody listens yet."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}/v1"


@asynccontextmanager
async def full() -> AsyncIterator[str]:
    """An address whose queue is full, so that the system answers no attempt to connect."""
    with ExitStack() as held:
        listening = held.enter_context(socket.socket())
        listening.bind(("127.0.0.1", 0))
        listening.listen(0)
        for _ in range(4):
            queued = held.enter_context(socket.socket())
            queued.setblocking(False)
            queued.connect_ex(listening.getsockname())
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"


@asynccontextmanager
async def mute() -> AsyncIterator[str]:
    """An https address that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"https://127.0.0.1:{listening.getsockname()[1]}/v1"


@pytest.mark.parametrize("where", [nobody, full, mute])
async def test_a_connection_is_waited_for_and_a_cancel_leaves(where: Where):
    async def for_ever(_seconds: float) -> None:
        await asyncio.Event().wait()

    async with where() as url:
        provider = openai(url, sleep=for_ever, told_after_seconds=0.05, connect_seconds=600)
        waits: list[Chunk] = []
        seen = asyncio.Event()

        async def read() -> None:
            async for chunk in provider.stream(request()):
                waits.append(chunk)
                seen.set()

        task = asyncio.create_task(read())
        await seen.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await provider.close()
    assert [wait.reason for wait in waits if isinstance(wait, Waiting)] == ["connecting"]
    assert len(waits) == len(asyncio.all_tasks()) == 1


async def test_what_comes_at_once_is_not_waited_for():
    async with fault_server(stream(WHOLE)) as server:
        provider = openai(server.url, told_after_seconds=60)
        chunks = [chunk async for chunk in provider.stream(request())]
        await provider.close()
    assert chunks == GOOD
    assert isinstance(chunks[0], TextDelta)


async def test_a_wait_is_told_once_as_soon_as_it_is_due():
    progress = AnswerProgress(told_after=0)
    assert progress.seconds_to_tell() is None

    progress.enter("firstToken")
    assert progress.seconds_to_tell() == 0
    assert progress.tell() is not None
    assert progress.seconds_to_tell() is None


@pytest.fixture
async def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time of the event loop, in an item that the test sets."""
    now = [100.0]
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now[0])
    return now


@pytest.mark.parametrize(("told_after", "due"), [(3.0, 0.4), (0.2, 0.2)])
async def test_another_reason_is_told_once_it_has_lasted_a_moment(
    clock: list[float], told_after: float, due: float
):
    progress = AnswerProgress(told_after)
    progress.enter("connecting")
    assert progress.seconds_to_tell() == pytest.approx(told_after)
    clock[0] += 5
    assert progress.seconds_to_tell() == 0
    progress.tell()
    progress.enter("firstToken")
    assert progress.seconds_to_tell() == pytest.approx(due)
    clock[0] += 0.1
    progress.enter("rateLimited", attempt=2, attempts=5, seconds=9)
    assert progress.seconds_to_tell() == pytest.approx(due)
    clock[0] += 1
    assert progress.tell() == Waiting(
        reason="rateLimited", lasted=1.0, attempt=2, attempts=5, seconds=8.0
    )
    clock[0] += 20


async def test_a_reason_that_comes_again_has_lasted_since_it_came_first(clock: list[float]):
    progress = AnswerProgress(0)
    assert progress.tell() is None
    progress.enter("retrying", attempt=2, attempts=5, seconds=1)
    clock[0] += 2
    progress.enter("retrying", attempt=3, attempts=5, seconds=1)
    clock[0] += 3
    assert progress.tell() == Waiting(
        reason="retrying", lasted=5.0, attempt=3, attempts=5, seconds=0.0
    )


async def test_an_answer_that_starts_again_is_waited_for_anew(clock: list[float]):
    progress = AnswerProgress(3)
    progress.enter("firstToken")
    clock[0] += 5
    progress.tell()
    progress.speak()
    clock[0] += 1
    progress.speak()
    assert (progress.spoke_at, progress.sent_at) == (105.0, 100.0)
    progress.begin_anew()
    progress.begin_try()
    assert (progress.spoke_at, progress.sent_at) == (None, 106.0)
    progress.enter("retrying")
    assert progress.seconds_to_tell() == 3
