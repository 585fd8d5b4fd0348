"""Searching what was said in the sessions of a folder, and listing them.

First before anything is indexed, then with the index; beside it plain FTS5 over the same messages,
cut in threes as well. What is said are pieces of the project's own documentation.
"""

import random
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from common import AT, app, messages, table

from plimsoll.context.log.entries import Said, spoken_text
from plimsoll.context.log.messages import Part, PartKind
from plimsoll.session.commands.searching import MOST_FOUND, search_sessions
from plimsoll.session.ports.environment import Environment
from plimsoll.storage.base import SessionRecord

SESSIONS, EACH, WORDS, LENGTH, RUNS = (200, 2_000, 20_000), 20, 120, 600, 5
"""Messages of a session, words of a result, characters of what is said."""
DOCS = Path(__file__).parents[3] / "docs"
RARE, NOWHERE, EVERYWHERE, SHORT = "zyzzyva", "qxqxqxq", "question", "qx"
QUERIES = {"nowhere": NOWHERE, "in one": RARE, "everywhere": EVERYWHERE, "two letters": SHORT}
HEAD = ["sessions", "", *QUERIES, "list 50"]


async def bench() -> None:
    print(f"milliseconds of the processor, the least of {RUNS} (nothing indexed: one run)\n")
    grown: list[str] = []
    rows = [each for count in SESSIONS for each in await measured(count, grown)]
    table(HEAD, rows)
    print("\n" + "\n".join(grown))


async def measured(count: int, grown: list[str]) -> list[list[str]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with app(folder, 200_000) as own:
            project = await own.project(folder.as_uri())
            environment = project.environment
            (database,) = (folder / "data").rglob("*.db")
            spoken = await fill(environment, count, folder)
            # What comes next is asked while it is being indexed.
            first = await least(asked(environment, NOWHERE), 1)
            bare = size(database)
            begun = time.process_time()
            await environment.store.said.index()
            took = time.process_time() - begun
            indexed = [await least(asked(environment, word)) for word in QUERIES.values()]
            listed = await least(lambda: project.list(50))
            told = sum(len(text.encode()) for text in spoken)
            share = (size(database) - bare) / told
            plain = beside(spoken)
            begun = time.process_time()
            await environment.store.delete("s7")
            gone = (time.process_time() - begun) * 1000
    grown.append(
        f"{count:,} sessions, {told / 1e6:.1f} MB said in a store of {bare / 1e6:.0f} MB: indexed "
        f"in {took:.1f} s, {share:.2f} MB for each MB said; deleting one {gone:.0f} ms"
    )
    return [
        [f"{count:,}", "nothing indexed", f"{first:.1f}", *[""] * len(QUERIES)],
        ["", "indexed", *(f"{each:.1f}" for each in (*indexed, listed))],
        ["", "plain FTS5", *plain, ""],
    ]


async def fill(environment: Environment, count: int, folder: Path) -> list[str]:
    source, spoken = conversation(EACH * count), list[str]()
    for number in range(count):
        entries = list(islice(source, EACH))
        spoken += [text for each in entries if (text := spoken_text(each))]
        await environment.store.create(record(f"s{number}", folder), entries)
    return spoken


def conversation(count: int) -> Iterator[Said]:
    """Turns as the other benches have them, in which pieces of the documentation are said."""
    draw = random.Random(7)
    prose = "\n".join(path.read_text() for path in sorted(DOCS.glob("*.md")))
    for number, each in enumerate(messages(count, WORDS)):
        if not spoken_text(each):
            yield each
            continue
        start = draw.randrange(len(prose) - LENGTH)
        text = (
            f"Question {number}. {RARE if number == EACH else ''} {prose[start : start + LENGTH]}"
        )
        yield replace(each, parts=(Part(kind=PartKind.TEXT, text=text),))


def asked(environment: Environment, word: str) -> Callable[[], Awaitable[object]]:
    return lambda: search_sessions(environment, word, MOST_FOUND)


async def least(work: Callable[[], Awaitable[object]], runs: int = RUNS) -> float:
    spent: list[float] = []
    for _ in range(runs):
        begun = time.process_time()
        await work()
        spent.append((time.process_time() - begun) * 1000)
    return min(spent)


def beside(spoken: list[str]) -> list[str]:
    """What a table of FTS5 needs to name the messages with a word, the newest first."""
    with sqlite3.connect(":memory:") as db:
        db.execute("CREATE VIRTUAL TABLE said USING fts5(text, tokenize = 'trigram')")
        db.executemany("INSERT INTO said VALUES (?)", ((text,) for text in spoken))
        return [f"{matched(db, word):.1f}" if len(word) > 2 else "" for word in QUERIES.values()]


def matched(db: sqlite3.Connection, word: str) -> float:
    begun = time.process_time()
    query = "SELECT rowid, text FROM said WHERE said MATCH ? ORDER BY rowid DESC LIMIT ?"
    db.execute(query, (word, MOST_FOUND)).fetchall()
    return (time.process_time() - begun) * 1000


def size(database: Path) -> int:
    """Bytes of the pages in use, with those that still stand in the log."""
    with sqlite3.connect(database) as db:
        pages, free, each = (
            db.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "freelist_count", "page_size")
        )
    return (pages - free) * each


def record(name: str, folder: Path) -> SessionRecord:
    return SessionRecord(
        id=name,
        workspace=folder.as_uri(),
        title=f"Title {name}",
        mode="edit",
        model="embedded/search",
        created_at=AT,
        updated_at=AT,
    )
