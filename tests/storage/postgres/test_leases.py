"""Who may write a session that travels."""

import asyncio

import psycopg
import pytest

from plimsoll.errors import Busy, LogConflict, NotFound
from storage.samples import record, said

pytestmark = pytest.mark.slow


def run_out(url: str) -> None:
    """Let the engine's clock run past every lease."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("UPDATE plimsoll.sessions SET held_until = now() - interval '1 second'")


async def test_one_machine_writes_and_the_other_is_told_which(join):
    laptop, desk = await join("laptop"), await join("desk")
    await laptop.create(record())
    await laptop.acquire("s1")

    with pytest.raises(Busy, match="in use by laptop pid"):
        await desk.acquire("s1")
    with pytest.raises(Busy):
        await desk.append("s1", [said("a")], 0)
    with pytest.raises(Busy):
        await desk.update(record(title="Other"), record())
    with pytest.raises(Busy):
        await desk.delete("s1")
    await laptop.append("s1", [said("a")], 0)
    assert await desk.entries("s1") == [said("a")]
    with pytest.raises(NotFound):
        await desk.acquire("s2")


async def test_a_machine_that_was_away_too_long_writes_nothing_more(join, url):
    laptop, desk = await join("laptop"), await join("desk")
    await laptop.create(record())
    lease = await laptop.acquire("s1")
    run_out(url)
    # Nobody has taken it: whoever held it goes on.
    await laptop.append("s1", [said("a")], 0)

    await desk.acquire("s1")

    assert laptop.holds("s1")
    for late in (laptop.append("s1", [said("b")], 1), laptop.delete("s1")):
        with pytest.raises(Busy, match="in use by desk"):
            await late
    # Its release is of a lease that is not the newest.
    await laptop.release(lease)
    await desk.append("s1", [said("c")], 1)
    with pytest.raises(Busy):
        await laptop.acquire("s1")
    assert await laptop.entries("s1") == [said("a"), said("c")]


async def test_a_lease_can_be_extended_until_somebody_else_has_taken_it(join, url):
    laptop, desk = await join("laptop"), await join("desk")
    await laptop.create(record())
    await laptop.acquire("s1")
    run_out(url)

    assert await laptop.renew("s1")
    with pytest.raises(Busy):
        await desk.acquire("s1")
    run_out(url)
    await desk.acquire("s1")
    assert not await laptop.renew("s1")


async def test_two_that_both_believe_to_hold_it_make_one_log(join, url):
    stores = [await join("laptop"), await join("desk")]
    await stores[0].create(record())

    async def write(store, name: str) -> int:
        written = 0
        for number in range(60):
            await asyncio.to_thread(run_out, url)
            try:
                await store.acquire("s1")
                length = len(await store.entries("s1"))
                await store.append("s1", [said(f"{name}{number}")], length)
                written += 1
            except (Busy, LogConflict):
                continue
        return written

    written = await asyncio.gather(write(stores[0], "a"), write(stores[1], "b"))

    entries = await stores[0].entries("s1")
    assert len(entries) == len({each.id for each in entries}) == sum(written) > 0
    assert await stores[1].entries("s1") == entries
