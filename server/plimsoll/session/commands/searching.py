"""Search in the sessions of a folder: by their titles and by what was said in them."""

from collections.abc import Sequence
from dataclasses import dataclass

from plimsoll.context.log.entries import Said, spoken_text
from plimsoll.context.log.messages import Role
from plimsoll.errors import InvalidInput
from plimsoll.session.ports.environment import Environment
from plimsoll.storage.base import SaidQuery, SessionRecord
from plimsoll.text.terms import has_all

MOST_FOUND = 20
"""Sessions in an answer that names no limit."""
MOST_WORDS = 16
BEFORE, AROUND = 40, 160
"""Characters of a snippet before the first word that was found, and in all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSession:
    """A session that a search found, and where its words stand."""

    record: SessionRecord
    snippet: str
    message: str | None = None
    """The newest message with all words; none where the title has them."""
    role: Role | None = None


async def search_sessions(environment: Environment, query: str, limit: int) -> list[FoundSession]:
    """Find the sessions with all words of a query, those with them in the title first.

    Otherwise the one used last comes first. Raises InvalidInput for a query without a word.
    """
    words = query_words(query)
    if not words:
        raise InvalidInput("There is no word to search for.", remedy="Name a word of the session.")
    asked = SaidQuery(
        words=words,
        titled=lambda title: has_all(environment.redact(title), words),
        said=lambda message: has_all(spoken_text(message), words),
        limit=limit,
    )
    return [
        _make_result(environment, record, message, words)
        for record, message in await environment.store.said.find(asked)
    ]


def _make_result(
    environment: Environment, record: SessionRecord, message: Said | None, words: Sequence[str]
) -> FoundSession:
    clean = environment.redact_record(record)
    if message is None:
        return FoundSession(record=clean, snippet=snippet_of(clean.title, words))
    return FoundSession(
        record=clean,
        snippet=environment.redact(snippet_of(spoken_text(message), words)),
        message=message.id,
        role=message.role,
    )


def query_words(query: str) -> tuple[str, ...]:
    """Return the distinct words of a query, in lower case."""
    return tuple(dict.fromkeys(query.casefold().split()))[:MOST_WORDS]


def snippet_of(text: str, words: Sequence[str]) -> str:
    """Return an excerpt of a text on one line, around the first of the words in it."""
    line = " ".join(text.split())
    # Folding can change lengths: the place is then a little off, and still inside the text.
    places = [line.casefold().find(word) for word in words]
    first = min((place for place in places if place >= 0), default=0)
    start = max(0, min(first, len(line)) - BEFORE)
    end = start + AROUND
    return f"{'…' if start else ''}{line[start:end]}{'…' if end < len(line) else ''}"
