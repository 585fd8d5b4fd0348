"""Drives the store of memories until it is killed, again and again, and says what was found.

    python memory_crash_driver.py FOLDER SEED STORES ROUNDS

Operation ``n`` of a store is always the same, so after a kill the store must hold exactly what the
first ``k`` operations leave or, when the kill came between commit and acknowledgement, one more:
memories, events, cursor, and what waits to be sent to a team. What they leave is reckoned in
memory. The driver forks from a process that has loaded everything. One JSON object a line and round
is printed.
"""

import asyncio
import json
import os
import random
import signal
import sqlite3
import sys
import time
from pathlib import Path

from memory.samples import AT, memory
from plimsoll.errors import StoreError
from plimsoll.memory.base import MemoryStore
from plimsoll.memory.changes import Accept, Add, Change, Forget, Purge, RestoreMemory, Revise, Use
from plimsoll.memory.extraction.turns import Advance, Cursor
from plimsoll.memory.types import (
    Author,
    Memory,
    MemoryEvent,
    MemoryScope,
    MemorySource,
    MemoryState,
)
from plimsoll.storage.database.in_memory import InMemoryDatabase
from plimsoll.storage.database.on_disk import open_project_database
from plimsoll.storage.database.units import Database
from plimsoll.storage.locate import ProjectPaths, locate
from plimsoll.storage.memories.store import SqliteMemories
from plimsoll.storage.replica.store import SqliteReplica
from storage.shared.samples import HARBOUR

State = tuple[list[Memory], list[tuple[object, ...]], Cursor | None, list[str]]
LONGEST_LIFE = 0.05
"""Seconds, from before the store is opened, or from an acknowledgement."""
MOST_AWAITED = 6
"""Acknowledgements that a life gets however slow the machine is."""
BLOCK = 12
"""Operations that belong together."""


def operation(number: int) -> tuple[list[Change], Advance | None]:
    """What is applied at once; each block has every kind of change."""
    block, step = divmod(number, BLOCK)
    new = [note(f"b{block}-{step}-{n}", waiting=step == 2) for n in range(3)]
    first = f"b{block}-0-0"
    kinds: dict[int, list[Change]] = {
        0: [Add(each) for each in new],
        1: [Revise(id=first, author=Author.USER, content=f"revised text {block}")],
        2: [Add(each) for each in new],
        3: [Accept(f"b{block}-2-0"), Forget(f"b{block}-2-1", Author.USER)],
        4: [Forget(first, Author.USER)],
        5: [RestoreMemory(first, Author.USER), Use(first, "session s1")],
        6: [Purge(f"b{block}-0-1", Author.USER)] if block % 3 == 0 else [Use(first)],
    }
    return kinds.get(step, [Add(new[0])]), _advance(number)


def note(name: str, *, waiting: bool) -> Memory:
    state = MemoryState.INBOX if waiting else MemoryState.ACTIVE
    text = f"Note {name} of the harbour {name}. " * 3
    scope = MemoryScope.TEAM if name.endswith("1") else MemoryScope.PRIVATE
    return memory(name, text, state=state, scope=scope, source=MemorySource(session_id="s1"))


def _advance(number: int) -> Advance:
    before = Cursor("s1", f"m{number - 1}", number) if number else None
    return Advance(before, Cursor("s1", f"m{number}", number + 1))


async def joined_store(database: Database) -> MemoryStore:
    """The memories of a folder that takes part in a team."""
    await SqliteReplica(database, str).join(HARBOUR)
    return SqliteMemories(database)


async def state_of(store: MemoryStore, database: Database) -> State:
    memories = await store.memories(frozenset(MemoryState))
    events = [_told(event) for event in await store.audit()]
    # The keys are others in each store.
    bodies = "SELECT body FROM team_outbox ORDER BY place"
    waiting = await database.read(lambda db: [body for (body,) in db.execute(bodies)])
    in_order = sorted(memories, key=lambda each: each.id)
    return in_order, events, await store.cursor("s1"), waiting


def _told(event: MemoryEvent) -> tuple[object, ...]:
    """An event without its fingerprint, whose key is another one in each store."""
    return (event.at, event.memory_id, event.action, event.author, event.reason)


class Expected:
    """What the first operations leave, reckoned once for each number of them."""

    def __init__(self) -> None:
        self._database = InMemoryDatabase()
        self._states: list[State] = [([], [], None, [])]

    async def after(self, operations: int) -> State:
        store = await joined_store(self._database)
        while len(self._states) <= operations:
            await store.apply(*_applied(len(self._states) - 1))
            self._states.append(await state_of(store, self._database))
        return self._states[operations]


def _applied(number: int) -> tuple[list[Change], str, Advance | None]:
    changes, advance = operation(number)
    return changes, AT, advance


def fail(error: StoreError) -> None:
    raise error


async def live(paths: ProjectPaths, first: int, acknowledge: int) -> None:
    store = await joined_store(await open_project_database(paths.folder, fail))
    number = first
    while True:
        await store.apply(*_applied(number))
        number += 1
        os.write(acknowledge, f"{number}\n".encode())


async def inspect(paths: ProjectPaths, acknowledged: int, expected: Expected) -> int | str:
    """How many operations the store holds, or what is wrong with it."""
    database = await open_project_database(paths.folder, fail)
    store = SqliteMemories(database)
    try:
        found = await state_of(store, database)
        searched = {match.memory.id for match in await store.search("harbour", AT, 10)}
    finally:
        await database.close()
    fault = _integrity(paths)
    if fault is not None:
        return fault
    for held in (acknowledged, acknowledged + 1):
        if found == await expected.after(held):
            shown = {each.id for each in found[0] if each.state is MemoryState.ACTIVE}
            return held if searched <= shown and bool(searched) == bool(shown) else "the index"
    return f"neither {acknowledged} nor {acknowledged + 1} operations"


def _integrity(paths: ProjectPaths) -> str | None:
    connection = sqlite3.connect(paths.folder / "plimsoll.db", isolation_level=None)
    try:
        answer = str(connection.execute("PRAGMA integrity_check").fetchone()[0])
        index = "INSERT INTO memory_texts (memory_texts, rank) VALUES ('integrity-check', 0)"
        connection.execute(index)
    except sqlite3.Error as error:
        return f"integrity: {error}"
    finally:
        connection.close()
    return None if answer == "ok" else f"integrity: {answer}"


def one_life(paths: ProjectPaths, first: int, awaited: int, seconds: float) -> int:
    """Live for a while, and return how many operations were acknowledged in all."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        asyncio.run(live(paths, first, writing))
    os.close(writing)
    with os.fdopen(reading) as pipe:
        lines = [pipe.readline() for _ in range(awaited)]
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        lines += pipe.readlines()
    if os.WTERMSIG(status) != signal.SIGKILL:
        raise RuntimeError(f"the driver ended by itself: {status}")
    return int(lines[-1]) if lines else first


def main(folder: Path, seed: int, stores: int, rounds: int) -> None:
    chance = random.Random(seed)
    expected = Expected()
    for index in range(stores):
        root = folder / f"project-{index}"
        root.mkdir()
        paths = locate(root, folder / "data")
        held: int | str = 0
        for _ in range(rounds):
            if isinstance(held, str):
                break
            # Half of the lives may end while the store is opened.
            awaited = chance.randint(1, MOST_AWAITED) * chance.randint(0, 1)
            acknowledged = one_life(paths, held, awaited, chance.uniform(0, LONGEST_LIFE))
            before, held = held, asyncio.run(inspect(paths, acknowledged, expected))
            line = {"before": before, "acknowledged": acknowledged, "held": held}
            sys.stdout.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
