"""Searching what was said in the sessions of a folder, and listing them."""

import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable
from itertools import islice
from pathlib import Path

from common import AT, app, messages, table

from plimsoll.session.commands.searching import MOST_FOUND, search_sessions
from plimsoll.storage.base import SessionRecord

SESSIONS, EACH, WORDS, RUNS = (200, 2_000), 20, 120, 3
"""Messages of a session, words of a result."""
HEAD = ["sessions", "a word nowhere", "clock", "one with ss", "one everywhere", "list 50", "SQLite"]


async def bench() -> None:
    rows = [await row(count) for count in SESSIONS]
    print(f"milliseconds, the least of {RUNS}; beside them one statement that looks for a word\n")
    table(HEAD, rows)


async def row(count: int) -> list[str]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with app(folder, 200_000) as own:
            project = await own.project(folder.as_uri())
            source = messages(EACH * count, WORDS)
            for number in range(count):
                session = record(f"s{number}", folder)
                await project.environment.store.create(session, list(islice(source, EACH)))
            found = [await searched(project.environment, word) for word in ("nowhere", "windlass")]
            everywhere = await searched(project.environment, "question")
            listed = await least(lambda: project.list(50))
            (database,) = (folder / "data").rglob("*.db")
            plain = looked(database)
    (nowhere, clock), (doubled, _) = found
    figures = (nowhere, clock, doubled, everywhere[0], listed[0], plain)
    return [f"{count:,}", *(f"{each:.0f}" for each in figures)]


async def searched(environment: object, word: str) -> tuple[float, float]:
    return await least(lambda: search_sessions(environment, word, MOST_FOUND))


async def least(work: Callable[[], Awaitable[object]]) -> tuple[float, float]:
    """Milliseconds of the processor and of the clock."""
    spent: list[float] = []
    lasted: list[float] = []
    for _ in range(RUNS):
        begun, at = time.process_time(), time.perf_counter()
        await work()
        spent.append((time.process_time() - begun) * 1000)
        lasted.append((time.perf_counter() - at) * 1000)
    return min(spent), min(lasted)


def looked(database: Path) -> float:
    with sqlite3.connect(database) as db:
        begun = time.process_time()
        db.execute("SELECT count(*) FROM entries WHERE instr(lower(body), 'nowhere')").fetchone()
        return (time.process_time() - begun) * 1000


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
