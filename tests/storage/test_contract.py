"""What every kind of store keeps to."""

from collections.abc import AsyncIterator

import pytest

from plimsoll.errors import Busy, LogConflict, NotFound
from plimsoll.redaction.secrets import Secrets
from plimsoll.storage.base import HeldAddress, SessionStore
from plimsoll.storage.registry import OPENERS
from storage.conftest import SHARED, Open
from storage.samples import record, said


@pytest.fixture(params=[*OPENERS, SHARED])
async def store(request: pytest.FixtureRequest, opened: Open) -> AsyncIterator[SessionStore]:
    yield await opened(request.param, Secrets({"SHIP_KEY": 'sail"and\nanchor'}))


async def test_a_session_comes_back_as_it_was_stored(store: SessionStore) -> None:
    whole = record("s1", title="Grüße", turns=3, parent_id="s0", preview="Where?")

    await store.create(whole, [said("a"), said("b", "ok \ud800 \0")])

    assert await store.get("s1") == whole
    assert await store.entries("s1") == [said("a"), said("b", "ok ? \0")]


async def test_sessions_of_subagents_are_known_and_stay_out_of_the_list(
    store: SessionStore,
) -> None:
    await store.create(record("s1"))
    await store.create(record("s2", parent_id="s1", agent="explore", depth=1))
    await store.create(record("s3", parent_id="s1"))
    child = await store.get("s2")
    assert (child.agent, child.depth) == ("explore", 1)
    assert [each.id for each in await store.sessions()] == ["s3", "s1"]
    assert [each.id for each in await store.sessions(agents=True)] == ["s3", "s2", "s1"]
    assert await store.agents_of("s1") == [child]

    own = await store.update(record("s2", parent_id="s1"), child)

    assert (own.agent, own.depth, own.parent_id) == (None, 0, "s1")
    assert [each.id for each in await store.sessions()] == ["s3", "s2", "s1"]
    assert await store.agents_of("s1") == []


async def test_a_session_keeps_where_it_may_be_sent_in_order(store: SessionStore) -> None:
    here, there = HeldAddress("http://127.0.0.1:8080", "m1"), HeldAddress("https://api.example.org")
    begun = record("s1", addresses=(here,))
    await store.create(begun)
    await store.create(record("s2"))

    both = await store.update(record("s1", addresses=(there, here)), begun)
    renamed = await store.update(record("s1", title="New", addresses=(here,)), begun)

    assert both.addresses == (there, here)
    # Whoever knows of nothing else leaves what another process has written.
    assert renamed.addresses == (there, here)
    assert [each.addresses for each in await store.sessions()] == [(), (there, here)]
    await store.delete("s1")
    await store.create(record("s1"))
    assert (await store.get("s1")).addresses == ()


async def test_a_log_grows_at_its_end(store: SessionStore) -> None:
    await store.create(record())

    kept = [
        await store.append("s1", [said("a")], 0),
        await store.append("s1", [said("b"), said("c")], 1),
        await store.append("s1", [], 3),
    ]

    assert kept == [[said("a")], [said("b"), said("c")], []]
    assert await store.entries("s1", 1) == [said("b"), said("c")]
    assert await store.entries("s1", 3) == []


@pytest.mark.parametrize("expected", [0, 2])
async def test_a_log_that_is_not_as_expected_stays_as_it_is(
    store: SessionStore, expected: int
) -> None:
    await store.create(record(), [said("a")])

    with pytest.raises(LogConflict) as conflict:
        await store.append("s1", [said("b")], expected)

    assert conflict.value.data == {"expected": expected, "length": 1}
    assert await store.entries("s1") == [said("a")]


async def test_an_id_is_given_once(store: SessionStore) -> None:
    await store.create(record(title="first"), [said("a")])

    with pytest.raises(LogConflict):
        await store.create(record(title="second"))

    assert (await store.get("s1")).title == "first"
    assert await store.entries("s1") == [said("a")]


async def test_sessions_come_the_one_written_to_last_first(store: SessionStore) -> None:
    for name in ("a", "b", "c"):
        await store.create(record(name, updated_at="2026-01-01T00:00:00Z"))
    await store.append("b", [said("x", at="2026-01-03T00:00:00Z")], 0)
    # The clock has jumped back: the order in which things are written stays.
    await store.append("a", [said("y", at="2025-11-24T00:00:00Z")], 0)

    assert [session.id for session in await store.sessions()] == ["a", "b", "c"]
    assert [session.id for session in await store.sessions(limit=2)] == ["a", "b"]
    assert await store.sessions(limit=0) == []


async def test_empty_sessions_come_the_newest_first(store: SessionStore) -> None:
    for name in ("b", "c", "a"):
        await store.create(record(name))

    assert [session.id for session in await store.sessions()] == ["a", "c", "b"]


async def test_an_older_entry_does_not_make_a_session_older(store: SessionStore) -> None:
    await store.create(record(updated_at="2026-01-03T00:00:00Z"))

    await store.append("s1", [said("a", at="2026-01-01T00:00:00Z")], 0)

    assert (await store.get("s1")).updated_at == "2026-01-03T00:00:00Z"


async def test_an_update_replaces_the_record_and_keeps_the_log(store: SessionStore) -> None:
    await store.create(record(), [said("a")])

    stored = await store.update(record(title="renamed", turns=2), record())

    assert stored == await store.get("s1") == record(title="renamed", turns=2)
    assert await store.entries("s1") == [said("a")]


async def test_an_update_leaves_what_somebody_else_wrote_of_the_rest(store: SessionStore) -> None:
    await store.create(record())

    await store.update(record(title="ours"), record())
    stored = await store.update(record(turns=1), record())

    assert stored == await store.get("s1") == record(title="ours", turns=1)


async def test_a_deleted_session_is_gone_and_others_stay(store: SessionStore) -> None:
    await store.create(record("s1"), [said("a")])
    await store.create(record("s2", parent_id="s1"), [said("a")])

    await store.delete("s1")

    assert [session.id for session in await store.sessions()] == ["s2"]
    assert await store.entries("s2") == [said("a")]
    await store.create(record("s1"))
    assert await store.entries("s1") == []


async def test_what_is_not_there_is_named(store: SessionStore) -> None:
    for call in (
        store.get("nobody"),
        store.entries("nobody"),
        store.append("nobody", [said("a")], 0),
        store.update(record("nobody"), record("nobody")),
        store.delete("nobody"),
        store.acquire("nobody"),
    ):
        with pytest.raises(NotFound) as missing:
            await call
        assert missing.value.kind == "sessionNotFound"
        assert "nobody" in missing.value.message


async def test_a_lease_is_held_once_and_can_be_had_again(store: SessionStore) -> None:
    await store.create(record("s1"))
    await store.create(record("s2"))

    assert not store.holds("s1")
    lease = await store.acquire("s1")
    assert store.holds("s1")
    with pytest.raises(Busy) as busy:
        await store.acquire("s1")
    other = await store.acquire("s2")

    assert busy.value.data == {"heldBy": lease.holder}
    assert (
        busy.value.remedy
        == "Wait until the other process is done with it, or go on in another session."
    )
    await store.release(lease)
    await store.release(lease)
    assert await store.acquire("s1") == lease
    await store.release(other)


async def test_a_leased_session_can_be_deleted_by_its_holder(store: SessionStore) -> None:
    await store.create(record())
    lease = await store.acquire("s1")

    await store.delete("s1")
    await store.release(lease)

    assert await store.sessions() == []


async def test_a_store_can_be_closed_twice(store: SessionStore) -> None:
    await store.close()
    await store.close()


async def test_secrets_stay_outside(store: SessionStore) -> None:
    secret = 'sail"and\nanchor'

    first = await store.create(record(title=secret, preview=f"use {secret}!"), [said("a", secret)])
    second = await store.append("s1", [said("b", f"key={secret};")], 1)
    await store.update(record(title=f"again {secret}"), record())

    marker = "[redacted: SHIP_KEY]"
    assert (await store.get("s1")).title == f"again {marker}"
    assert first == [said("a", marker)]
    assert second == [said("b", f"key={marker};")]
    assert await store.entries("s1") == first + second
