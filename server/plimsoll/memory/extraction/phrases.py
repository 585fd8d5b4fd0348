"""What is to be remembered of a conversation, without a model: the phrases of the person.

Law 7: nothing is remembered silently, and what a tool output suggests waits for approval. So this
reads a person's typed words alone. What they ask to have remembered is their own memory; a rule or
a decision that they state plainly is kept with a notice; whatever is less clear waits in the inbox.
"""

import re
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from plimsoll.context.log.entries import Said, refusal_reasons
from plimsoll.memory.changes import LONGEST_CONTENT, Add
from plimsoll.memory.extraction.dates import absolute
from plimsoll.memory.extraction.importance import importance_of, said_again
from plimsoll.memory.extraction.patterns import CORRECTION, PATTERNS, WHEN, Pattern, type_of
from plimsoll.memory.extraction.turns import (
    Advance,
    Cursor,
    ReadBy,
    Turn,
    cursor_behind,
    first_unread,
    is_said_by_person,
    saved_by_agent,
    turns_from,
    typed_text,
)
from plimsoll.memory.types import Author, Memory, MemoryClass, MemorySource, MemoryState, Trust
from plimsoll.text.sentences import Sentence, sentences
from plimsoll.text.similarity import said_in
from plimsoll.text.terms import content_words

LEAST_WORDS = 2
"""Words with a meaning; "always do that" says nothing later."""
TITLE_CHARACTERS = 72
_PASSING = re.compile(
    r"\b(?:for now|for the moment|today|tonight|this (?:week|morning|sprint)|until|right now"
    r"|temporarily|in progress|currently|at the moment|next step)\b",
    re.IGNORECASE,
)
_SAID_WHEN = re.compile(rf"^{WHEN}", re.IGNORECASE)
_DANGLING = re.compile(r"\b(?:them|it|this|these|those|that|here|there)\b", re.IGNORECASE)
_ENOUGH_WORDS = 5
"""With as many words that mean something, a sentence is understood in spite of a pronoun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What an extraction is told of its session."""

    session_id: str
    now: str
    new_id: Callable[[], str]
    documents: Sequence[str] = ()
    """What the repository says of itself: instructions and read-me files."""
    order: Sequence[str] = ()
    """The ids of all messages of the log, also of those that a rewind hides."""

    @property
    def today(self) -> date:
        """The day of the reading."""
        return date.fromisoformat(self.now[:10])


@dataclass(frozen=True, slots=True)
class Batch:
    """Turns that are read together, and where the cursor stands when they have been."""

    turns: tuple[Turn, ...]
    advance: Advance

    @property
    def said(self) -> tuple[Said, ...]:
        """The messages of the turns, without those of turns in which the agent saved by itself."""
        return tuple(said for turn in self.turns if not saved_by_agent(turn) for said in turn.said)


def plan(
    session_id: str,
    said: Sequence[Said],
    cursor: Cursor | None,
    *,
    read_by: ReadBy = "phrases",
    most_characters: int | None = None,
    order: Sequence[str] = (),
) -> Batch | None:
    """Choose the next whole turns to read, at least one; none when everything was read.

    ``order``: all messages of the log, also hidden ones.
    """
    start = first_unread(said, cursor, order)
    taken: list[Turn] = []
    size = 0
    for turn in turns_from(said, start):
        size += sum(len(part.text) for message in turn.said for part in message.parts)
        if taken and most_characters is not None and size > most_characters:
            break
        taken.append(turn)
    if not taken:
        return None
    reached = cursor_behind(session_id, said, taken[-1].end, read_by)
    return Batch(tuple(taken), Advance(cursor, reached))


def extract(batch: Batch, reading: Reading, waiting: Container[str] = ()) -> list[Add]:
    """Extract what the person said that is to be remembered, each thing once.

    ``waiting``: the messages in which the agent wrote what waits in the inbox. What a person asked
    for in so many words is not left to such a note.
    """
    found: dict[str, list[Add]] = {}
    for turn in batch.turns:
        saved = saved_by_agent(turn)
        if saved and not any(message.id in waiting for message in turn.said):
            continue
        for add in _remembered_in(turn, reading):
            if not saved or add.memory.author is Author.USER:
                found.setdefault(" ".join(content_words(add.memory.content)), []).append(add)
    return [_scored(adds) for adds in found.values()]


def _scored(adds: Sequence[Add]) -> Add:
    """Return the first of what says the same, the more important the more messages say it."""
    first = adds[0].memory
    messages = {add.memory.source.message_id for add in adds if add.memory.source}
    if first.trust is not Trust.USER or len(messages) < 2:
        return adds[0]
    importance = said_again(first.weight, len(messages) - 1)
    return replace(adds[0], memory=replace(first, importance=importance))


def _remembered_in(turn: Turn, reading: Reading) -> Iterator[Add]:
    for said in turn.said:
        for sentence in sentences("\n".join((typed_text(said), *refusal_reasons(said)))):
            add = _remembered(sentence, said, reading)
            if add is not None:
                yield add


def _is_kept(sentence: str) -> bool:
    """Tell whether a sentence has the form of a memory that takes effect at once."""
    pattern = next((pattern for pattern, _ in _matches(sentence)), None)
    return pattern is not None and (pattern.asked or pattern.clear)


def without_kept_sentences(words: str) -> str:
    """Leave out of what was typed the sentences that are memories of their own.

    They would be told when the person has long had the memory forgotten.
    """
    text = " ".join(words.split())
    for sentence in sentences(words):
        if _is_kept(sentence.text):
            text = text.replace(sentence.text, "")
    return " ".join(text.split())


def plain_words(said: Said) -> list[str]:
    """Return the sentences that a person said in their own words, as far as that can be seen."""
    return [each.text for each in sentences(typed_text(said)) if each.plain]


def day_of(said: Said) -> date:
    """Return the day to which "yesterday" refers, however much later it is read."""
    return date.fromisoformat(said.at[:10])


def entry_text(text: str, today: date) -> tuple[str, str]:
    """Title and content of a memory made from a sentence, its dates absolute."""
    content = absolute(text, today)[:LONGEST_CONTENT].strip()
    content = content[:1].upper() + content[1:]
    title = content.split("\n")[0]
    if len(title) > TITLE_CHARACTERS:
        title = f"{title[:TITLE_CHARACTERS].rsplit(' ', 1)[0]} …"
    return title, content


def class_of(text: str) -> MemoryClass:
    """Tell whether a memory lasts, by its words."""
    # When something was decided says nothing of how long it holds.
    words = _SAID_WHEN.sub("", text)
    return MemoryClass.WORKING if _PASSING.search(words) else MemoryClass.DURABLE


def _remembered(sentence: Sentence, said: Said, reading: Reading) -> Add | None:
    for pattern, what in _matches(sentence.text):
        if len(content_words(what)) < LEAST_WORDS or said_in(what, reading.documents):
            return None
        memory = _memory(
            pattern,
            what,
            plain=sentence.plain and is_said_by_person(said),
            said=said,
            reading=reading,
        )
        return Add(memory, f"the user's words: {pattern.name}", optional=True)
    return None


def _matches(text: str) -> Iterator[tuple[Pattern, str]]:
    for pattern in PATTERNS:
        match = pattern.phrase.match(text)
        if match is not None:
            whole = text if "what" not in match.groupdict() else match["what"]
            yield pattern, whole.strip()


def _memory(pattern: Pattern, what: str, plain: bool, said: Said, reading: Reading) -> Memory:
    title, content = entry_text(what, day_of(said))
    return Memory(
        id=reading.new_id(),
        type=pattern.type or type_of(what),
        title=title,
        content=content,
        author=Author.USER if pattern.asked and plain else Author.EXTRACTION,
        trust=Trust.USER if plain else Trust.EXTRACTED,
        created_at=reading.now,
        class_=class_of(what),
        state=MemoryState.ACTIVE if plain and _clear(pattern, what) else MemoryState.INBOX,
        source=MemorySource(reading.session_id, said.id),
        importance=importance_of(
            what, own=plain, asked=pattern.asked, corrects=pattern.name == CORRECTION
        ),
    )


def _clear(pattern: Pattern, what: str) -> bool:
    """Tell whether it can be understood later, without what was said around it."""
    if pattern.asked:
        return True
    return pattern.clear and (
        not _DANGLING.search(what) or len(content_words(what)) >= _ENOUGH_WORDS
    )
