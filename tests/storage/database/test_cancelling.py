"""D8: a cancelled call is whole or absent, and its caller knows which."""

import asyncio
import random
import sqlite3
from threading import Event

import pytest

from plimsoll.storage.database.units import Start, finish
from plimsoll.storage.locate import ProjectPaths
from storage.conftest import Open
from storage.samples import pair, record

CANCELS = 3_000
AT_ONCE = 10


@pytest.mark.slow
async def test_3000_cancellations_leave_whole_units_and_no_transaction(
    opened: Open, paths: ProjectPaths, seed: int
) -> None:
    chance = random.Random(seed)
    store = await opened()
    landed: dict[str, list[str]] = {f"s{number}": [] for number in range(AT_ONCE)}
    for session in landed:
        await store.create(record(session))

    async def unit(session: str, name: str) -> None:
        await store.append(session, pair(name), 2 * len(landed[session]))
        landed[session].append(name)

    async def cancel_somewhere(task: asyncio.Task[None]) -> None:
        if chance.random() < 0.5:
            await asyncio.sleep(chance.uniform(0, 0.012))
        else:
            for _ in range(chance.randrange(20)):
                await asyncio.sleep(0)
        task.cancel()

    cancelled = number = 0
    while cancelled < CANCELS:
        number += 1
        tasks = [asyncio.create_task(unit(session, f"{number}-")) for session in landed]
        await asyncio.gather(*map(cancel_somewhere, tasks))
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        cancelled += sum(isinstance(end, asyncio.CancelledError) for end in ends)
        assert all(end is None or isinstance(end, asyncio.CancelledError) for end in ends)

    for session, names in landed.items():
        expected = [entry for name in names for entry in pair(name)]
        assert await store.entries(session) == expected
    assert 0 < sum(map(len, landed.values())) < number * AT_ONCE
    other = sqlite3.connect(paths.folder / "plimsoll.db", timeout=0, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    other.execute("ROLLBACK")
    other.close()


async def test_a_unit_that_has_not_begun_is_given_up_at_once() -> None:
    start = Start()
    never: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    caller = asyncio.create_task(finish(never, start))
    await asyncio.sleep(0)

    caller.cancel()

    with pytest.raises(asyncio.CancelledError):
        await caller
    assert not start.begin()
    assert never.cancelled()


async def test_a_unit_that_has_begun_is_finished_and_its_caller_cancelled_afterwards() -> None:
    start, work = Start(), asyncio.get_running_loop().create_future()
    seen: list[object] = []

    async def call() -> None:
        seen.append(await finish(work, start))
        seen.append("before the next await")
        await asyncio.sleep(60)

    caller = asyncio.create_task(call())
    await asyncio.sleep(0)
    assert start.begin()
    caller.cancel()
    await asyncio.sleep(0)
    caller.cancel()
    await asyncio.sleep(0)
    assert not caller.done()

    work.set_result("stored")

    with pytest.raises(asyncio.CancelledError):
        await caller
    assert seen == ["stored", "before the next await"]


async def test_a_failure_of_a_cancelled_unit_is_told() -> None:
    start, work = Start(), asyncio.get_running_loop().create_future()
    caller = asyncio.create_task(finish(work, start))
    await asyncio.sleep(0)
    start.begin()
    caller.cancel()
    await asyncio.sleep(0)

    work.set_exception(OSError("disk"))

    with pytest.raises((OSError, asyncio.CancelledError)) as ended:
        await caller
    assert isinstance(ended.value, OSError)


async def test_a_time_out_around_a_write_is_still_a_time_out(opened: Open) -> None:
    store = await opened()
    await store.create(record())
    loop, limit, released = asyncio.get_running_loop(), asyncio.timeout(None), Event()

    def time_is_up() -> None:
        limit.reschedule(loop.time())
        loop.call_later(0.05, released.set)

    def slow(connection: sqlite3.Connection) -> int:
        loop.call_soon_threadsafe(time_is_up)
        return int(released.wait(60))

    async def limited() -> None:
        async with limit:
            await store.database.write(slow)
            await asyncio.sleep(60)

    with pytest.raises(TimeoutError):
        await limited()
    assert released.is_set()
