"""How often a prompt asks the store before its request goes out."""

from pathlib import Path

from plimsoll.memory.types import MemoryType, NewNote
from plimsoll.session.memory.injecting import memories_in
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.rules import MemoryRules
from plimsoll.session.session import Session
from plimsoll.storage.database.in_memory import InMemoryDatabase
from plimsoll.storage.sqlite import SqliteStore
from session.harness import harness, redact

TELLING = MemoryRules(recall=3, extraction="off")
ANSWER = {"text": "Aye."}


class CountedDatabase(InMemoryDatabase):
    """Counts the units that read."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = 0

    async def read(self, unit):
        self.reads += 1
        return await super().read(unit)


async def test_a_prompt_checks_its_session_and_reads_the_rest_as_one(tmp_path: Path) -> None:
    database = CountedDatabase()
    store = SqliteStore(database, redact, None)
    async with harness(tmp_path, ANSWER, ANSWER, store=store, memory=TELLING) as own:
        note = NewNote(type=MemoryType.PROJECT, title="Tabs", content="Makefiles use tabs.")
        kept = await own.project.environment.memories.add(note)
        await own.project.pins.add("Never touch the tests.")

        before_the_first = await reads_of("Which makefiles use tabs?", own.session, database)
        assert memories_in(own.session.state.log.fold) == (kept.id,)
        before_the_next = await reads_of("And which do not?", own.session, database)

        # The first one asks for the memories with a file, for those to be told, and for recall.
        assert before_the_first == before_the_next + 3
        assert before_the_next == 2


async def reads_of(prompt: str, session: Session, database: CountedDatabase) -> int:
    """Count the reads until the turn has begun; wait for its end."""
    database.reads = 0
    await session.prompt([PromptText(prompt)])
    before_the_request = database.reads
    await session.wait()
    return before_the_request


async def test_what_is_read_as_one_is_taken_in(tmp_path: Path) -> None:
    async with harness(tmp_path, ANSWER, ANSWER, memory=TELLING) as own:
        memories = own.project.environment.memories
        note = NewNote(type=MemoryType.PROJECT, title="Tabs", content="Makefiles use tabs.")
        kept = await memories.add(note)
        await own.turn("Which makefiles use tabs?")

        await own.store.pins.add("p9", "Never touch the tests.", "2026-01-01T00:00:00Z")
        await memories.forget(kept.id)
        await own.session.prompt([PromptText("And which do not?")])
        await own.session.wait()

        assert memories_in(own.session.state.log.fold) == ()
        assert [pin.text for pin in own.session.state.log.fold.pins.values()] == [
            "Never touch the tests."
        ]
