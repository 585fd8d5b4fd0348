"""Memories: search, save and recall against plain FTS5, on one store in one run.

    python scripts/bench/memory.py [--memories 100000] [--questions 200] [--json]

The corpus is made here, the same each time: project notes in sessions, with words as frequent as
Zipf has them. A gold question asks for one note in other forms of its words, among common words;
`topic` questions use words that stand in the notes beside it, `name` questions the parts of a name
of code, `pairs` questions a piece of a Chinese term. Plain FTS5 is a table of title and content
with the same tokenizer, asked for all words of the question but stop words.
"""

import argparse
import asyncio
import itertools
import json
import random
import re
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from plimsoll.memory.changes import Add
from plimsoll.memory.types import Author, Memory, MemoryClass, MemorySource, MemoryType, Trust
from plimsoll.storage.database.on_disk import FileDatabase, open_project_database
from plimsoll.storage.locate import locate
from plimsoll.storage.memories.store import SqliteMemories
from plimsoll.text.terms import STOP_WORDS

NOW = datetime(2026, 11, 21, tzinfo=UTC)
NOTES_A_SESSION = 8
VOCABULARY = 30_000


def words_of(text: str) -> list[str]:
    return text.split()


GLUE = words_of("""
the of to and in is that we it for on with as this was be are not have from at by must when
which should before after an or will all has if than only then also can its into does
""")
COMMON = words_of("""
test build error file config server client module function value change version release user
request cache branch commit fix docs type name path call run log setting default table query
option key data result message command tool session store page field index check load time
""")
ASKING = words_of("""
can you tell me what we said about the thing with and whether that was also the reason for
how it should be done when we have to run the build or the test before the release
""")


@dataclass(frozen=True)
class Gold:
    """A question and the memory that answers it."""

    kind: str
    question: str
    memory: str


class Corpus:
    """Notes and questions, the same for each number of notes."""

    def __init__(self, memories: int, questions: int) -> None:
        self._chance = random.Random(19661121)
        self._words = self._vocabulary()
        self._rank = {word: rank for rank, word in enumerate(self._words)}
        weights = itertools.accumulate(1 / (place + 8) for place in range(VOCABULARY))
        self._weights = list(weights)
        self.memories: list[Memory] = []
        self.gold: list[Gold] = []
        sessions = memories // NOTES_A_SESSION
        asked = set(self._chance.sample(range(sessions), min(questions, sessions)))
        for number in range(sessions):
            self._session(number, asked=number in asked)

    def long_questions(self, count: int) -> list[str]:
        """Questions of 24 words: as people ask, about something that stands in many notes."""
        return [self._ask(self._pick(8), 24) for _ in range(count)]

    def _vocabulary(self) -> list[str]:
        syllables = [
            a + b for a in "bcdfghklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er")
        ]
        made: dict[str, None] = dict.fromkeys(COMMON)
        while len(made) < VOCABULARY:
            made["".join(self._chance.choices(syllables, k=self._chance.randint(2, 4)))] = None
        return list(made)

    def _pick(self, count: int) -> list[str]:
        return self._chance.choices(self._words, cum_weights=self._weights, k=count)

    def _session(self, number: int, *, asked: bool) -> None:
        topic = self._chance.sample(self._words[2_000:], 4)
        name = "".join(word.capitalize() for word in self._chance.sample(self._words[500:], 3))
        han = "".join(chr(self._chance.randrange(0x4E00, 0x9000)) for _ in range(6))
        wanted = self._chance.randrange(1, NOTES_A_SESSION - 1)
        for place in range(NOTES_A_SESSION):
            own = [topic[place % 4], topic[(place + 1) % 4]] if place % 2 else [topic[place % 4]]
            extra = {1: f"`{name[0].lower()}{name[1:]}`", 2: han}.get(place)
            self._note(number, place, own, extra)
        if asked:
            self._questions(number, wanted, topic, name, han)

    def _note(self, number: int, place: int, own: Sequence[str], extra: str | None) -> None:
        title = " ".join([*self._pick(3), own[0]])
        body = [*self._pick(14), *self._chance.choices(GLUE, k=10), *own]
        self._chance.shuffle(body)
        made = NOW - timedelta(days=self._chance.randrange(900), minutes=number % 1_000)
        self.memories.append(
            Memory(
                id=f"m{number}-{place}",
                type=self._chance.choice(list(MemoryType)),
                title=title,
                content=" ".join([*body, *([extra] if extra else [])]) + ".",
                author=self._chance.choice(list(Author)),
                trust=self._chance.choice(list(Trust)),
                created_at=made.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
                class_=self._chance.choice([MemoryClass.DURABLE] * 8 + list(MemoryClass)),
                source=MemorySource(session_id=f"s{number}"),
            )
        )

    def _questions(self, number: int, wanted: int, topic: list[str], name: str, han: str) -> None:
        memory = self.memories[-NOTES_A_SESSION + wanted]
        own = set(re.findall(r"[a-z]+", memory.content)) & self._rank.keys()
        rare = sorted(own, key=self._rank.__getitem__)[-3:]
        chosen = self._chance.sample(rare, 2)
        self.gold.append(Gold("words", self._ask([f"{w}s" for w in chosen], 16), memory.id))
        beside = [topic[(wanted + 2) % 4], topic[wanted % 4]]
        self.gold.append(Gold("topic", self._ask([*beside, rare[0]], 16), memory.id))
        parts = [part.lower() for part in re.findall(r"[A-Z][a-z]+", name)]
        self.gold.append(Gold("name", self._ask(parts[:2], 12), f"m{number}-1"))
        self.gold.append(Gold("pairs", self._ask([han[2:5]], 8), f"m{number}-2"))

    def _ask(self, words: Sequence[str], length: int) -> str:
        rest = max(0, length - len(words))
        filler = [
            *self._chance.choices(ASKING, k=rest - rest // 4),
            *self._chance.choices(COMMON, k=rest // 4),
        ]
        asked = [*words, *filler]
        self._chance.shuffle(asked)
        return " ".join(asked).capitalize() + "?"


def plain_query(question: str, *, stop: bool) -> str:
    """All words of a question, or all but stop words, joined by OR."""
    words = dict.fromkeys(re.findall(r"\w+", question.lower()))
    return " OR ".join(f'"{word}"' for word in words if not stop or word not in STOP_WORDS)


def plain_search(connection: sqlite3.Connection, query: str, limit: int = 10) -> list[str]:
    rows = connection.execute(
        "SELECT id FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT ?", (query, limit)
    )
    return [name for (name,) in rows]


def timed(call: Callable[[], object]) -> float:
    begun = time.perf_counter()
    call()
    return (time.perf_counter() - begun) * 1000


async def timed_async(call: Callable[[], Awaitable[object]]) -> float:
    begun = time.perf_counter()
    await call()
    return (time.perf_counter() - begun) * 1000


def spread(samples: Sequence[float]) -> tuple[float, float]:
    """Median and 95th percentile."""
    return statistics.median(samples), statistics.quantiles(samples, n=20)[-1]


def batches(memories: Sequence[Memory], size: int = 1_000) -> Iterator[list[Add]]:
    for start in range(0, len(memories), size):
        yield [Add(memory) for memory in memories[start : start + size]]


async def run(memories: int, questions: int, folder: Path) -> dict[str, object]:
    root = folder / "project"
    root.mkdir()
    place = locate(root, folder / "data")
    database = await open_project_database(place.folder, print)
    store = SqliteMemories(database)
    corpus = Corpus(memories, questions)
    at = NOW.isoformat()
    begun = time.perf_counter()
    for batch in batches(corpus.memories):
        await store.apply(batch, at)
    filled = time.perf_counter() - begun

    def fill_plain(connection: sqlite3.Connection) -> None:
        connection.execute(
            "CREATE VIRTUAL TABLE plain USING fts5(title, content, id UNINDEXED, "
            "tokenize = 'porter unicode61')"
        )
        connection.executemany(
            "INSERT INTO plain VALUES (?, ?, ?)",
            ((memory.title, memory.content, memory.id) for memory in corpus.memories),
        )

    await database.write(fill_plain)
    await database.scrub()
    reader = sqlite3.connect(place.folder / "plimsoll.db")
    times = await search_times(store, reader, corpus, questions, at)
    recall = await recalls(store, reader, corpus.gold, at)
    saves = await save_times(store, database, corpus, at)
    reader.close()
    await database.close()
    return {
        "memories": len(corpus.memories),
        "fill": filled,
        "bytes": (place.folder / "plimsoll.db").stat().st_size,
        "search": times,
        "save": saves,
        "recall": recall,
    }


async def search_times(
    store: SqliteMemories, reader: sqlite3.Connection, corpus: Corpus, count: int, at: str
) -> dict[str, tuple[float, float]]:
    """Milliseconds; the three kinds take turns, so that a busy machine is busy for all."""
    ours: list[float] = []
    every: list[float] = []
    meaning: list[float] = []
    for question in corpus.long_questions(count):
        ours.append(await timed_async(lambda q=question: store.search(q, at, 10)))
        for samples, stop in ((every, False), (meaning, True)):
            query = plain_query(question, stop=stop)
            samples.append(timed(lambda q=query: plain_search(reader, q)))
    return {
        "ours": spread(ours),
        "plain OR": spread(every),
        "plain OR, stop words out": spread(meaning),
    }


async def save_times(
    store: SqliteMemories, database: FileDatabase, corpus: Corpus, at: str, count: int = 100
) -> dict[str, tuple[float, float]]:
    """Milliseconds of a save and of a plain insert of the same text, both durable, in turns."""
    ours: list[float] = []
    plain: list[float] = []
    for number, like in enumerate(corpus.memories[:count]):
        new = Memory(
            id=f"new{number}",
            type=like.type,
            title=like.title,
            content=f"{like.content} Again {number}.",
            author=Author.USER,
            trust=Trust.USER,
            created_at=at,
            source=like.source,
        )

        def insert(connection: sqlite3.Connection, new: Memory = new) -> None:
            row = (new.title, new.content, new.id)
            connection.execute("INSERT INTO plain VALUES (?, ?, ?)", row)

        ours.append(await timed_async(lambda m=new: store.apply([Add(m)], at)))
        plain.append(await timed_async(lambda unit=insert: database.write(unit)))
    return {"ours": spread(ours), "plain": spread(plain)}


async def recalls(
    store: SqliteMemories, reader: sqlite3.Connection, gold: Sequence[Gold], at: str
) -> dict[str, dict[str, list[float]]]:
    """Share of the gold questions whose memory is among the first 1, 5 and 10."""
    places: dict[str, dict[str, list[int]]] = {}
    for asked in gold:
        ours = [match.memory.id for match in await store.search(asked.question, at, 10)]
        plain = plain_search(reader, plain_query(asked.question, stop=True))
        for method, found in (("ours", ours), ("plain", plain)):
            rank = found.index(asked.memory) if asked.memory in found else 10
            for kind in (asked.kind, "all"):
                places.setdefault(kind, {}).setdefault(method, []).append(rank)
    return {
        kind: {
            method: [sum(rank < k for rank in ranks) / len(ranks) for k in (1, 5, 10)]
            for method, ranks in by_method.items()
        }
        for kind, by_method in places.items()
    }


def shown(result: dict) -> str:
    lines = [
        (
            f"{result['memories']:,} memories, {result['bytes'] / 1e6:.0f} MB, "
            f"filled in {result['fill']:.0f} s"
        ),
        "",
        "| long question | p50 ms | p95 ms | p95 against plain OR, stop words out |",
        "| --- | --- | --- | --- |",
    ]
    base = result["search"]["plain OR, stop words out"][1]
    lines += [
        f"| {name} | {p50:.1f} | {p95:.1f} | {p95 / base:.2f} |"
        for name, (p50, p95) in result["search"].items()
    ]
    ours, plain = result["save"]["ours"], result["save"]["plain"]
    lines += [
        "",
        "| durable write | p50 ms | p95 ms | p50 against a plain insert |",
        "| --- | --- | --- | --- |",
        f"| save of a memory | {ours[0]:.1f} | {ours[1]:.1f} | {ours[0] / plain[0]:.2f} |",
        f"| plain insert | {plain[0]:.1f} | {plain[1]:.1f} | 1 |",
        "",
        "| gold questions | ours R@1 / R@5 / R@10 | plain FTS5 R@1 / R@5 / R@10 |",
        "| --- | --- | --- |",
    ]
    for kind, methods in result["recall"].items():
        cells = [
            " / ".join(f"{100 * share:.1f}" for share in methods[m]) for m in ("ours", "plain")
        ]
        lines.append(f"| {kind} | {cells[0]} | {cells[1]} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = asyncio.run(run(given.memories, given.questions, Path(folder)))
    sys.stdout.write(json.dumps(result) + "\n" if given.json else shown(result))


if __name__ == "__main__":
    main()
