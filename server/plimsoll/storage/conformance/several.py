"""Checks of several processes or machines on one project: writers, cancellation, fencing, ends."""

import asyncio

from plimsoll.errors import Busy, LogConflict, MemoryRefused
from plimsoll.memory.changes import Add, Forget, Purge, Use
from plimsoll.memory.types import Author, MemoryState
from plimsoll.storage.conformance.base import (
    AT,
    Check,
    OpenStore,
    find_ids,
    memory,
    pair,
    record,
    refusal,
    said,
)

WRITERS, WRITES, CANCELS = 4, 20, 60


async def check_what_one_stores_the_other_reads(open_store: OpenStore) -> None:
    """Texts that one process stores are read by another, and remain when both are closed."""
    one, other = await open_store(), await open_store()
    await one.create(record(), [said("a")])
    await one.memories.apply([Add(memory("m1", "harbour"))], AT)
    await one.pins.add("p1", "first", AT)

    assert await other.entries("s1") == [said("a")]
    assert await find_ids(other.memories, "harbour") == ["m1"]
    assert (await other.pins.add("p2", "second", AT)).number == 2
    await one.close()
    await other.close()

    again = await open_store()
    assert [pin.number for pin in await again.pins.pins()] == [1, 2]
    assert await again.entries("s1") == [said("a")]
    assert await again.memories.get("m1") == memory("m1", "harbour")


async def check_writers_at_once_lose_nothing_and_count_once(open_store: OpenStore) -> None:
    """Of what several write at once nothing is lost, and each use counts once."""
    stores = [await open_store() for _ in range(WRITERS)]
    await stores[0].memories.apply([Add(memory("m0", "Everybody counts this."))], AT)

    async def write(number: int) -> None:
        for n in range(WRITES):
            name = f"w{number}n{n}"
            await stores[number].memories.apply([Add(memory(name, f"Note {name}.")), Use("m0")], AT)

    await asyncio.gather(*map(write, range(WRITERS)))

    kept = await stores[0].memories.memories({MemoryState.ACTIVE})
    assert len(kept) == len({each.id for each in kept}) == WRITERS * WRITES + 1
    assert (await stores[1].memories.get("m0")).times_used == WRITERS * WRITES
    events = await stores[2].memories.audit()
    assert len(events) == 2 * WRITERS * WRITES + 1
    assert (await find_ids(stores[3].memories, "note w3n7"))[:1] == ["w3n7"]


async def check_of_two_that_append_at_once_one_is_refused(open_store: OpenStore) -> None:
    """Of two that append at the same place one is refused whole, so that no unit is torn."""
    stores = [await open_store(), await open_store()]
    await stores[0].create(record())

    async def write(number: int) -> int:
        written = 0
        for n in range(WRITES):
            length = len(await stores[number].entries("s1"))
            try:
                await stores[number].append("s1", pair(f"{number}-{n}-"), length)
                written += 1
            except LogConflict:
                continue
        return written

    written = await asyncio.gather(write(0), write(1))

    entries = await stores[0].entries("s1")
    assert len(entries) == 2 * sum(written) > 0
    assert all(a.id[:-1] == b.id[:-1] for a, b in zip(entries[::2], entries[1::2], strict=True))
    assert await stores[1].entries("s1") == entries


async def check_a_cancelled_write_is_whole_or_absent(open_store: OpenStore) -> None:
    """A cancelled write is stored whole or not at all; cancelled too late, it is stored."""
    store, other = await open_store(), await open_store()
    for number in range(CANCELS):
        one, two = f"m{number}", f"m{number}b"
        changes = [Add(memory(one, f"First {one}.")), Add(memory(two, f"Second {one}."))]
        work = asyncio.ensure_future(store.memories.apply(changes, AT))
        for _ in range(number):
            await asyncio.sleep(0)
        work.cancel()
        await asyncio.wait([work])
        kept = {each.id for each in await other.memories.memories(frozenset(MemoryState))}
        assert ({one, two} <= kept) or not ({one, two} & kept)
        assert work.cancelled() or one in kept


async def check_a_lease_fences_the_other_out(open_store: OpenStore) -> None:
    """While a process holds a session's lease, another is refused it and told the holder."""
    one, other = await open_store(), await open_store()
    await one.create(record())
    lease = await one.acquire("s1")

    busy = await refusal(other.acquire("s1"), Busy)

    assert busy.data == {"heldBy": lease.holder}
    await one.release(lease)
    assert (await other.acquire("s1")).session_id == "s1"
    assert not one.holds("s1")


async def check_what_one_forgets_or_purges_no_other_finds(open_store: OpenStore) -> None:
    """A memory that one process forgets or purges is not found, read or stored by any other."""
    one, other = await open_store(), await open_store()
    texts = {
        "m1": "The harbour entrance faces north and is closed at night.",
        "m2": "The lighthouse keeper counts every ship that passes.",
    }
    await one.memories.apply([Add(memory(*each)) for each in texts.items()], AT)
    assert await find_ids(other.memories, "harbour") == ["m1"]

    await one.memories.apply([Forget("m1", Author.USER), Purge("m2", Author.USER)], AT)

    assert await find_ids(other.memories, "harbour lighthouse") == []
    assert {each.id for each in await other.memories.memories(frozenset(MemoryState))} == {"m1"}
    for number, text in enumerate(texts.values()):
        again = Add(memory(f"again{number}", text, author=Author.AGENT))
        await refusal(other.memories.apply([again], AT), MemoryRefused)


async def check_the_order_does_not_hang_on_clocks(open_store: OpenStore) -> None:
    """Two machines whose clocks are years apart write one log and one list, in the true order."""
    behind, ahead = await open_store(), await open_store()
    await behind.create(record("s1"))
    await behind.create(record("s2"))
    await ahead.append("s1", [said("a", at="2031-01-01T00:00:00.000Z")], 0)
    await behind.append("s1", [said("b", at="2001-01-01T00:00:00.000Z")], 1)
    await behind.append("s2", [said("c", at="2001-01-01T00:00:00.000Z")], 0)

    assert [entry.id for entry in await ahead.entries("s1")] == ["a", "b"]
    assert [session.id for session in await ahead.sessions()] == ["s2", "s1"]


SEVERAL: tuple[Check, ...] = (
    check_what_one_stores_the_other_reads,
    check_writers_at_once_lose_nothing_and_count_once,
    check_of_two_that_append_at_once_one_is_refused,
    check_a_cancelled_write_is_whole_or_absent,
    check_a_lease_fences_the_other_out,
    check_what_one_forgets_or_purges_no_other_finds,
    check_the_order_does_not_hang_on_clocks,
)
"""What a store must pass that several processes or machines open at once."""
