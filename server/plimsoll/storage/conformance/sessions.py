"""Checks of sessions: their records, their logs and their leases."""

from plimsoll.errors import Busy, LogConflict, NotFound
from plimsoll.storage.base import HeldAddress
from plimsoll.storage.conformance.base import (
    MARK,
    SECRET,
    Check,
    OpenStore,
    hide_secret,
    record,
    refusal,
    said,
)


async def check_a_session_comes_back_as_it_was_stored(open_store: OpenStore) -> None:
    """A session comes back as it was stored."""
    store = await open_store()
    whole = record("s1", title="Grüße", turns=3, parent_id="s0", preview="Where?")

    await store.create(whole, [said("a"), said("b", "ok \ud800 \0")])

    assert await store.get("s1") == whole
    assert await store.entries("s1") == [said("a"), said("b", "ok ? \0")]


async def check_sessions_of_subagents_stay_out_of_the_list(
    open_store: OpenStore,
) -> None:
    """Sessions of subagents are known and stay out of the list."""
    store = await open_store()
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


async def check_a_session_keeps_where_it_may_be_sent_in_order(open_store: OpenStore) -> None:
    """A session keeps the addresses to which it may be sent, in their order."""
    store = await open_store()
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


async def check_a_log_grows_at_its_end(open_store: OpenStore) -> None:
    """A log grows at its end."""
    store = await open_store()
    await store.create(record())

    kept = [
        await store.append("s1", [said("a")], 0),
        await store.append("s1", [said("b"), said("c")], 1),
        await store.append("s1", [], 3),
    ]

    assert kept == [[said("a")], [said("b"), said("c")], []]
    assert await store.entries("s1", 1) == [said("b"), said("c")]
    assert await store.entries("s1", 3) == []


async def check_a_log_that_is_not_as_expected_stays_as_it_is(open_store: OpenStore) -> None:
    """An append at another length than the log's is refused and changes nothing."""
    store = await open_store()
    await store.create(record(), [said("a")])

    for expected in (0, 2):
        conflict = await refusal(store.append("s1", [said("b")], expected), LogConflict)
        assert conflict.data == {"expected": expected, "length": 1}

    assert await store.entries("s1") == [said("a")]


async def check_an_id_is_given_once(open_store: OpenStore) -> None:
    """A second session of the same id is refused."""
    store = await open_store()
    await store.create(record(title="first"), [said("a")])

    await refusal(store.create(record(title="second")), LogConflict)

    assert (await store.get("s1")).title == "first"
    assert await store.entries("s1") == [said("a")]


async def check_sessions_come_the_one_written_to_last_first(open_store: OpenStore) -> None:
    """Sessions are listed by their last entry, the newest first."""
    store = await open_store()
    for name in ("a", "b", "c"):
        await store.create(record(name, updated_at="2026-01-01T00:00:00Z"))
    await store.append("b", [said("x", at="2026-01-03T00:00:00Z")], 0)
    # The clock has jumped back: the order in which things are written stays.
    await store.append("a", [said("y", at="2025-11-24T00:00:00Z")], 0)

    assert [session.id for session in await store.sessions()] == ["a", "b", "c"]
    assert [session.id for session in await store.sessions(limit=2)] == ["a", "b"]
    assert await store.sessions(limit=0) == []


async def check_empty_sessions_come_the_newest_first(open_store: OpenStore) -> None:
    """Sessions without entries are listed by their creation, the newest first."""
    store = await open_store()
    for name in ("b", "c", "a"):
        await store.create(record(name))

    assert [session.id for session in await store.sessions()] == ["a", "c", "b"]


async def check_an_older_entry_does_not_make_a_session_older(open_store: OpenStore) -> None:
    """An older entry does not make a session older."""
    store = await open_store()
    await store.create(record(updated_at="2026-01-03T00:00:00Z"))

    await store.append("s1", [said("a", at="2026-01-01T00:00:00Z")], 0)

    assert (await store.get("s1")).updated_at == "2026-01-03T00:00:00Z"


async def check_an_update_replaces_the_record_and_keeps_the_log(open_store: OpenStore) -> None:
    """An update replaces the record and keeps the log."""
    store = await open_store()
    await store.create(record(), [said("a")])

    stored = await store.update(record(title="renamed", turns=2), record())

    assert stored == await store.get("s1") == record(title="renamed", turns=2)
    assert await store.entries("s1") == [said("a")]


async def check_an_update_leaves_what_others_wrote_of_the_rest(
    open_store: OpenStore,
) -> None:
    """An update writes only its changed fields, and keeps those that another process wrote."""
    store = await open_store()
    await store.create(record())

    await store.update(record(title="ours"), record())
    stored = await store.update(record(turns=1), record())

    assert stored == await store.get("s1") == record(title="ours", turns=1)


async def check_a_deleted_session_is_gone_and_others_stay(open_store: OpenStore) -> None:
    """A deleted session is gone and others stay."""
    store = await open_store()
    await store.create(record("s1"), [said("a")])
    await store.create(record("s2", parent_id="s1"), [said("a")])

    await store.delete("s1")

    assert [session.id for session in await store.sessions()] == ["s2"]
    assert await store.entries("s2") == [said("a")]
    await store.create(record("s1"))
    assert await store.entries("s1") == []


async def check_what_is_not_there_is_named(open_store: OpenStore) -> None:
    """An operation on an unknown session fails with an error that names it."""
    store = await open_store()
    for call in (
        store.get("nobody"),
        store.entries("nobody"),
        store.append("nobody", [said("a")], 0),
        store.update(record("nobody"), record("nobody")),
        store.delete("nobody"),
        store.acquire("nobody"),
    ):
        missing = await refusal(call, NotFound)
        assert missing.kind == "sessionNotFound"
        assert "nobody" in missing.message


async def check_a_lease_is_held_once_and_can_be_had_again(open_store: OpenStore) -> None:
    """One process at a time holds the lease of a session; released, it can be taken again."""
    store = await open_store()
    await store.create(record("s1"))
    await store.create(record("s2"))

    assert not store.holds("s1")
    lease = await store.acquire("s1")
    assert store.holds("s1")
    busy = await refusal(store.acquire("s1"), Busy)
    other = await store.acquire("s2")

    assert busy.data == {"heldBy": lease.holder}
    assert (
        busy.remedy == "Wait until the other process is done with it, or go on in another session."
    )
    await store.release(lease)
    await store.release(lease)
    assert await store.acquire("s1") == lease
    await store.release(other)


async def check_a_leased_session_can_be_deleted_by_its_holder(open_store: OpenStore) -> None:
    """A leased session can be deleted by its holder."""
    store = await open_store()
    await store.create(record())
    lease = await store.acquire("s1")

    await store.delete("s1")
    await store.release(lease)

    assert await store.sessions() == []


async def check_a_store_can_be_closed_twice(open_store: OpenStore) -> None:
    """A store can be closed twice."""
    store = await open_store()
    await store.close()
    await store.close()


async def check_secrets_stay_outside(open_store: OpenStore) -> None:
    """Secrets in the texts of sessions are redacted before they are stored."""
    store = await open_store(hide_secret)

    first = await store.create(record(title=SECRET, preview=f"use {SECRET}!"), [said("a", SECRET)])
    second = await store.append("s1", [said("b", f"key={SECRET};")], 1)
    await store.update(record(title=f"again {SECRET}"), record())

    assert (await store.get("s1")).title == f"again {MARK}"
    assert first == [said("a", MARK)]
    assert second == [said("b", f"key={MARK};")]
    assert await store.entries("s1") == first + second


SESSIONS: tuple[Check, ...] = (
    check_a_session_comes_back_as_it_was_stored,
    check_sessions_of_subagents_stay_out_of_the_list,
    check_a_session_keeps_where_it_may_be_sent_in_order,
    check_a_log_grows_at_its_end,
    check_a_log_that_is_not_as_expected_stays_as_it_is,
    check_an_id_is_given_once,
    check_sessions_come_the_one_written_to_last_first,
    check_empty_sessions_come_the_newest_first,
    check_an_older_entry_does_not_make_a_session_older,
    check_an_update_replaces_the_record_and_keeps_the_log,
    check_an_update_leaves_what_others_wrote_of_the_rest,
    check_a_deleted_session_is_gone_and_others_stay,
    check_what_is_not_there_is_named,
    check_a_lease_is_held_once_and_can_be_had_again,
    check_a_leased_session_can_be_deleted_by_its_holder,
    check_a_store_can_be_closed_twice,
    check_secrets_stay_outside,
)
"""What a store of sessions must pass."""
