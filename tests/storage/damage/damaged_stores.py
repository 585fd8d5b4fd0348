"""A store with rows of every kind, damage to its pages, and what stands on the sound ones."""

import random
import sqlite3
from pathlib import Path

from plimsoll.memory.changes import Add, Forget, Purge
from plimsoll.memory.types import Author, Memory, MemoryType, Trust
from plimsoll.storage.base import Exchange, HeldAddress
from plimsoll.storage.database.pages import PagedFile
from plimsoll.storage.sqlite import SqliteStore
from storage.samples import AT, pair, record, said

SIDES = ("plimsoll.db", "plimsoll.db-wal", "plimsoll.db-journal")
TABLES = {
    "sessions": "SELECT id FROM sessions",
    "entries": "SELECT body FROM entries",
    "memories": "SELECT id FROM memories",
    "workspace_pins": "SELECT id FROM workspace_pins",
    "exchanges": "SELECT session_id || place FROM exchanges",
}


async def fill(
    store: SqliteStore, *, sessions: int = 8, pairs: int = 30, memories: int = 40
) -> None:
    """Store rows of every kind, short and long."""
    for number in range(sessions):
        name = f"s{number}"
        entries = [entry for n in range(pairs) for entry in pair(f"{name}-{n}")]
        long = [said(f"{name}-{n}", f"{n} words " * 100 * n) for n in range(0, 2 * pairs, 6)]
        agent = {"agent": "work", "depth": 1, "parent_id": "s0"} if number == 5 else {}
        held = (HeldAddress("http://127.0.0.1:8080", "m1"), HeldAddress(f"https://{name}.example"))
        kept = record(name, title=f"Title {number}", addresses=held, **agent)
        await store.create(kept, [*entries, *long])
        told = [Exchange(n, AT, f"What of {name}, {n}?", "It is so. " * 9) for n in range(6)]
        await store.recall.replace_exchanges(name, 0, told)
        await store.pins.add(f"p{number}", f"Rule {number}.", AT)
    await store.memories.apply([Add(memory(number)) for number in range(memories)], AT)
    await store.memories.apply([Forget("m1", Author.USER), Purge("m2", Author.USER)], AT)


def memory(number: int) -> Memory:
    return Memory(
        id=f"m{number}",
        type=MemoryType.PROJECT,
        title=f"Fact {number}",
        content=f"The mast {number} is {number * 7} feet tall.",
        author=Author.USER,
        trust=Trust.USER,
        created_at=AT,
    )


def rows(database: Path) -> dict[str, set[object]]:
    connection = sqlite3.connect(f"file:{database}?mode=ro&immutable=1", uri=True)
    found = {name: {row[0] for row in connection.execute(sql)} for name, sql in TABLES.items()}
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()
    return found


def standing(database: Path) -> list[tuple[object, frozenset[int]]]:
    """What can be asked of each row by which it is known again, and the pages it stands on."""
    found: list[tuple[object, frozenset[int]]] = []
    known = rows(database)
    for row in PagedFile(database).rows():
        texts = [value for value in row.values if isinstance(value, str)]
        if row.number is None or len(row.values) not in (3, 4, 7, 11, 29):
            continue
        if len(row.values) == 7 and isinstance(row.values[2], int):
            found.append((f"{row.values[1]}{row.values[2]}", frozenset(row.pages)))
        elif any(text in ids for text in texts[:1] for ids in known.values()):
            found.append((texts[0], frozenset(row.pages)))
    assert {name for name, _ in found} == set().union(*known.values())
    return found


def bad_page(chance: random.Random, page: bytes) -> bytes:
    kind = chance.randrange(5)
    if kind == 0:
        return bytes(len(page))
    if kind == 1:
        return chance.randbytes(len(page))
    if kind == 2:
        return b"\xff" * len(page)
    at = chance.choice([chance.randrange(12), chance.randrange(len(page))])
    size = chance.choice([1, 16, 512])
    return (page[:at] + chance.randbytes(size) + page[at + size :])[: len(page)]


def damage(chance: random.Random, data: bytes) -> tuple[bytes, set[int]]:
    """Damage some pages of a file; returns it with the numbers of those pages, from 1."""
    count = len(data) // 4096
    pages = [data[n * 4096 : (n + 1) * 4096] for n in range(count)]
    hit = set(chance.sample(range(count), chance.choice([1, 1, 2, 5, count // 4])))
    if chance.random() < 0.4:
        hit.add(0)
    for number in hit:
        pages[number] = bad_page(chance, pages[number])
    if chance.random() < 0.2:
        cut = chance.randrange(count // 2, count)
        hit |= set(range(cut, count))
        pages = pages[:cut]
    return b"".join(pages), {number + 1 for number in hit}


def files(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in SIDES if (folder / name).exists()}
