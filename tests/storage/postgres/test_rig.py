"""Poolers, followers, kills and a wire that breaks: what is kept is what was acknowledged."""

import pytest

from memory.samples import AT, memory
from plimsoll.errors import StoreUnavailable
from plimsoll.memory.changes import Add
from plimsoll.memory.types import MemoryState
from plimsoll.storage.postgres.opening import create_shared, open_shared
from plimsoll.storage.shared.reasons import Reason
from storage.postgres.engine import running
from storage.postgres.rig.pooler import pooling
from storage.postgres.rig.proxy import Cut, between
from storage.samples import unchanged

pytestmark = pytest.mark.slow


async def kept(store) -> set[str]:
    return {each.id for each in await store.memories.memories({MemoryState.ACTIVE})}


async def test_behind_a_pooler_that_shares_its_connections(engine, url, join):
    with pooling(engine) as pooler:
        stores = [await join(address=pooler.before(url)) for _ in range(3)]
        for number, store in enumerate(stores):
            await store.memories.apply([Add(memory(f"m{number}", f"Note {number}."))], AT)
        assert await kept(stores[0]) == {"m0", "m1", "m2"}
        for store in stores:
            await store.close()


async def test_a_server_that_comes_back_is_used_at_once():
    with running("fsync=off") as engine:
        url = engine.new_database()
        await create_shared(url, "harbour")
        store = await open_shared(url, "harbour", unchanged)
        await store.memories.apply([Add(memory())], AT)
        engine.kill()
        for _ in range(2):
            with pytest.raises(StoreUnavailable) as away:
                await store.memories.get("m1")
            assert away.value.data["reason"] is Reason.AWAY
        engine.start()
        assert await store.memories.get("m1") == memory()
        await store.close()


async def test_a_commit_that_breaks_is_there_or_is_not(engine, url, join):
    async with between(engine.port) as proxy:
        store, other = await join(address=proxy.before(url)), await join()
        for number, cut in enumerate((Cut.BEFORE, Cut.AFTER)):
            proxy.cut_at_commit = iter([cut, *[None] * 99]).__next__
            with pytest.raises(StoreUnavailable):
                await store.memories.apply([Add(memory(f"m{number}", f"Note {number}."))], AT)
        assert proxy.cuts == 2
        assert await kept(other) == {"m1"}
        await store.close()
