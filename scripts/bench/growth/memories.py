"""Starting and searching as the memories of a folder grow, beside plain FTS5 over the same rows."""

import asyncio
import itertools
import os
import sqlite3
import statistics
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from common import table
from startup import Server, ended, home_in, processor

from memory import (
    COMMON,
    NOW,
    Corpus,
    batches,
    plain_query,
    plain_search,
    spread,
    timed,
    timed_async,
)
from plimsoll.memory.types import Memory
from plimsoll.storage.database.on_disk import open_project_database
from plimsoll.storage.locate import locate
from plimsoll.storage.memories.store import SqliteMemories

SIZES = tuple(map(int, os.environ.get("PLIMSOLL_BENCH_MEMORIES", "2000 20000").split()))
"""200,000 are filled in a quarter of an hour on a busy machine."""
STARTS, QUESTIONS = 3, 60
PLAIN = """
CREATE VIRTUAL TABLE plain USING fts5(title, content, id UNINDEXED, tokenize = 'porter unicode61')
"""
ARGV = [sys.executable, "-m", "plimsoll", "serve"]
SEARCHES = ["p50", "p95", "FTS5 p50", "p95"]
HEAD = ["memories", "initialize", "first request", *SEARCHES, *(f"common {s}" for s in SEARCHES)]
Spread = tuple[float, float]


async def bench() -> None:
    with tempfile.TemporaryDirectory() as name:
        homes = {count: Path(name) / str(count) for count in (0, *SIZES)}
        searches = {count: await searched(homes[count], count) for count in SIZES}
        starts = await asyncio.to_thread(started, homes)
    rows = [
        [f"{count:,}", *(f"{ms:.0f}" for ms in starts[count]), *shown(searches.get(count, ()))]
        for count in homes
    ]
    print(f"starts: milliseconds of the processor, the median of {STARTS}, the folders in turns;")
    print("searches: milliseconds of the clock, ours and plain FTS5 in turns,")
    print(f"{QUESTIONS} questions of 24 words, {QUESTIONS} of common words alone\n")
    table(HEAD, rows)


def shown(spreads: Sequence[Spread]) -> list[str]:
    figures = [f"{ms:.1f}" for each in spreads for ms in each]
    return figures or [""] * (2 * len(SEARCHES))


async def searched(home: Path, count: int) -> list[Spread]:
    """Fill the store of a home; time both kinds of questions, ours and plain FTS5 in turns."""
    (home / "project").mkdir(parents=True)
    place = locate(home / "project", home / "data")
    database = await open_project_database(place.folder, print)
    corpus, at = Corpus(count, 0), NOW.isoformat()
    store = SqliteMemories(database)
    for batch in batches(corpus.memories):
        await store.apply(batch, at)
    await database.scrub()
    found: list[Spread] = []
    with closing(plain(corpus.memories)) as beside:
        for questions in (corpus.long_questions(QUESTIONS), common_questions()):
            ours: list[float] = []
            theirs: list[float] = []
            for question in questions:
                query = plain_query(question, stop=True)
                ours.append(await timed_async(lambda q=question: store.search(q, at, 10)))
                theirs.append(timed(lambda q=query: plain_search(beside, q)))
            found += [spread(ours), spread(theirs)]
    await database.close()
    return found


def common_questions() -> list[str]:
    """One to three words of which each stands in a tenth of the notes or more."""
    runs = (COMMON[place : place + 1 + place % 3] for place in range(len(COMMON)))
    return [" ".join(words) for words in itertools.islice(itertools.cycle(runs), QUESTIONS)]


def plain(memories: Sequence[Memory]) -> sqlite3.Connection:
    beside = sqlite3.connect(":memory:")
    beside.execute(PLAIN)
    rows = ((memory.title, memory.content, memory.id) for memory in memories)
    beside.executemany("INSERT INTO plain VALUES (?, ?, ?)", rows)
    return beside


def started(homes: dict[int, Path]) -> dict[int, tuple[float, float]]:
    times: dict[int, list[tuple[float, float]]] = {count: [] for count in homes}
    for _ in range(STARTS):
        for count, home in homes.items():
            times[count].append(start(home))
    return {
        count: (statistics.median(a for a, _ in each), statistics.median(b for _, b in each))
        for count, each in times.items()
    }


def start(home: Path) -> tuple[float, float]:
    """The processor's milliseconds until `initialize` is answered, and until the folder is open."""
    (home / "project").mkdir(parents=True, exist_ok=True)
    environment = {**home_in(str(home)), "PLIMSOLL_DATA_DIR": str(home / "data")}
    uri = (home / "project").as_uri()
    options = {"plimsoll": {"protocolVersion": 1, "trusted": True, "capabilities": {}}}
    params = {
        "processId": os.getpid(),
        "capabilities": {},
        "workspaceFolders": [{"uri": uri, "name": "project"}],
        "initializationOptions": options,
    }
    with ended(Server(ARGV, environment)) as server:
        server.ask(0, "initialize", params)
        answered = processor(server.process.pid)
        server.send(method="initialized", params={})
        reply = server.ask(1, "plimsoll/status", {})
        first = processor(server.process.pid)
        if "error" in reply:
            raise SystemExit(str(reply["error"]))
        server.ask(2, "shutdown", None)
        server.send(method="exit")
        server.process.wait(20)
    return answered, first
