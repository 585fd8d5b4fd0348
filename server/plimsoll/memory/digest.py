"""The digest of a session for later ones: word for word or plain facts from its log.

Never prose of a tool or a model: a model in another session will read it. So it holds what the
person typed, paths, and the tasks that the person's own words name.
"""

import itertools
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import cast

from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import Part, PartKind
from plimsoll.context.log.traits import ToolTraits
from plimsoll.memory.changes import Add, Change, Revise
from plimsoll.memory.checking import LONGEST_CONTENT
from plimsoll.memory.extraction.phrases import (
    Reading,
    entry_text,
    plain_words,
    words_for_digest,
)
from plimsoll.memory.extraction.turns import is_said_by_person
from plimsoll.memory.secrets import find_secret
from plimsoll.memory.types import Author, Memory, MemoryClass, MemorySource, MemoryType, Trust
from plimsoll.text.similarity import is_grounded

LONGEST_WORDS = 240
"""Characters of each quoted message."""
MOST_ASKED = 6
MOST_FILES = 12
_PATH = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)*")
_LONGEST_PATH = 120


def digest_id(session_id: str) -> str:
    """Return the id of a session's digest; there is one at most."""
    return f"digest-{session_id}"


def digest_of(said: Sequence[Said], tasks: Sequence[str], reading: Reading) -> Memory | None:
    """Write the digest of a session; None if nothing was typed in it here."""
    said = [message for message in said if is_said_by_person(message)]
    asked = _first_and_last(said)
    if not asked:
        return None
    words = [sentence for message in said for sentence in plain_words(message)] if tasks else []
    done = [task for task in tasks if is_grounded(task, words) and find_secret(task) is None]
    lines = [
        *(f"Asked: {text}" for text in asked),
        *_files("Edited", said, lambda traits: traits.edits),
        *_files("Read", said, lambda traits: traits.reads),
        *(f"Task: {task[:LONGEST_WORDS]}" for task in done[:MOST_ASKED]),
    ]
    title, _ = entry_text(asked[0], reading.today)
    return Memory(
        id=digest_id(reading.session_id),
        type=MemoryType.PROJECT,
        title=title,
        content=_whole_lines(lines),
        author=Author.EXTRACTION,
        trust=Trust.USER,
        created_at=reading.now,
        class_=MemoryClass.WORKING,
        digest=True,
        source=MemorySource(reading.session_id),
    )


def digest_change(held: Memory | None, digest: Memory) -> Change:
    """Return the change that stores the newest digest of a session."""
    if held is None:
        return Add(digest, "record of the session", optional=True)
    return Revise(id=held.id, author=Author.EXTRACTION, title=digest.title, content=digest.content)


def _first_and_last(said: Sequence[Said]) -> list[str]:
    """Return the first message that a person typed and the last few, oldest first."""
    last = list(itertools.islice(_typed_messages(reversed(said)), MOST_ASKED))[::-1]
    first = next(_typed_messages(said), None)
    if first is None or first[0] == last[0][0]:
        return [text for _, text in last]
    return [first[1], *(text for _, text in last[1 - MOST_ASKED :])]


def _typed_messages(said: Iterable[Said]) -> Iterator[tuple[str, str]]:
    """Yield the ids and texts of typed messages, without those that hold a secret."""
    for message in said:
        text = words_for_digest(message)
        if text and find_secret(text) is None:
            shown = text if len(text) <= LONGEST_WORDS else f"{text[:LONGEST_WORDS]} …"
            yield message.id, shown


def _whole_lines(lines: Sequence[str]) -> str:
    """Join as many lines as fit in a memory."""
    sizes = itertools.accumulate(len(line) + 1 for line in lines)
    fitting = itertools.takewhile(
        lambda each: each[1] <= LONGEST_CONTENT, zip(lines, sizes, strict=True)
    )
    return "\n".join(line for line, _ in fitting)


def _files(verb: str, said: Sequence[Said], wanted: Callable[[ToolTraits], bool]) -> list[str]:
    """List files of successful calls, newest last, leaving out names that look like sentences."""
    parts = [part for message in said for part in message.parts]
    failed = {part.call_id for part in parts if part.kind is PartKind.RESULT and part.failed}
    paths: dict[str, None] = {}
    for part in parts:
        if part.kind is PartKind.CALL and wanted(part.traits) and part.call_id not in failed:
            path = _path(part)
            if path is not None:
                paths.pop(path, None)
                paths[path] = None
    return [f"{verb}: {', '.join(list(paths)[-MOST_FILES:])}"] if paths else []


def _path(part: Part) -> str | None:
    arguments = cast("dict[str, object]", json.loads(part.text or "{}"))
    path = str(arguments.get("path", "")).strip("/")
    fits = _PATH.fullmatch(path) and len(path) <= _LONGEST_PATH
    return path if fits and find_secret(path) is None else None
