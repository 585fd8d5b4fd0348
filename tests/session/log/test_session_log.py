"""The log: durable first, redacted at the door, and one with the store whatever is cancelled."""

import asyncio

import pytest

from builders import AT, LEDGER, assistant, edited, exchange, pin, user
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Cover, Framed, Noted, Refer, Replace, Slot, Stage
from plimsoll.context.log.entries import ItemState as Form
from plimsoll.context.view.fold import Fold
from plimsoll.errors import LogConflict, StoreUnavailable
from plimsoll.session.log.session_log import READ_AT_ONCE, SessionLog
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.events import TurnEnded
from plimsoll.storage.base import SessionRecord
from plimsoll.storage.sqlite import SqliteStore
from session.harness import SECRET, harness, redact
from session.loop_watch import LoopWatch

RECORD = SessionRecord(
    id="s1",
    workspace="file:///folder",
    title="",
    mode="edit",
    model="scripted/small",
    created_at=AT,
    updated_at=AT,
)


class Busy(SqliteStore):
    """A store that takes its time before and after each write, as one on a disk does."""

    async def append(self, session_id, entries, expected):
        await asyncio.sleep(0)
        length = await super().append(session_id, entries, expected)
        await asyncio.sleep(0)
        return length

    async def update(self, record, known):
        await asyncio.sleep(0)
        stored = await super().update(record, known)
        await asyncio.sleep(0)
        return stored


class Full(SqliteStore):
    """A disk without room."""

    async def append(self, session_id, entries, expected):
        raise StoreUnavailable("The disk is full.", remedy="Free some room.")


async def log_in(store) -> SessionLog:
    await store.create(RECORD)
    return SessionLog(RECORD.id, store, Indexes(Fold(LEDGER)))


@pytest.mark.parametrize("way", ["append", "refresh", "before_request"])
async def test_a_long_text_is_counted_and_read_off_the_loop(monkeypatch, way):
    watch = LoopWatch(monkeypatch)
    store = SqliteStore.in_memory(redact)
    await store.create(RECORD)
    log = SessionLog(RECORD.id, store, Indexes(Fold(watch.ledger)))
    long = assistant("a1", "see grep_all in src/a.py " * 50_000)
    if way == "append":
        await log.append(user("u1", "Well?"), long)
    else:
        await store.append(RECORD.id, [user("u1", "Well?"), long], 0)
        await (log.refresh() if way == "refresh" else log.before_request(()))
    assert log.fold.view.tokens > 50_000
    assert "grep_all" in log.indexes.name_counts_in_view()
    assert "grep_all" in log.indexes.references.uses()
    assert all(size < READ_AT_ONCE for size in watch.here.values()), watch.here


async def test_what_is_appended_stands_in_the_store_and_in_the_fold():
    store = SqliteStore.in_memory(redact)
    log = await log_in(store)
    await log.append(*exchange(1, "found"), pin(1, "It holds."))
    assert (
        await store.entries("s1")
        == log.fold.entries
        == [*exchange(1, "found"), pin(1, "It holds.")]
    )


async def test_what_the_store_refuses_is_not_in_the_fold():
    log = await log_in(Full.in_memory(redact))
    with pytest.raises(StoreUnavailable):
        await log.append(user("u1", "hello"))
    assert log.fold.entries == []


async def test_another_process_is_seen_before_it_is_overwritten():
    store = SqliteStore.in_memory(redact)
    mine = await log_in(store)
    theirs = SessionLog("s1", store, Indexes(Fold(LEDGER)))
    await theirs.append(user("u1", "first"))
    with pytest.raises(LogConflict):
        await mine.append(user("u2", "second"))
    assert mine.fold.entries == []
    assert await mine.refresh() == 1
    await mine.append(user("u2", "second"))
    assert (
        await store.entries("s1")
        == mine.fold.entries
        == [user("u1", "first"), user("u2", "second")]
    )


async def test_appends_at_once_come_one_after_the_other():
    store = Busy.in_memory(redact)
    log = await log_in(store)
    await asyncio.gather(*(log.append(*exchange(number, "found")) for number in range(20)))
    assert await store.entries("s1") == log.fold.entries
    assert len(log.fold.entries) == 40


@pytest.mark.parametrize(
    "entry",
    [
        user("u1", f"My key is {SECRET}"),
        Framed(id="f1", at=AT, slot="system", kind=Slot.SYSTEM, text=f"key {SECRET}"),
        pin(1, SECRET),
        Noted(id="n1", at=AT, what="usage", data=f'"{SECRET}"'),
        edited("e1", stage=Stage.PRUNE, why=SECRET),
        edited("e1", Replace("r1.0", SECRET, Form.PRUNED), stage=Stage.PRUNE),
        edited("e1", Refer("r1.0", "base", SECRET), stage=Stage.REFER),
        edited("e1", Cover(("u1",), SECRET)),
    ],
    ids=lambda entry: type(entry).__name__,
)
async def test_no_entry_keeps_a_secret(entry):
    log = await log_in(SqliteStore.in_memory(redact))
    await log.append(entry)
    assert SECRET not in repr(log.fold.entries)
    assert "[redacted]" in repr(log.fold.entries)


async def test_lone_surrogates_become_text_that_a_request_can_carry():
    log = await log_in(SqliteStore.in_memory(redact))
    await log.append(user("u1", "a \ud800 b"))
    assert log.fold.entries == [user("u1", "a ? b")]


@pytest.mark.slow
async def test_a_storm_of_cancels_leaves_store_and_fold_as_one(tmp_path):
    """A turn is cancelled after 0, 1, 2 ... steps of the event loop, until it ends by itself."""
    read = {"name": "file_read", "arguments": {"path": "load.txt"}}
    write = {"name": "file_write", "arguments": {"path": "new.txt", "content": "x"}}
    usage = {"input": 9, "output": 9}
    calls = {"text": ["I ", "look."], "calls": [read, write], "usage": usage}
    rules = [{"when": "Do it", "steps": [calls, {"text": ["Do", "ne."]}]}]
    ends: dict[str, int] = {}
    steps, cancelled = 0, True
    while cancelled:
        options = {"rules": rules, "script": "echo", "store": Busy.in_memory(redact)}
        async with harness(tmp_path / str(steps), **options) as own:
            (own.folder / "load.txt").write_text("7\n")
            await own.session.prompt([PromptText("Do it.")])
            for _ in range(steps):
                await asyncio.sleep(0)
            cancelled = await own.session.cancel()
            (ended,) = own.heard(TurnEnded)
            ends[ended.reason] = ends.get(ended.reason, 0) + 1
            await own.consistent()
            assert (await own.turn("Go on.")).reason == "endTurn"
            await own.consistent()
        steps += 1 + steps // 20
    # How many steps a turn takes is the machine's affair; the law was checked after each cancel.
    assert ends["cancelled"] >= 10, ends
    assert ends["endTurn"] >= 1
