"""The extraction over recorded sessions: nothing is read past, whatever fails meanwhile."""

import hashlib
import random
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from memory.samples import AT, person, reading, recorded
from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import Call, Role, canonical
from plimsoll.errors import ProviderUnavailable
from plimsoll.memory.base import MemoryStore
from plimsoll.memory.changes import Forget
from plimsoll.memory.extraction.extraction_loop import shared_opening
from plimsoll.memory.extraction.job import Extraction
from plimsoll.memory.extraction.steps import Ask, ModelReply
from plimsoll.memory.extraction.transcript import transcript
from plimsoll.memory.extraction.turns import Advance, Cursor
from plimsoll.memory.types import Author, Memory, MemoryState
from plimsoll.storage.database.in_memory import InMemoryDatabase
from plimsoll.storage.memories.store import SqliteMemories
from recordings.beside import OWN_SESSIONS, sessions

TALK = OWN_SESSIONS / "scripted-talk.jsonl"
"""The session in which a person says most."""
_SPOKEN = re.compile(r"^## User, [\d-]+\n((?:>.*\n?)+)", re.MULTILINE)


def marks_of(text: str) -> list[str]:
    """A mark for each message of the person in a transcript."""
    return [hashlib.sha256(m[1].strip().encode()).hexdigest()[:10] for m in _SPOKEN.finditer(text)]


@dataclass
class Utility:
    """A scripted utility model: it keeps one memory that names each message that it was shown."""

    chance: random.Random = field(default_factory=lambda: random.Random(1))
    failing: float = 0.0
    calls: int = 0
    failures: int = 0

    async def __call__(self, ask: Ask) -> ModelReply:
        self.calls += 1
        if self.chance.random() < self.failing:
            self.failures += 1
            raise ProviderUnavailable("The script is not available.")
        if any(message.role is Role.TOOL for message in ask.messages):
            return ModelReply("done")
        marks = marks_of(ask.messages[-1].text)
        # A number of its own makes each note another one, also when a message stands twice.
        wish = {
            "type": "project",
            "title": f"Batch {self.calls}",
            "content": " ".join(["seen", f"batch{self.chance.getrandbits(64)}", *marks]),
        }
        return ModelReply("", (Call("c1", "memory_save", canonical(wish)),))


async def seen(store: MemoryStore) -> Counter[str]:
    """How often each message of the person was read by a run that succeeded."""
    notes = await store.memories({MemoryState.INBOX, MemoryState.ACTIVE})
    return Counter(mark for note in notes for mark in note.content.split()[2:])


def expected(said: list[Said]) -> Counter[str]:
    return Counter(mark for message in said for mark in marks_of(transcript([message])))


@pytest.fixture
def store() -> SqliteMemories:
    return SqliteMemories(InMemoryDatabase())


def job(store: MemoryStore, model: Utility | None, **fields: object) -> Extraction:
    chance = random.Random()
    facts = replace(reading(), new_id=lambda: f"x{chance.getrandbits(64):x}")
    return Extraction(
        store=store, reading=facts, model=model, **{"most_characters": 20_000, **fields}
    )


@pytest.mark.parametrize("path", sessions(), ids=lambda path: path.name[:40])
async def test_every_message_is_read_once_under_failures_restarts_and_growth(
    path: Path, store: SqliteMemories
) -> None:
    said = recorded(path)
    chance = random.Random(path.name)
    model = Utility(chance, failing=0.3)
    grown = 0
    while grown < len(said):
        # Turns end, and sometimes a compaction asks in the middle of a day's work.
        grown = min(len(said), grown + chance.randint(1, max(2, len(said) // 6)))
        while grown < len(said) and said[grown].role is not Role.USER:
            grown += 1
        await until_done(store, model, said[:grown])

    assert await seen(store) == expected(said)
    assert model.failures > 0 or model.calls < 12
    assert await job(store, model).run(said) == []


async def until_done(store: MemoryStore, model: Utility, said: list[Said]) -> None:
    """A new job each time, as after a restart: all that is left of the last one is the store."""
    for _ in range(200):
        try:
            await job(store, model).run(said)
        except ProviderUnavailable:
            continue
        return
    raise AssertionError("never done")


async def test_a_failure_leaves_the_cursor_and_keeps_nothing(store: SqliteMemories) -> None:
    said = recorded(TALK)
    model = Utility(failing=1.0)

    with pytest.raises(ProviderUnavailable):
        await job(store, model).run(said)

    assert await store.cursor("s1") is None
    assert await store.memories(frozenset(MemoryState)) == []


async def test_a_lost_anchor_reads_on_by_counting(store: SqliteMemories) -> None:
    said = recorded(TALK)
    half = next(n for n in range(len(said) // 2, len(said)) if said[n].role is Role.USER)
    await job(store, Utility()).run(said[:half])
    renamed = [replace(message, id=f"other-{message.id}") for message in said]

    await job(store, Utility()).run(renamed)

    assert await seen(store) == expected(said)


async def test_another_log_is_read_from_its_beginning(store: SqliteMemories) -> None:
    said = recorded(TALK)
    await store.apply([], AT, Advance(None, Cursor("s1", "gone", 10_000, "model")))

    await job(store, Utility()).run(said)

    assert await seen(store) == expected(said)


async def test_of_two_jobs_at_once_one_keeps_and_the_other_stops(store: SqliteMemories) -> None:
    said = [person("m1", "Remember that we deploy on Tuesday.")]
    other = job(store, Utility())
    first: list[Memory] = []

    class Slow(Utility):
        async def __call__(self, ask: Ask) -> ModelReply:
            first.extend(await other.run(said))
            return await super().__call__(ask)

    assert await job(store, Slow()).run(said) == []
    assert first
    assert await store.memories(frozenset(MemoryState)) == first


async def test_without_a_model_the_phrases_are_read_and_the_cursor_moves(
    store: SqliteMemories,
) -> None:
    said = [person("m1", "Remember that we deploy on Tuesday."), person("m2", "Thanks.")]

    kept = await job(store, None).run(said)

    assert [note.content for note in kept] == ["We deploy on Tuesday."]
    assert await store.cursor("s1") == Cursor("s1", "m2", 2)
    assert await job(store, None).run(said) == []


async def test_what_was_forgotten_is_not_extracted_again(store: SqliteMemories) -> None:

    said = [person("m1", "Always deploy on Tuesday morning.")]
    [kept] = await job(store, None).run(said)
    await store.apply([Forget(kept.id, Author.USER)], AT)

    again = person("m2", "always deploy on tuesday morning")
    assert await job(store, None).run([*said, again]) == []
    assert await store.cursor("s1") == Cursor("s1", "m2", 2)
    asked = person("m3", "Remember: always deploy on Tuesday morning")
    assert len(await job(store, None).run([*said, again, asked])) == 1


async def test_the_main_models_request_is_shared(store: SqliteMemories) -> None:
    said = [person("m1", "Hello.")]
    asked: list[Ask] = []

    async def model(ask: Ask) -> ModelReply:
        asked.append(ask)
        return ModelReply("nothing")

    opening = shared_opening((), ())
    await job(store, model, opening=opening).run(said)

    assert asked == [Ask(opening.messages, opening.tools)]
