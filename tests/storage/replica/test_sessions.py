"""Where each session that travels is: what a machine notes of it, and how a log is brought here."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from plimsoll.errors import LogConflict, NotFound
from plimsoll.storage.locate import ProjectPaths
from plimsoll.storage.replica.sessions import SqliteSessionCopies, hear_of_sessions
from plimsoll.storage.shared.base import Joined
from plimsoll.storage.shared.news import SharedSession
from plimsoll.storage.shared.operations import DeleteSession
from plimsoll.storage.shared.travelling import Arrival, SessionPlaces
from plimsoll.storage.sqlite import SqliteStore, open_sqlite
from storage.samples import record, said, unchanged

ENTRIES = [said(f"m{n}") for n in range(6)]
JOINED = Joined(
    project="p", name="ship", url="postgresql://host/ship", joined_at="2026-01-02T03:04:05Z"
)
THERE = SharedSession(record("s1", title="There"), 4, "galley", is_held=True)


@pytest.fixture
async def store(paths: ProjectPaths) -> AsyncIterator[SqliteStore]:
    opened = await open_sqlite(paths, unchanged, lambda _: None)
    yield opened
    await opened.close()


@pytest.fixture
def copies(store: SqliteStore) -> SqliteSessionCopies:
    return SqliteSessionCopies(store.database, unchanged)


async def hear(store: SqliteStore, *sessions: SharedSession, deleted: tuple[str, ...] = ()) -> None:
    await store.database.write(lambda db: hear_of_sessions(db, sessions, deleted))


def arrival(**fields: object) -> Arrival:
    values = {"record": record("s1"), "shared": THERE, "here": 0, "start": 0, **fields}
    return Arrival(**{"entries": ENTRIES[:4], **values})


async def test_a_session_that_was_never_sent_is_here_alone(
    store: SqliteStore, copies: SqliteSessionCopies
):
    await store.create(record("s1"), ENTRIES[:2])
    await store.create(record("s2"))
    await store.create(record("a1", agent="explore", depth=1, parent_id="s1"), ENTRIES[:1])
    assert await copies.all() == [
        SessionPlaces(id="s1", record=record("s1"), here=2),
        SessionPlaces(id="s2", record=record("s2"), here=0),
    ]
    assert await copies.find("a1") is None
    assert await copies.find("nowhere") is None


async def test_what_was_shipped_and_leased_is_noted(
    store: SqliteStore, copies: SqliteSessionCopies
):
    await store.create(record("s1"), ENTRIES[:5])
    await copies.note_sent(THERE, 4, fence=None)
    await copies.note_fence("s1", 7)
    assert await copies.find("s1") == SessionPlaces(
        id="s1", record=record("s1"), here=5, there=THERE, sent=4, fence=7
    )


async def test_news_leave_what_was_sent_and_the_lease(
    store: SqliteStore, copies: SqliteSessionCopies
):
    await store.create(record("s1"), ENTRIES[:4])
    await copies.note_sent(THERE, 4, fence=7)
    later = replace(THERE, length=6, machine="bridge", is_held=False)
    await hear(store, later)
    found = await copies.find("s1")
    assert found is not None
    assert (found.there, found.sent, found.fence) == (later, 4, 7)
    assert (found.unsent, found.ahead) == (0, 2)


async def test_a_log_that_is_not_here_is_stored_with_its_record(
    store: SqliteStore, copies: SqliteSessionCopies
):
    await hear(store, THERE)
    assert await copies.all() == [SessionPlaces(id="s1", there=THERE)]
    await copies.store(arrival(fence=3))
    assert await store.entries("s1") == ENTRIES[:4]
    assert await copies.find("s1") == SessionPlaces(
        id="s1", record=record("s1"), here=4, there=THERE, sent=4, fence=3
    )


async def test_a_log_that_grew_elsewhere_gets_its_end(
    store: SqliteStore, copies: SqliteSessionCopies
):
    await store.create(record("s1"), ENTRIES[:4])
    longer = replace(THERE, length=6)
    kept = record("s1", title="There")
    await copies.store(
        arrival(record=kept, shared=longer, here=4, start=4, entries=ENTRIES[4:], fence=3)
    )
    assert await store.entries("s1") == ENTRIES
    assert await store.get("s1") == kept


async def test_a_log_that_went_another_way_is_kept_as_a_branch(
    store: SqliteStore, copies: SqliteSessionCopies
):
    own = [*ENTRIES[:2], said("own1"), said("own2")]
    await store.create(record("s1"), own)
    branch = record("s2", title="A title (on galley)")
    await copies.store(arrival(here=4, start=2, entries=ENTRIES[2:4], branch=branch))
    assert await store.entries("s1") == ENTRIES[:4]
    assert await store.entries("s2") == own
    assert await store.get("s2") == branch
    assert [each.id for each in await copies.all()] == ["s1", "s2"]


async def test_what_was_written_meanwhile_is_not_overwritten(
    store: SqliteStore, copies: SqliteSessionCopies
):
    await store.create(record("s1"), [*ENTRIES[:2], said("own")])
    with pytest.raises(LogConflict):
        await copies.store(arrival(here=2, start=2, entries=ENTRIES[2:4]))
    assert await store.entries("s1") == [*ENTRIES[:2], said("own")]
    assert (await copies.find("s1") or THERE) == SessionPlaces(id="s1", record=record("s1"), here=3)


async def test_what_was_deleted_elsewhere_is_marked_here_or_leaves_the_list(
    store: SqliteStore, copies: SqliteSessionCopies
):
    await store.create(record("s1"), ENTRIES[:4])
    await copies.note_sent(THERE, 4, fence=7)
    await hear(store, replace(THERE, record=record("s2")))
    await hear(store, deleted=("s1",))
    await copies.note_deleted("s2")
    assert await copies.all() == [
        SessionPlaces(id="s1", record=record("s1"), here=4, there=THERE, sent=4, deleted=True)
    ]
    await copies.keep_here("s1")
    found = await copies.find("s1")
    assert found is not None
    assert found.stays
    await copies.drop("s1")
    assert await copies.find("s1") == SessionPlaces(id="s1", record=record("s1"), here=4)


async def test_a_secret_is_marked_as_it_arrives(store: SqliteStore):
    def redact(text: str) -> str:
        return text.replace("anchor", "[secret]")

    copies = SqliteSessionCopies(store.database, redact)
    told = replace(THERE, length=1, record=record("s1", preview="anchor"))
    entry = said("m0", "the anchor")
    await copies.store(arrival(record=told.record, shared=told, entries=[entry]))
    assert await store.entries("s1") == [said("m0", "the [secret]")]
    assert (await store.get("s1")).preview == "[secret]"
    with pytest.raises(NotFound):
        await store.get("s2")


async def test_a_session_that_travels_is_deleted_everywhere_with_its_log_here(
    store: SqliteStore, copies: SqliteSessionCopies
):
    await store.replica.join(JOINED)
    for name in ("s1", "own"):
        await store.create(record(name), ENTRIES[:4])
    await copies.note_sent(THERE, 4, fence=7)
    await store.delete("own")
    await store.delete("s1")
    assert [each.operation for each in await store.replica.read_queued()] == [DeleteSession("s1")]
    assert await copies.all() == []


async def test_one_whose_log_is_elsewhere_is_deleted_there(
    store: SqliteStore, copies: SqliteSessionCopies
):
    await store.replica.join(JOINED)
    await hear(store, THERE)
    await copies.delete_there("s1")
    assert [each.operation for each in await store.replica.read_queued()] == [DeleteSession("s1")]
    assert await copies.all() == []


async def test_one_that_was_deleted_there_or_stays_here_is_deleted_here_alone(
    store: SqliteStore, copies: SqliteSessionCopies
):
    await store.replica.join(JOINED)
    for name in ("s1", "s2"):
        await store.create(record(name), ENTRIES[:4])
        await copies.note_sent(replace(THERE, record=record(name)), 4, fence=None)
    await copies.note_deleted("s1")
    await copies.keep_here("s2")
    await store.delete("s1")
    await store.delete("s2")
    assert await store.replica.read_queued() == []


async def test_one_that_the_server_never_had_can_stay_here(
    store: SqliteStore, copies: SqliteSessionCopies
):
    await store.create(record("s1"), ENTRIES[:4])
    await copies.keep_here("s1")
    found = await copies.find("s1")
    assert found is not None
    assert (found.stays, found.here, found.sent) == (True, 4, 0)
