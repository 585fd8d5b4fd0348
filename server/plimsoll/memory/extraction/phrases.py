"""What is to be remembered of a conversation, without a model: the phrases of the person.

Law 7: nothing is remembered silently, and what a tool output suggests waits for approval. So this
reads a person's typed words alone. What they ask to have remembered is their own memory; a rule or
a decision that they state plainly is kept with a notice; whatever is less clear waits in the inbox.
"""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from plimsoll.context.log.entries import Said, written_texts
from plimsoll.memory.changes import Add
from plimsoll.memory.checking import LONGEST_CONTENT
from plimsoll.memory.extraction.dates import absolute
from plimsoll.memory.extraction.importance import importance_of, said_again
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
from plimsoll.text.sentences import Sentence, sentences
from plimsoll.text.similarity import said_in
from plimsoll.text.speech.clauses import clauses_behind
from plimsoll.text.speech.pasted import typed_spans
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
_DANGLING = re.compile(
    r"\b(?:them|it|(?:this|these|those)(?! (?:project|repo|folder|code|workspace))"
    r"|that(?= (?:way|one|again)\b|\W*$)|there)\b",
    re.IGNORECASE,
)
_ENOUGH_WORDS = 5
_NAMED_WORDS = 2
"""With as many words that mean something, or before it, a sentence is understood with a pronoun."""


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
        for sentence in said_sentences(said, reasons=True):
            yield from _remembered(sentence, said, reading)


def _is_kept(sentence: str) -> bool:
    """Tell whether a sentence has the form of a memory that takes effect at once."""
    return any(pattern.asked or pattern.clear for pattern, _ in _found(sentence))


def without_kept_sentences(words: str) -> str:
    """Leave out of what was said the sentences that are memories of their own.

    They would be told when the person has long had the memory forgotten.
    """
    return _without(words, (each for each in sentences(words) if _is_kept(each.text)))


def words_for_digest(said: Said) -> str:
    """Return what a person typed in a message, without memories of their own and pasted text."""
    typed = (
        each.text[start:end]
        for each in written_texts(said)
        for start, end in (typed_spans(each) if each.text else ())
    )
    found = said_sentences(said)
    some = any(each.plain for each in found)
    left = (each for each in found if _is_kept(each.text) or (some and not each.plain))
    return _without(" \u2026 ".join(typed), left)


def _without(words: str, left: Iterable[Sentence]) -> str:
    text = " ".join(words.split())
    for sentence in left:
        text = text.replace(sentence.text, "")
    return " ".join(text.split())


def plain_words(said: Said) -> list[str]:
    """Return the sentences that a person may have said in their own words."""
    return [each.text for each in said_sentences(said) if each.plain]


def own_words(said: Said) -> list[str]:
    """Return the sentences that a person surely said in their own words."""
    return [each.text for each in said_sentences(said) if each.own]


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


def _remembered(sentence: Sentence, said: Said, reading: Reading) -> Iterator[Add]:
    own = sentence.own and is_said_by_person(said)
    for pattern, what in _found(sentence.text, listed=sentence.listed and own):
        if len(content_words(what)) >= LEAST_WORDS and not said_in(what, reading.documents):
            memory = _memory(pattern, what, plain=own, said=said, reading=reading)
            yield Add(memory, f"the user's words: {pattern.name}", optional=True)


def _found(text: str, *, listed: bool = False) -> Iterator[tuple[Pattern, str]]:
    """Yield what a sentence says to be remembered: the whole of it, or each rule behind a colon.

    ``listed``: it stands in a list of rules.
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
    """Yield the clauses; one that takes up another by a pronoun goes along with it."""
    held = ""
    for clause in clauses_behind(text):
        if held and not _dangles(clause):
            yield held
            held = ""
        held = f"{held}; {clause}" if held else clause
    if held:
        yield held


def _is_item(text: str) -> bool:
    """Tell whether it is a rule by its place, and not the heading above it."""
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
    return pattern.clear and not _dangles(what)


def _dangles(what: str) -> bool:
    """Tell whether it speaks of something by a pronoun alone."""
    pronoun = _DANGLING.search(what)
    if pronoun is None or len(content_words(what)) >= _ENOUGH_WORDS:
        return False
    return len(content_words(what[: pronoun.start()])) <= _NAMED_WORDS
