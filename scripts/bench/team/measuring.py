"""Clients that work at once, and how long each piece of their work took."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass

Work = Callable[[int], Awaitable[object]]
"""What a client does with the number of a piece of work."""


@dataclass(frozen=True, slots=True)
class Took:
    """The times of all pieces of work, in milliseconds, and of the whole in seconds."""

    each: Sequence[float]
    whole: float

    @property
    def middle(self) -> float:
        return self.each[len(self.each) // 2]

    @property
    def most(self) -> float:
        """The 95th percentile."""
        return self.each[min(int(len(self.each) * 0.95), len(self.each) - 1)]

    @property
    def a_second(self) -> float:
        return len(self.each) / self.whole

    def __str__(self) -> str:
        return f"{self.middle:.0f} / {self.most:.0f}"


async def at_once(clients: Sequence[Work], numbers: Iterable[int]) -> Took:
    """Have clients share out so much work, each a piece at a time."""
    left = iter(numbers)
    took: list[float] = []

    async def client(work: Work) -> None:
        for number in left:
            begun = time.perf_counter()
            await work(number)
            took.append((time.perf_counter() - begun) * 1000)

    begun = time.perf_counter()
    await asyncio.gather(*map(client, clients))
    return Took(sorted(took), time.perf_counter() - begun)
