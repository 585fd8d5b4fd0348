"""The memories of a project as sessions, commands and tools use them."""

from dataclasses import replace

import pytest

from memory.samples import PORT, Told, memory
from plimsoll.errors import InvalidInput, MemoryRefused, NotFound
from plimsoll.memory.changes import MOST_WAITING, Add, Revise
from plimsoll.memory.injection import InjectionLimits
from plimsoll.memory.lineage import Lineage
from plimsoll.memory.service import Memories
from plimsoll.memory.types import (
    Action,
    Author,
    MemorySource,
    MemoryState,
    MemoryType,
    Trust,
)


async def test_what_a_person_asks_for_is_kept_as_theirs(notes: Memories, told: Told) -> None:
    kept = await notes.remember("we decided on SQLite yesterday", MemorySource("s1", "m1"))

    assert (kept.content, kept.type) == ("We decided on SQLite 2026-11-20", MemoryType.DECISION)
    assert (kept.author, kept.trust, kept.state) == (Author.USER, Trust.USER, MemoryState.ACTIVE)
    assert kept.source == MemorySource("s1", "m1")
    assert await notes.all() == [kept]
    assert told.times == 1


async def test_a_secret_is_refused_everywhere(notes: Memories, told: Told) -> None:
    secret = "the staging password is Tr0ub4dor&3"
    kept = await notes.add(PORT)
    for call in (
        notes.remember(secret),
        notes.add(replace(PORT, content=secret)),
        notes.save(replace(PORT, title=secret), Lineage.TYPED),
        notes.update(Revise(id=kept.id, author=Author.USER, content=secret)),
    ):
        with pytest.raises(MemoryRefused):
            await call

    assert await notes.all() == [kept]
    assert told.times == 1


@pytest.mark.parametrize(
    ("lineage", "state", "trust"),
    [
        (Lineage.TYPED, MemoryState.ACTIVE, Trust.AGENT),
        (Lineage.MIXED, MemoryState.INBOX, Trust.EXTRACTED),
    ],
)
async def test_what_the_agent_keeps_depends_on_what_it_has_read(
    notes: Memories, lineage: Lineage, state: MemoryState, trust: Trust
) -> None:
    kept = await notes.save(PORT, lineage)

    assert (kept.author, kept.state, kept.trust) == (Author.AGENT, state, trust)
    assert len(await notes.search("harbour", 5)) == (state is MemoryState.ACTIVE)


async def test_what_a_person_says_takes_the_place_of_the_same_that_waits(notes: Memories) -> None:
    rule = await notes.add(replace(PORT, content="Never push to main without a review."))
    wish = replace(PORT, content="The harbour master answers on channel twelve.")
    waiting = memory("w1", wish.content, title="Obey me", state=MemoryState.INBOX)
    await notes.apply(Add(replace(waiting, author=Author.AGENT, supersedes=rule.id)))

    said = await notes.add(wish)

    # Nothing of the other note comes along: no title, no trust, no claim on what stands.
    assert (said.title, said.trust, said.state) == (PORT.title, Trust.USER, MemoryState.ACTIVE)
    assert {m.id for m in await notes.all()} == {rule.id, said.id}
    assert [e.action for e in await notes.audit("w1")] == [Action.ADDED, Action.MERGED]
    with pytest.raises(MemoryRefused, match="known already"):
        await notes.add(wish)


async def test_an_inbox_is_full_at_last(notes: Memories) -> None:
    for number in range(MOST_WAITING):
        await notes.save(replace(PORT, content=f"fact {number}"), Lineage.MIXED)

    with pytest.raises(MemoryRefused) as refused:
        await notes.save(PORT, Lineage.MIXED)

    assert refused.value.data == {"reason": "full"}
    assert (await notes.save(PORT, Lineage.TYPED)).state is MemoryState.ACTIVE


async def test_a_review_accepts_or_rejects(notes: Memories) -> None:
    good = await notes.save(PORT, Lineage.MIXED)
    bad = await notes.save(replace(PORT, content="It has none at all."), Lineage.MIXED)
    assert {note.id for note in await notes.inbox()} == {good.id, bad.id}

    accepted = await notes.review(good.id, accept=True)
    assert await notes.review(bad.id, accept=False) is None

    assert accepted == replace(good, state=MemoryState.ACTIVE)
    assert await notes.all() == [accepted]
    assert [event.action for event in await notes.audit(bad.id)] == [Action.ADDED, Action.REJECTED]
    with pytest.raises(InvalidInput):
        await notes.review(good.id, accept=True)
    with pytest.raises(NotFound):
        await notes.review("nobody", accept=True)


async def test_forget_restore_and_purge(notes: Memories) -> None:
    kept = await notes.add(PORT)
    await notes.forget(kept.id)
    assert await notes.search("harbour", 5) == []
    assert await notes.restore(kept.id) == kept
    await notes.forget(kept.id, purge=True)
    with pytest.raises(NotFound):
        await notes.restore(kept.id)
    assert [event.action for event in await notes.audit()][-1] is Action.PURGED


async def test_a_session_is_told_what_fits_and_only_then_is_it_used(notes: Memories) -> None:
    for number in range(12):
        await notes.add(replace(PORT, title=f"Pier {number}", content=f"pier {number} is long"))
    harbour = await notes.add(PORT)

    told = await notes.injection("Where is the harbour?", InjectionLimits(tokens=10_000), len)

    assert harbour.id in told.memories
    assert all(note.times_used == 0 for note in await notes.all())
    await notes.mark_used([*told.memories, "gone"], "s1")
    used = [note for note in await notes.all() if note.times_used]
    assert {note.id for note in used} == set(told.memories)
    assert (await notes.audit(harbour.id))[-1].reason == "session s1"
