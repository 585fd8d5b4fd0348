"""Memories and questions of the words of this repository's documents, as often as they occur."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

from plimsoll.memory.changes import Add
from plimsoll.memory.types import Author, Memory, MemoryScope, MemorySource, MemoryType, Trust
from plimsoll.text.terms import search_terms

AT = "2026-11-21T10:00:00.000Z"
DOCS = Path(__file__).parents[3] / "docs"
LENGTH, TITLE = 28, 5
"""Words of a memory and of its title."""
PARTS = 50_000
"""So many names of parts, of which each memory has one: rare words, as in a real project."""
FROM_ONE_SESSION = 10
"""So many memories in a row come from one session, and are found by each other's words."""


class Notes:
    """Makes the memories of a project by number: the same each time."""

    def __init__(self) -> None:
        texts = (path.read_text("utf-8") for path in sorted(DOCS.rglob("*.md")))
        self._words = [word for text in texts for word in re.findall(r"[A-Za-z_]{2,}", text)]

    def memory(self, number: int) -> Memory:
        chance = random.Random(number)
        words = chance.choices(self._words, k=LENGTH)
        words[chance.randrange(LENGTH)] = f"part_{chance.randrange(PARTS)}"
        return Memory(
            id=f"m{number}",
            type=MemoryType.PROJECT,
            title=" ".join(chance.choices(self._words, k=TITLE)),
            content=" ".join(words),
            author=Author.USER,
            trust=Trust.USER,
            created_at=AT,
            scope=MemoryScope.TEAM,
            source=MemorySource(session_id=f"s{number // FROM_ONE_SESSION}"),
        )

    def adds(self, numbers: range) -> list[Add]:
        # What says the same as another one is left out.
        return [Add(self.memory(number), None, optional=True) for number in numbers]

    def questions(self, count: int, most: int) -> Iterator[str]:
        """Yield questions: 3 to 8 words of a memory, half of them with its part's name."""
        chance = random.Random(1)
        for number in range(count):
            words = self.memory(chance.randrange(most)).content.split()
            named = [word for word in words if word.startswith("part_")]
            asked = chance.sample(words, chance.randint(3, 8)) + named * (number % 2)
            if search_terms(question := f"How is it with {' '.join(asked)}?"):
                yield question
