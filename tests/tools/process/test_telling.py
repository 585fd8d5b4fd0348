"""What is told of an output while it is written: bounded, however fast it comes."""

import asyncio
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.tools.process.output import Captured
from plimsoll.tools.process.telling import TOLD_BYTES, TOLD_SECONDS, tell_output


class Writing:
    """An output that grows while nobody is told."""

    def __init__(self) -> None:
        self.news = asyncio.Event()
        self._captured = Captured()

    def write(self, text: str) -> None:
        self._captured.feed(text.encode())
        self.news.set()

    def output_end(self, limit: int) -> str:
        return self._captured.end(limit)


async def told_of(bursts: list[str]) -> list[tuple[float, str]]:
    """Each telling with its time, where a burst is written before each pause has ended."""
    writing, told, now, left = Writing(), list[tuple[float, str]](), 0.0, iter(bursts)

    async def pause(seconds: float) -> None:
        nonlocal now
        now += seconds
        burst = next(left, None)
        if burst is None:
            raise asyncio.CancelledError
        # In pieces, as it comes: many a piece, one telling.
        for at in range(0, len(burst), 1000):
            writing.write(burst[at : at + 1000])
        writing.news.set()

    writing.write("begun\n")
    with pytest.raises(asyncio.CancelledError):
        await tell_output(writing, lambda text: told.append((now, text)), pause)
    return told


async def test_while_nothing_is_written_nobody_wakes():
    writing, pauses = Writing(), list[float]()

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    telling = asyncio.create_task(tell_output(writing, lambda _: None, pause))
    for text in ("", "begun\n"):
        if text:
            writing.write(text)
        for _ in range(10):
            await asyncio.sleep(0)
    telling.cancel()
    assert pauses == [TOLD_SECONDS]


BURSTS = st.lists(
    st.integers(0, 400).map(lambda lines: "a line of the build\n" * lines), max_size=9
)


@given(BURSTS)
def test_however_much_is_written_it_is_told_once_a_pause_and_never_in_vain(bursts: list[str]):
    told = asyncio.run(told_of(bursts))
    times, texts = [at for at, _ in told], [text for _, text in told]
    assert all(later - at >= TOLD_SECONDS for at, later in pairwise(times))
    assert all(len(text) <= TOLD_BYTES for text in texts)
    assert all(text != later for text, later in pairwise(texts))
    whole = "begun\n" + "".join(bursts)
    assert whole.endswith(texts[-1])


def test_a_build_of_a_minute_is_told_four_times_a_second():
    lines = [f"[{n:5}] compiling part {n}\n" for n in range(12_000)]
    told = asyncio.run(told_of(["".join(lines[at : at + 50]) for at in range(0, 12_000, 50)]))
    assert len(told) == 241
    assert told[-1] == (60.0, "".join(lines)[-len(told[-1][1]) :])
