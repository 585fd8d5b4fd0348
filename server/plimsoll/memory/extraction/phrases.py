"""Extraction by phrases: finds what a person asks to have remembered, without a model.

Law 7: nothing is remembered silently, and what a tool output suggests waits for approval. So this
reads only typed words of a person. What they ask to have remembered is their own memory; a rule or
a decision that they state plainly is saved with a notice; unclear ones wait in the inbox.
"""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from plimsoll.context.log.entries import Said, written_texts
from plimsoll.memory.changes import Add
from plimsoll.memory.checking import LONGEST_CONTENT
from plimsoll.memory.extraction.dates import make_dates_absolute
from plimsoll.memory.extraction.importance import importance_of, raise_importance
from plimsoll.memory.extraction.patterns import (
    CORRECTION,
    LISTED,
    PATTERNS,
    WHEN,
    Pattern,
    type_of,
)
from plimsoll.memory.extraction.turns import (
    Advance,
    Cursor,
    ReadBy,
    Turn,
    cursor_behind,
    first_unread,
    is_said_by_person,
    said_sentences,
    saved_by_agent,
    turns_from,
)
from plimsoll.memory.types import Author, Memory, MemoryClass, MemorySource, MemoryState, Trust
from plimsoll.text.instructions import instruction_in
from plimsoll.text.sentences import Sentence, asked_pieces, sentences
from plimsoll.text.similarity import said_in
from plimsoll.text.speech.clauses import clauses_behind
from plimsoll.text.speech.pasted import typed_spans
from plimsoll.text.terms import content_words

LEAST_WORDS = 2
"""The least content words; "always do that" says nothing later."""
TITLE_CHARACTERS = 72
_PASSING = re.compile(
    r"\b(?:for now|for the moment|today|tonight|this (?:week|morning|sprint)|until|right now"
    r"|temporarily|in progress|currently|at the moment|next step)\b",
    re.IGNORECASE,
)
_SAID_WHEN = re.compile(rf"^{WHEN}", re.IGNORECASE)
_DANGLING = re.compile(
    r"\b(?:them|it|(?:this|these|those)(?! (?:project|repo|folder|code|workspace))"
    r"|that(?= (?:way|one|again)\b|\W*$)|there)\b",
    re.IGNORECASE,
)
_ENOUGH_WORDS = 5
_NAMED_WORDS = 2
"""A sentence with a pronoun is clear if it has this many content words, or as many before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The facts about a session that extraction needs."""

    session_id: str
    now: str
    new_id: Callable[[], str]
    documents: Sequence[str] = ()
    """Texts of the repository: instructions and read-me files."""
    order: Sequence[str] = ()
    """The ids of all messages of the log, including rewound ones."""

    @property
    def today(self) -> date:
        """The day of the reading."""
        return date.fromisoformat(self.now[:10])


@dataclass(frozen=True, slots=True)
class Batch:
    """Turns that are read together, and the cursor after them."""

    turns: tuple[Turn, ...]
    advance: Advance

    @property
    def said(self) -> tuple[Said, ...]:
        """The messages of the turns, without turns in which the agent saved memories itself."""
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
    """Choose the next whole turns to read, at least one; None if all were read.

    ``order``: the ids of all messages of the log, including rewound ones.
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
    """Extract memories from the person's sentences, each memory once.

    ``waiting``: the ids of messages in which the agent wrote notes that are in the inbox. What a
    person asked for explicitly is saved even so.
    """
    found: dict[str, list[Add]] = {}
    for turn in batch.turns:
        saved = saved_by_agent(turn)
        if saved and not any(message.id in waiting for message in turn.said):
            continue
        for add in _memories_in_turn(turn, reading):
            if not saved or add.memory.author is Author.USER:
                found.setdefault(" ".join(content_words(add.memory.content)), []).append(add)
    return [_merge_equal(adds) for adds in found.values()]


def _merge_equal(adds: Sequence[Add]) -> Add:
    """Return the first of equal memories, with more importance the more messages say it."""
    first = adds[0].memory
    messages = {add.memory.source.message_id for add in adds if add.memory.source}
    if first.trust is not Trust.USER or len(messages) < 2:
        return adds[0]
    importance = raise_importance(first.weight, len(messages) - 1)
    return replace(adds[0], memory=replace(first, importance=importance))


def _memories_in_turn(turn: Turn, reading: Reading) -> Iterator[Add]:
    for said in turn.said:
        for sentence in said_sentences(said, reasons=True):
            yield from _memories_in_sentence(sentence, said, reading)


def _is_kept(sentence: str) -> bool:
    """Tell whether a sentence has the form of a memory that takes effect at once."""
    return any(pattern.asked or pattern.clear for pattern, _ in _find_patterns(sentence))


def without_kept_sentences(words: str) -> str:
    """Remove the sentences that are memories of their own from a text.

    Otherwise they would still be told after the person has forgotten the memory.
    """
    return _without(words, (each for each in sentences(words) if _is_kept(each.text)))


def words_for_digest(said: Said) -> str:
    """Return what a person typed in a message, without memories and pasted text.

    Where nobody says what was pasted, the form of the text decides, as for ``sentences``.
    """
    written = written_texts(said)
    if all(each.pasted is None for each in written):
        pieces = asked_pieces("\n".join(each.text for each in written))
        return " ".join(each for each in pieces if not _is_kept(each))
    typed = (
        each.text[start:end]
        for each in written
        for start, end in (typed_spans(each) if each.text else ())
    )
    found = said_sentences(said)
    some = any(each.plain for each in found)
    left = (each for each in found if _is_kept(each.text) or (some and not each.plain))
    return _without(" \u2026 ".join(typed), left)


def _without(words: str, left: Iterable[Sentence]) -> str:
    text = " ".join(words.split())
    # A short sentence that stands in a longer one would break it, which would stay.
    for sentence in sorted(left, key=lambda each: len(each.text), reverse=True):
        text = text.replace(sentence.text, "")
    return " ".join(text.split())


def plain_words(said: Said) -> list[str]:
    """Return the sentences that may be a person's own words."""
    return [each.text for each in said_sentences(said) if each.plain]


def own_words(said: Said) -> list[str]:
    """Return the sentences that certainly are a person's own words."""
    return [each.text for each in said_sentences(said) if each.own]


def day_of(said: Said) -> date:
    """Return the day that "yesterday" in a message is relative to."""
    return date.fromisoformat(said.at[:10])


def entry_text(text: str, today: date) -> tuple[str, str]:
    """Return title and content of a memory made from a sentence, with absolute dates."""
    content = make_dates_absolute(text, today)[:LONGEST_CONTENT].strip()
    content = content[:1].upper() + content[1:]
    title = content.split("\n")[0]
    if len(title) > TITLE_CHARACTERS:
        title = f"{title[:TITLE_CHARACTERS].rsplit(' ', 1)[0]} …"
    return title, content


def class_of(text: str) -> MemoryClass:
    """Choose the class of a memory by its words."""
    # When something was decided says nothing of how long it holds.
    words = _SAID_WHEN.sub("", text)
    return MemoryClass.WORKING if _PASSING.search(words) else MemoryClass.DURABLE


def _memories_in_sentence(sentence: Sentence, said: Said, reading: Reading) -> Iterator[Add]:
    own = sentence.own and is_said_by_person(said)
    for pattern, what in _find_patterns(sentence.text, listed=sentence.listed and own):
        if len(content_words(what)) >= LEAST_WORDS and not said_in(what, reading.documents):
            memory = _memory(pattern, what, plain=own, said=said, reading=reading)
            yield Add(memory, f"the user's words: {pattern.name}", optional=True)


def _find_patterns(text: str, *, listed: bool = False) -> Iterator[tuple[Pattern, str]]:
    """Yield the text to remember with its pattern: the sentence, or each rule after a colon.

    ``listed``: the sentence is in a list of rules.
    """
    whole = _match(text)
    if whole is not None:
        yield whole
        return
    clauses = [found for clause in _clauses(text) if (found := _match(clause)) is not None]
    yield from clauses
    if listed and not clauses and _is_item(text):
        yield LISTED, text


def _clauses(text: str) -> Iterator[str]:
    """Yield the clauses, each joined with later ones that refer to it by a pronoun."""
    held = ""
    for clause in clauses_behind(text):
        if held and not _lacks_subject(clause):
            yield held
            held = ""
        held = f"{held}; {clause}" if held else clause
    if held:
        yield held


def _is_item(text: str) -> bool:
    """Tell whether a list entry is a rule, not the heading above it."""
    return not text.endswith((":", "\uff1a")) and instruction_in(text, under_rules=True) is not None


def _match(text: str) -> tuple[Pattern, str] | None:
    for pattern in PATTERNS:
        match = pattern.phrase.match(text)
        if match is not None:
            whole = text if "what" not in match.groupdict() else match["what"]
            return pattern, whole.strip()
    return None


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
        state=MemoryState.ACTIVE if plain and _is_clear(pattern, what) else MemoryState.INBOX,
        source=MemorySource(reading.session_id, said.id),
        importance=importance_of(
            what, own=plain, asked=pattern.asked, corrects=pattern.name == CORRECTION
        ),
    )


def _is_clear(pattern: Pattern, what: str) -> bool:
    """Tell whether a text can be understood later, without the conversation around it."""
    if pattern.asked:
        return True
    return pattern.clear and not _lacks_subject(what)


def _lacks_subject(what: str) -> bool:
    """Tell whether a text names its subject only by a pronoun."""
    pronoun = _DANGLING.search(what)
    if pronoun is None or len(content_words(what)) >= _ENOUGH_WORDS:
        return False
    return len(content_words(what[: pronoun.start()])) <= _NAMED_WORDS
