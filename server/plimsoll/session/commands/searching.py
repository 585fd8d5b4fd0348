"""Search in the sessions of a folder: by their titles and by what was said in them."""

from collections.abc import Sequence
from dataclasses import dataclass

from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import PartKind, Role
from plimsoll.errors import InvalidInput
from plimsoll.session.ports.environment import Environment
from plimsoll.storage.base import SessionRecord

MOST_FOUND = 20
"""Sessions in an answer that names no limit."""
AT_ONCE = 50
"""Sessions that are searched before anything else is read of the store."""
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
    records = [environment.redacted(each) for each in await environment.store.sessions()]
    titled = {each.id: each for each in records if has_all(each.title, words)}
    found = [
        FoundSession(record=each, snippet=snippet_of(each.title, words)) for each in titled.values()
    ]
    others = [each for each in records if each.id not in titled]
    for start in range(0, len(others), AT_ONCE):
        if len(found) >= limit:
            break
        found += await _spoken(environment, others[start : start + AT_ONCE], words)
    return found[:limit]


async def _spoken(
    environment: Environment, records: Sequence[SessionRecord], words: Sequence[str]
) -> list[FoundSession]:
    """Find those of some sessions, in their order, in which a message has all words."""
    of = {each.id: each for each in records}
    said = await environment.store.newest_said([*of], words, lambda each: holds(each, words))
    return [
        FoundSession(
            record=of[name],
            snippet=environment.redact(snippet_of(text_of(message), words)),
            message=message.id,
            role=message.role,
        )
        for name, message in said
    ]


def query_words(query: str) -> tuple[str, ...]:
    """Return the words of a query, in one case and each once."""
    return tuple(dict.fromkeys(query.casefold().split()))[:MOST_WORDS]


def has_all(text: str, words: Sequence[str]) -> bool:
    """Tell whether all words stand in a text."""
    plain = text.casefold()
    return all(word in plain for word in words)


def holds(said: Said, words: Sequence[str]) -> bool:
    """Tell whether a person or the model said all words in a message."""
    return said.role in {Role.USER, Role.ASSISTANT} and has_all(text_of(said), words)


def text_of(said: Said) -> str:
    """Return what a person or the model said in a message, without what came along."""
    return "\n".join(part.text for part in said.parts if part.kind in _OWN_WORDS)


def snippet_of(text: str, words: Sequence[str]) -> str:
    """Return, on one line, what stands around the first of the words in a text."""
    line = " ".join(text.split())
    # Folding can change lengths: the place is then a little off, and still inside the text.
    places = [line.casefold().find(word) for word in words]
    first = min((place for place in places if place >= 0), default=0)
    start = max(0, min(first, len(line)) - BEFORE)
    end = start + AROUND
    return f"{'…' if start else ''}{line[start:end]}{'…' if end < len(line) else ''}"
