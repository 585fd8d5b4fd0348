"""The next step of the search assistant, as a pure function of the request and of earlier notes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from plimsoll.context.log.messages import Message, Role, canonical
from plimsoll.providers.base import Request
from plimsoll.providers.embedded.answer import GREETING, WHAT_I_AM, answer_text
from plimsoll.providers.embedded.overview import overview_globs, overview_reads
from plimsoll.providers.embedded.places import Evidence, answered_calls, evidence_in
from plimsoll.providers.embedded.ranking import standing
from plimsoll.providers.embedded.search import (
    Wanted,
    first_calls,
    loosened_calls,
    mention_calls,
    reading_calls,
)
from plimsoll.providers.embedded.summary import asks_for_summary, summary_text
from plimsoll.providers.embedded.terms import QuestionKind, SearchQuestion, understood

HEADING = "# Memories\n"
ENTRY = re.compile(r"^- \S+, (\d{4}-\d\d-\d\d), [^\n]*:\n((?:  >[^\n]*\n?)+)", re.MULTILINE)
"""A note in the frame: our line with its date, then its text on quoted lines."""
RECORD = "Asked: "
"""Begins the record of a session, which only repeats what was asked."""
MOST_NOTES = 3
LEAST_SHARE = 0.5
"""The share of the question's weight that the words of a note must have."""


@dataclass(frozen=True, slots=True)
class QuotedNote:
    """A note of an earlier conversation."""

    date: str
    text: str


def notes_in(messages: Sequence[Message]) -> list[QuotedNote]:
    """Return the notes that the conversation was told."""
    frames = (m.text for m in messages if m.framed and m.text.startswith(HEADING))
    told = (note for frame in frames for note in _entries(frame))
    return [note for note in told if not note.text.startswith(RECORD)]


def noted(notes: Sequence[QuotedNote], question: SearchQuestion) -> str:
    """Quote the notes that bear on a question, with their dates; empty when there is none."""
    if question.intent is not QuestionKind.SEARCH:
        return ""
    scored = [(_share(note, question), note) for note in notes]
    fitting = [each for each in scored if each[0] >= LEAST_SHARE]
    best = [note for _, note in sorted(fitting, key=lambda each: -each[0])[:MOST_NOTES]]
    return "\n\n".join(["From what is remembered:", *map(_quoted, best)]) if best else ""


def _entries(frame: str) -> Iterator[QuotedNote]:
    for match in ENTRY.finditer(frame):
        lines = (
            line.strip().removeprefix(">").strip()
            for line in match[2].removesuffix("\n").split("\n")
        )
        yield QuotedNote(match[1], "\n".join(lines))


def _share(note: QuotedNote, question: SearchQuestion) -> float:
    text = note.text.casefold()
    whole = sum(term.weight for term in question.terms)
    return sum(t.weight for t in question.terms if t.text.casefold() in text) / max(whole, 1.0)


def _quoted(note: QuotedNote) -> str:
    lines = "\n".join(f"> {line}" for line in note.text.split("\n"))
    return f"{lines}\n>\n> ({note.date})"


MOST_ROUNDS = 4
"""Search, search wider, search more loosely, read: then it answers, whatever was found."""


@dataclass(frozen=True, slots=True)
class NextStep:
    """What to say, and what to call; no calls: the answer."""

    text: str
    calls: tuple[Wanted, ...] = ()


def next_move(request: Request) -> NextStep:
    """Search, read or answer."""
    asked = _newest_user(request.messages)
    text = request.messages[asked].text if asked >= 0 else ""
    if asks_for_summary(text):
        return NextStep(summary_text(request.messages[:asked] or request.messages))
    question = understood(text, _question_before(request.messages, asked))
    if question.intent is QuestionKind.GREETING:
        return NextStep(GREETING)
    offered = {tool.name for tool in request.tools} if request.tool_choice == "auto" else set[str]()
    since_asked = request.messages[asked + 1 :]
    since = evidence_in(since_asked)
    made = {(call.name, canonical(call.arguments)) for call in answered_calls(since_asked)}
    wanted = [
        call
        for call in _wanted(since, question)
        if call.name in offered and (call.name, canonical(call.arguments)) not in made
    ]
    if wanted:
        return NextStep(_opening(since, question), tuple(wanted))
    evidence = _completed(since, request.messages)
    remembered = noted(notes_in(request.messages), question)
    if not remembered and not offered and not evidence.rounds:
        return NextStep(_without_tools())
    return NextStep(answer_text(evidence, question, remembered))


def _completed(since: Evidence, messages: Sequence[Message]) -> Evidence:
    """Add what was read before: a file that stands in view is not given again."""
    whole = evidence_in(messages)
    if not since.rounds:
        return whole
    found = {*since.files, *(line.path for line in since.found)}
    read = tuple(line for line in whole.read if line.path in found)
    return replace(since, read=since.read or read)


def _wanted(evidence: Evidence, question: SearchQuestion) -> list[Wanted]:
    if question.intent is QuestionKind.OVERVIEW:
        steps = (overview_globs(), overview_reads(evidence.files))
        return steps[evidence.rounds] if evidence.rounds < len(steps) else []
    if evidence.rounds == 0:
        return first_calls(question)
    if evidence.read or evidence.rounds >= MOST_ROUNDS:
        return []
    if question.intent is QuestionKind.FILES:
        return []
    if (
        question.intent is QuestionKind.SEARCH
        and evidence.rounds == 1
        and not _in_place(evidence, question)
    ):
        return mention_calls(question)
    if evidence.found or evidence.files:
        return reading_calls(evidence, question)
    return loosened_calls(question)


def _in_place(evidence: Evidence, question: SearchQuestion) -> bool:
    """Tell whether something was found in the kind of file that was asked for."""
    return any(standing(line.path, question) >= 1 for line in evidence.found)


def _opening(evidence: Evidence, question: SearchQuestion) -> str:
    if evidence.rounds:
        return ""
    looked = [*(term.shown for term in question.terms), *question.paths]
    return f"Looking for {', '.join(f'`{text}`' for text in looked)}.\n\n" if looked else ""


def _newest_user(messages: Sequence[Message]) -> int:
    places = [index for index, message in enumerate(messages) if _asks(message)]
    return places[-1] if places else -1


def _asks(message: Message) -> bool:
    """Tell whether a person says it: summaries, frames and pins stand in the user's place too."""
    return message.role is Role.USER and not (message.framed or message.summary)


def _question_before(messages: Sequence[Message], asked: int) -> str | None:
    """Return the nearest earlier question that had something to look for."""
    for message in reversed(messages[: max(asked, 0)]):
        if _asks(message) and understood(message.text).terms:
            return message.text
    return None


def _without_tools() -> str:
    return (
        "I may not use tools now, and nothing that tools found stands in this conversation, so I "
        f"have nothing to quote. Switch to a mode with tools and ask again.\n\n{WHAT_I_AM}\n"
    )
