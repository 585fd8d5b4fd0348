"""What is found of conversations: who said it, what answers and what asks, facts told in pieces.

    python scripts/bench/recall.py [--days 150]

Two pairs of people talk, a day a session, one note a turn; the text is made here, the same each
time. `person`: both have done the like, and the question names one. `several`: a fact told in
three turns, of which the later ones share no word with the question. `forms`: asked in another
form of its words (bought, buy). `compounds`: asked as one word or as two. Plain FTS5 is a table
with the same stemmer, asked for all words of the question but stop words.
"""

import argparse
import asyncio
import random
import sqlite3
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from common import table

from memory import batches, plain_query, plain_search, words_of
from plimsoll.memory.types import Author, Memory, MemorySource, MemoryType, Trust
from plimsoll.storage.database.on_disk import open_project_database
from plimsoll.storage.locate import locate
from plimsoll.storage.memories.store import SqliteMemories

AT = "2026-11-21T00:00:00.000Z"
PAIRS = (("Ada", "Brook"), ("Chidi", "Dora"))
KINDS = ("person", "several", "forms", "compounds")
THINGS = words_of("""
kettle bicycle violin lantern carpet sofa camera tent printer blanket helmet mirror ladder
basket compass telescope hammock fountain ribbon saddle anchor candle drawer kayak piano rug
scarf vase
""")
PLACES = words_of("""
Lisbon Oslo Kyoto Tunis Quito Dakar Riga Hanoi Bergen Porto Lima Cusco Malmo Turin Basel Ghent
""")
COLOURS = words_of("""
green amber crimson violet ivory teal copper silver scarlet indigo maroon olive
""")
DEEDS = (("painted", "paint"), ("repaired", "repair"), ("borrowed", "borrow"), ("washed", "wash"))
BENT = (("bought", "buy"), ("sold", "sell"), ("chose", "choose"), ("taught", "teach"))
JOINED = (("bookshop", "book shop"), ("light house", "lighthouse"), ("bed room", "bedroom"))
TALK = (
    "That sounds lovely, I would like to see it one day.",
    "The weather was dreadful the whole week, we stayed inside.",
    "My sister called and we talked for hours about old times.",
    "Did you sleep well after such a long trip?",
    "I am so glad that you told me, it means a lot.",
    "We should meet again soon and cook something together.",
)
FOLLOWING = (
    "It took the whole weekend, and my back still hurts.",
    "The neighbours came over and would not stop laughing.",
    "In the end everybody got cake, even the dog.",
)


@dataclass(frozen=True)
class Asked:
    """A question and all the notes that answer it."""

    kind: str
    question: str
    notes: tuple[str, ...]


class Talks:
    """Notes of conversations with questions about them."""

    def __init__(self, days: int) -> None:
        self._chance = random.Random(20_12)
        self.notes: list[Memory] = []
        self.asked: list[Asked] = []
        for day in range(days):
            self._day(day, PAIRS[day % 2], KINDS[day // 2 % 4])

    def _day(self, day: int, pair: tuple[str, str], kind: str) -> None:
        first, second = self._chance.sample(pair, 2)
        thing, place = self._chance.choice(THINGS), self._chance.choice(PLACES)
        colour = self._chance.choice(COLOURS)
        self._small_talk(day, pair)
        match kind:
            case "person":
                deed, plain = self._chance.choice(DEEDS)
                other = self._chance.choice(COLOURS)
                self._say(day, second, f"What have you {deed} in {place}, {first}, a {thing}?")
                note = self._say(day, first, f"I {deed} a {thing} in {place}, a {colour} one.")
                self._say(day, second, f"Once I {deed} a {thing} in {place} too, an {other} one!")
                self._ask(kind, f"Which {thing} did {first} {plain} in {place}?", note)
            case "several":
                deed, plain = self._chance.choice(DEEDS)
                note = self._say(day, first, f"At last I {deed} the {colour} {thing} in {place}.")
                more = [self._say(day, first, text) for text in self._chance.sample(FOLLOWING, 2)]
                question = f"How did it go when {first} {plain}ed the {colour} {thing} in {place}?"
                self._ask(kind, question, note, *more)
            case "forms":
                deed, plain = self._chance.choice(BENT)
                note = self._say(day, first, f"Yesterday I {deed} the {colour} one, in {place}.")
                self._ask(kind, f"When did {first} {plain} something in {place}?", note)
            case _:
                told, asked = self._chance.choice(JOINED)
                note = self._say(day, first, f"We met at the {told} beside the {thing}.")
                self._ask(kind, f"Who was at the {asked} with the {thing}?", note)
        self._small_talk(day, pair)

    def _small_talk(self, day: int, pair: Sequence[str]) -> None:
        for _ in range(4):
            self._say(day, self._chance.choice(pair), self._chance.choice(TALK))
            thing, place = self._chance.choice(THINGS), self._chance.choice(PLACES)
            text = f"I saw a {self._chance.choice(COLOURS)} {thing} like that in {place} once."
            self._say(day, self._chance.choice(pair), text)

    def _say(self, day: int, speaker: str, text: str) -> str:
        name = f"n{len(self.notes)}"
        note = Memory(
            id=name,
            type=MemoryType.PROJECT,
            title=f"{speaker}, day {day}",
            content=f"{speaker} at {len(self.notes)}: {text}",
            author=Author.EXTRACTION,
            trust=Trust.EXTRACTED,
            created_at=AT,
            source=MemorySource(session_id=f"s{day}"),
        )
        self.notes.append(note)
        return name

    def _ask(self, kind: str, question: str, *notes: str) -> None:
        self.asked.append(Asked(kind, question, notes))


async def measure(days: int, folder: Path) -> dict[str, dict[str, list[list[float]]]]:
    """Share of the notes that answer among the first 1, 5 and 10, by kind and method."""
    talks = Talks(days)
    (folder / "project").mkdir()
    place = locate(folder / "project", folder / "data")
    database = await open_project_database(place.folder, print)
    store = SqliteMemories(database)
    for batch in batches(talks.notes):
        await store.apply(batch, AT)
    reader = sqlite3.connect(":memory:")
    reader.execute(
        "CREATE VIRTUAL TABLE plain USING fts5(title, content, id UNINDEXED, "
        "tokenize = 'porter unicode61')"
    )
    rows = [(note.title, note.content, note.id) for note in talks.notes]
    reader.executemany("INSERT INTO plain VALUES (?, ?, ?)", rows)
    shares: dict[str, dict[str, list[list[float]]]] = {}
    for asked in talks.asked:
        ours = [match.memory.id for match in await store.search(asked.question, AT, 10)]
        plain = plain_search(reader, plain_query(asked.question, stop=True))
        for method, found in (("ours", ours), ("plain", plain)):
            by_depth = [
                len(set(found[:depth]) & set(asked.notes)) / min(depth, len(asked.notes))
                for depth in (1, 5, 10)
            ]
            for kind in (asked.kind, "all"):
                shares.setdefault(kind, {}).setdefault(method, []).append(by_depth)
    await database.close()
    return shares


def cell(samples: Sequence[Sequence[float]]) -> str:
    means = (100 * sum(column) / len(samples) for column in zip(*samples, strict=True))
    return " / ".join(f"{mean:.1f}" for mean in means)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--days", type=int, default=400)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        shares = asyncio.run(measure(given.days, Path(folder)))
    rows = [
        [kind, str(len(by["ours"])), cell(by["ours"]), cell(by["plain"])]
        for kind, by in shares.items()
    ]
    table(["recall at 1 / 5 / 10, %", "questions", "ours", "plain FTS5"], rows)


if __name__ == "__main__":
    main()
