"""The answer in Markdown: quoted lines, each with its path and number."""

import re
from collections.abc import Sequence

from plimsoll.context.log.messages import Message, Role
from plimsoll.providers.embedded.overview import telling_files, telling_lines
from plimsoll.providers.embedded.places import Evidence, SourceLine, answered_calls
from plimsoll.providers.embedded.ranking import (
    defined_name,
    group_by_file,
    ranked_spots,
    repeats,
)
from plimsoll.providers.embedded.terms import QuestionKind, SearchQuestion

WHAT_I_AM = (
    "No AI model is connected: this answer is a keyword search. To connect one, run `plimsoll "
    "connect`, or in VS Code “Plimsoll: Connect a Model”."
)
GREETING = (
    "Hello. This is a keyword search: it quotes what it finds in this folder. Ask what the "
    "project does and where it starts, where something is defined, computed or tested, which "
    f"files there are, or what a file holds.\n\n{WHAT_I_AM}"
)
WITHOUT_TOOLS = (
    "I may not use tools now, and nothing that tools found stands in this conversation, so I "
    f"have nothing to quote. Switch to a mode with tools and ask again.\n\n{WHAT_I_AM}\n"
)
NO_CHANGE = "I cannot change files or run anything; this is where I would look:"
NOTES_HEADING = "# Memories\n"
NOTE = re.compile(
    r"^- \S+, (\d{4}-\d\d-\d\d), \w+(?: by (\S+) \(a colleague\))?[^\n]*:\n((?:  >[^\n]*\n?)+)",
    re.MULTILINE,
)
"""A memory in the frame of memories: our line with its date and a colleague's name, then its text
on quoted lines."""
RECORD = "Asked: "
"""Begins the digest of a session, which only repeats what was asked."""
MOST_NOTES = 3
LEAST_SHARE = 0.5
"""The least share of the question's weight that the words of a memory must match."""
MOST_QUOTED_FILES = 8
FARTHEST = 0.25
"""Files with less than this share of the best file's score are left out."""
MOST_FILES = 40
MOST_SUMMED_UP = 8
LONGEST_QUOTE = 200
OUTLINE = 25
BODY_LINES = 6
"""Lines that are quoted after the best line."""


def answer_text(evidence: Evidence, question: SearchQuestion, remembered: str = "") -> str:
    """Write the answer from the evidence, after the ``remembered`` text."""
    match question.kind:
        case QuestionKind.FILES if evidence.files:
            body = _file_list(evidence, question)
        case QuestionKind.OVERVIEW if evidence.read:
            read = group_by_file(evidence.read)
            body = _sections([telling_lines(path, read[path]) for path in telling_files(read)])
        case QuestionKind.FILE if evidence.read:
            read = group_by_file(evidence.read).items()
            body = _sections([(f"`{path}` holds:", _outline(lines)) for path, lines in read])
        case _:
            found = _quotes(evidence, question)
            body = "\n\n".join(part for part in (remembered, found) if part)
    body = body or _nothing_found(question)
    if question.wants_change:
        body = f"{NO_CHANGE}\n\n{body}"
    return f"{body}\n\n{WHAT_I_AM}\n"


def remembered_text(messages: Sequence[Message], question: SearchQuestion) -> str:
    """Quote the memories in the conversation that match a question, with colleague and date."""
    if question.kind is not QuestionKind.SEARCH:
        return ""
    frames = (m.text for m in messages if m.framed and m.text.startswith(NOTES_HEADING))
    notes = [match.groups() for frame in frames for match in NOTE.finditer(frame)]
    whole = sum(term.weight for term in question.terms) or 1.0
    fitting: list[tuple[float, str]] = []
    for date, colleague, text in notes:
        lines = [line.strip().removeprefix(">").strip() for line in text.strip("\n").split("\n")]
        said = sum(term.weight for term in question.terms if term.text in text.casefold())
        if said / whole >= LEAST_SHARE and not lines[0].startswith(RECORD):
            quoted = "\n".join(f"> {line}" for line in lines)
            origin = f"{colleague}, {date}" if colleague else date
            fitting.append((said, f"{quoted}\n>\n> ({origin})"))
    best = [text for _, text in sorted(fitting, key=lambda each: -each[0])[:MOST_NOTES]]
    return "\n\n".join(["From what is remembered:", *best]) if best else ""


def summary_text(messages: Sequence[Message]) -> str:
    """Summarise a conversation: the questions, and the files that tools read or changed."""
    asked = [m.text for m in messages if m.role is Role.USER and not (m.framed or m.summary)]
    used = [
        f"{call.name} {call.arguments.get('path') or call.arguments.get('command')}"
        for call in answered_calls(messages)
        if call.arguments.get("path") or call.arguments.get("command")
    ]
    sections = {"What was asked": asked, "What tools did": used}
    parts = (
        "\n".join([f"## {title}", *(f"- {_shorten(' '.join(x.split()))}" for x in latest)])
        for title, items in sections.items()
        if (latest := list(dict.fromkeys(items))[-MOST_SUMMED_UP:])
    )
    return "\n\n".join([*parts, WHAT_I_AM]) + "\n"


def quoted_line(line: SourceLine) -> str:
    """Format a line as a bullet with its place and code, escaping backticks."""
    text = _shorten("".join(c if c.isprintable() else " " for c in line.text.strip()))
    fence = "`" * (1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    pad = " " if "`" in text else ""
    return f"- `{line.path}:{line.number}` {fence}{pad}{text}{pad}{fence}"


def _shorten(text: str) -> str:
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…"


def _sections(parts: Sequence[tuple[str, Sequence[SourceLine]]]) -> str:
    written = ("\n".join([title, "", *map(quoted_line, lines)]) for title, lines in parts if lines)
    return "\n\n".join(written)


def _quotes(evidence: Evidence, question: SearchQuestion) -> str:
    """Quote the best line of every good file, then the lines after the best of all."""
    spots = ranked_spots(evidence, question)[:MOST_QUOTED_FILES]
    places = [s.best for s in spots if s.best and s.score >= FARTHEST * spots[0].score]
    read = [line for line in evidence.read if line not in places and _is_quotable(line, question)]
    sections = [("The best matches:", places)]
    sections += [
        (f"In `{path}`:", lines[:BODY_LINES]) for path, lines in group_by_file(read).items()
    ]
    return _sections(sections)


def _is_quotable(line: SourceLine, question: SearchQuestion) -> bool:
    return bool(line.text.strip()) and not repeats(line, question)


def _file_list(evidence: Evidence, question: SearchQuestion) -> str:
    ranked = [spot.path for spot in ranked_spots(evidence, question)]
    listed = "\n".join(f"- `{path}`" for path in ranked[:MOST_FILES])
    rest = len(ranked) - MOST_FILES
    more = f"\n\n{rest} more are not shown." if rest > 0 else ""
    counted = "1 file matches" if len(ranked) == 1 else f"{len(ranked)} files match"
    return f"{counted}:\n\n{listed}{more}"


def _outline(lines: Sequence[SourceLine]) -> list[SourceLine]:
    """Return a file's first lines, and its headings or outer definitions."""
    first = [line for line in lines if line.text.strip()][:3]
    marks = (line for line in lines if _is_landmark(line))
    return sorted({*first, *list(marks)[:OUTLINE]}, key=lambda line: line.number)


def _is_landmark(line: SourceLine) -> bool:
    if line.path.endswith(".md"):
        return line.text.startswith("#")
    outer = not line.text.startswith((" " * 8, "\t\t"))
    return outer and defined_name(line.text) is not None


def _nothing_found(question: SearchQuestion) -> str:
    looked = ", ".join(f"`{text}`" for text in (*(t.word for t in question.terms), *question.paths))
    return (
        f"I found nothing for {looked or 'it'} in this workspace. Try a name that stands in the "
        "code, put an exact text in quotes, or ask which files there are."
    )
