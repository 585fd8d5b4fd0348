"""Search in the sessions of a folder: by their titles and by what was said in them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import PartKind, Role
from plimsoll.errors import InvalidInput, NotFound
from plimsoll.session.environment import Environment
from plimsoll.storage.base import SessionRecord

MOST_FOUND = 20
"""Sessions in an answer that names no limit."""
MOST_WORDS = 16
BEFORE, AROUND = 40, 160
"""Characters of a snippet before the first word that was found, and in all."""
_OWN_WORDS = frozenset({PartKind.TEXT})


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSession:
    """A session that was found, and where."""

    record: SessionRecord
    snippet: str
    message: str | None = None
    """The newest message with all words; none where the title has them."""
    role: Role | None = None


async def search_sessions(environment: Environment, query: str, limit: int) -> list[FoundSession]:
    """Find the sessions with all words of a query, those with them in the title first.

    Then the one comes first that was used last. Raises InvalidInput for a query without a word.
    """
    words = query_words(query)
    if not words:
        raise InvalidInput("There is no word to search for.", remedy="Name a word of the session.")
    titled: list[FoundSession] = []
    spoken: list[FoundSession] = []
    for stored in await environment.store.sessions():
        record = environment.redacted(stored)
        if has_all(record.title, words):
            titled.append(FoundSession(record=record, snippet=snippet_of(record.title, words)))
        elif len(spoken) < limit:
            spoken.extend(await _spoken(environment, record, words))
    return [*titled, *spoken][:limit]


async def _spoken(
    environment: Environment, record: SessionRecord, words: Sequence[str]
) -> list[FoundSession]:
    try:
        said = await environment.store.find_said(record.id, words)
    except NotFound:
        # Another process has deleted it since it was listed.
        return []
    found = await asyncio.to_thread(newest_with, said, words)
    if found is None:
        return []
    message, text = found
    snippet = environment.redact(snippet_of(text, words))
    return [FoundSession(record=record, snippet=snippet, message=message.id, role=message.role)]


def query_words(query: str) -> tuple[str, ...]:
    """Return the words of a query, in one case and each once."""
    return tuple(dict.fromkeys(query.casefold().split()))[:MOST_WORDS]


def has_all(text: str, words: Sequence[str]) -> bool:
    """Tell whether all words stand in a text."""
    plain = text.casefold()
    return all(word in plain for word in words)


def newest_with(said: Sequence[Said], words: Sequence[str]) -> tuple[Said, str] | None:
    """Find the newest message of a person or the model in whose text all words stand."""
    for message in reversed(said):
        if message.role not in {Role.USER, Role.ASSISTANT}:
            continue
        text = "\n".join(part.text for part in message.parts if part.kind in _OWN_WORDS)
        if has_all(text, words):
            return message, text
    return None


def snippet_of(text: str, words: Sequence[str]) -> str:
    """Return, on one line, what stands around the first of the words in a text."""
    line = " ".join(text.split())
    # Folding can change lengths: the place is then a little off, and still inside the text.
    places = [line.casefold().find(word) for word in words]
    first = min((place for place in places if place >= 0), default=0)
    start = max(0, min(first, len(line)) - BEFORE)
    end = start + AROUND
    return f"{'…' if start else ''}{line[start:end]}{'…' if end < len(line) else ''}"
