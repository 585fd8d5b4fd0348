"""What the notes from earlier conversations say about a question."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plimsoll.context.log.messages import Message
from plimsoll.providers.embedded.terms import QuestionKind, SearchQuestion

HEADING = "# Memories\n"
ENTRY = re.compile(r"^- \S+, (\d{4}-\d\d-\d\d), [^\n]*:\n((?:  >[^\n]*\n?)+)", re.MULTILINE)
"""A note in the frame: our line with its date, then its text on quoted lines."""
RECORD = "Asked: "
"""Begins the record of a session, which only repeats what was asked."""
MOST_NOTES = 3
LEAST_SHARE = 0.5
"""Of the question's weight, in words that a note has too."""


@dataclass(frozen=True, slots=True)
class QuotedNote:
    """A note of an earlier conversation."""

    date: str
    text: str


def notes_in(messages: Sequence[Message]) -> list[QuotedNote]:
    """The notes that the conversation was told."""
    frames = (m.text for m in messages if m.framed and m.text.startswith(HEADING))
    told = (note for frame in frames for note in _entries(frame))
    return [note for note in told if not note.text.startswith(RECORD)]


def noted(notes: Sequence[QuotedNote], question: SearchQuestion) -> str:
    """The notes that bear on a question, quoted with their dates; empty when there is none."""
    if question.intent is not QuestionKind.SEARCH:
        return ""
    scored = [(_share(note, question), note) for note in notes]
    fitting = [each for each in scored if each[0] >= LEAST_SHARE]
    best = [note for _, note in sorted(fitting, key=lambda each: -each[0])[:MOST_NOTES]]
    return "\n\n".join(["From what is remembered:", *map(_quoted, best)]) if best else ""


def _entries(frame: str) -> Iterator[QuotedNote]:
    for match in ENTRY.finditer(frame):
        lines = (line.strip().removeprefix(">").strip() for line in match[2].splitlines())
        yield QuotedNote(match[1], "\n".join(lines))


def _share(note: QuotedNote, question: SearchQuestion) -> float:
    text = note.text.casefold()
    whole = sum(term.weight for term in question.terms)
    return sum(t.weight for t in question.terms if t.text.casefold() in text) / max(whole, 1.0)


def _quoted(note: QuotedNote) -> str:
    lines = "\n".join(f"> {line}" for line in note.text.splitlines())
    return f"{lines}\n>\n> ({note.date})"
