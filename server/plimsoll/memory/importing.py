"""Imports an exported document of memories into the inbox, for a person to review each.

A file can come from anywhere and be changed by anybody. So nothing in it is believed, not even
authors and dates, and no memory has an effect before it is accepted.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plimsoll.errors import InvalidInput
from plimsoll.memory.injection import SESSIONS
from plimsoll.memory.markdown import IMPORTANCE, PINNED
from plimsoll.memory.service import Memories
from plimsoll.memory.types import MemoryClass, MemoryScope, MemorySource, MemoryType, NewNote
from plimsoll.text.lines import lines_of

MOST_CHARACTERS = 5_000_000
"""Characters of a document; all memories that fit in the inbox have less than a fifth of it."""
_FACTS = re.compile(
    r"(?P<id>\S+), (?P<day>\d{4}-\d\d-\d\d), (?P<type>\w+) by [^,]+(?:, (?P<more>.*))?"
)


@dataclass(frozen=True, slots=True)
class Imported:
    """The outcome of an import."""

    waiting: int
    """Memories added to the inbox."""
    left_out: int
    """Memories that were known, forgotten or refused, or did not fit in the inbox."""


async def import_document(memories: Memories, markdown: str, uri: str | None = None) -> Imported:
    """Import the memories of an exported document into the inbox.

    ``uri``: the document's file, which a person is shown beside each.

    Raises:
        InvalidInput: It holds no memory, or is too long to be an export.
    """
    notes = list(parse_document(markdown, uri))
    if not notes:
        raise InvalidInput(
            "There is no memory in this text.",
            remedy="Take the Markdown that an export of memories wrote: each stands below ### with "
            "a line of its id, date and type.",
        )
    waiting = len(await memories.propose(notes))
    return Imported(waiting, len(notes) - waiting)


def parse_document(markdown: str, uri: str | None = None) -> Iterator[NewNote]:
    """Yield the memories of an exported document, except digests, whose sessions are not here.

    Raises:
        InvalidInput: It is too long to be an export.
    """
    if len(markdown) > MOST_CHARACTERS:
        raise InvalidInput(
            f"This text has {len(markdown):,} characters; an export has less than "
            f"{MOST_CHARACTERS:,}.",
            remedy="Give the file of an export.",
        )
    section, block = "", list[str]()
    for line in [*lines_of(markdown), "## "]:
        if not line.startswith(("## ", "### ")):
            block.append(line)
            continue
        note = _parse_note(block, uri) if section != SESSIONS else None
        if note is not None:
            yield note
        section = line[3:].strip() if line.startswith("## ") else section
        block = [line]


def _parse_note(block: Sequence[str], uri: str | None) -> NewNote | None:
    """Parse the lines from one heading to the next; None if they are no memory."""
    if len(block) < 2 or not block[0].startswith("### "):
        return None
    title = block[0][4:].strip()
    found = _FACTS.fullmatch(block[1].strip())
    if found is None or found["type"] not in set(MemoryType):
        return None
    more = (found["more"] or "").split(", ")
    return NewNote(
        type=MemoryType(found["type"]),
        title="" if title == found["id"] else title,
        content="\n".join(_quoted_lines(block[2:])),
        class_=next((each for each in MemoryClass if each.value in more), MemoryClass.DURABLE),
        pinned=PINNED in more,
        source=None if uri is None else MemorySource(uri=uri),
        scope=next((each for each in MemoryScope if each.value in more), MemoryScope.PRIVATE),
        importance=next(map(int, _importance(more)), None),
        tags=tuple(each[1:] for each in more if each.startswith("#")),
    )


def _importance(facts: Sequence[str]) -> Iterator[str]:
    for fact in facts:
        word, _, number = fact.partition(" ")
        if word == IMPORTANCE and number in set("12345"):
            yield number


def _quoted_lines(lines: Sequence[str]) -> Iterator[str]:
    """Yield the quoted lines at the start."""
    for line in itertools.takewhile(lambda each: each.startswith(">"), lines):
        yield line[1:].removeprefix(" ")
