"""Chooses the next step of the keyword search, as a pure function of the request."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from plimsoll.context.log.messages import Message, Role, canonical
from plimsoll.providers.base import Request
from plimsoll.providers.embedded.answer import (
    GREETING,
    WITHOUT_TOOLS,
    answer_text,
    remembered_text,
    summary_text,
)
from plimsoll.providers.embedded.overview import PATTERNS, telling_files
from plimsoll.providers.embedded.places import Evidence, answered_calls, evidence_in
from plimsoll.providers.embedded.ranking import KEYWORDS, ranked_spots
from plimsoll.providers.embedded.terms import (
    EXACT,
    STRONG,
    QuestionKind,
    SearchQuestion,
    Term,
    parse_question,
)

SPECIAL = re.compile(r"[\\.+*?()|\[\]{}^$]")
MOST_ROUNDS = 3
"""Search, search more loosely, read: after that it answers in any case."""
MOST_CALLS = 3
"""Most searches of a kind, or reads, in one round."""
WINDOW = 80
"""Lines that are read from the best line on."""
FILE_LINES = 400
"""Lines that are read of a file that the question names."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A tool call to make."""

    name: str
    arguments: dict[str, object]


@dataclass(frozen=True, slots=True)
class NextStep:
    """The text and calls of the next step; without calls it is the answer."""

    text: str
    calls: tuple[Wanted, ...] = ()


def next_move(request: Request) -> NextStep:
    """Choose the next step: search, read or answer."""
    messages = request.messages
    places = [index for index, message in enumerate(messages) if _is_asked(message)]
    asked = places[-1] if places else 0
    earlier = (messages[place].text for place in reversed(places[:-1]))
    before = next((text for text in earlier if parse_question(text).terms), None)
    question = parse_question(messages[asked].text if places else "", before)
    if question.kind is QuestionKind.GREETING:
        return NextStep(GREETING)
    if question.kind is QuestionKind.SUMMARY:
        return NextStep(summary_text(messages[:asked]))
    since = messages[asked + 1 :]
    evidence = evidence_in(since)
    offered = {tool.name for tool in request.tools} if request.tool_choice == "auto" else set[str]()
    made = {(call.name, canonical(call.arguments)) for call in answered_calls(since)}
    wanted = tuple(
        call
        for call in _next_calls(evidence, question)
        if call.name in offered and (call.name, canonical(call.arguments)) not in made
    )
    if wanted:
        looked = [*(f"`{term.word}`" for term in question.terms), *question.paths]
        opening = f"Looking for {', '.join(looked)}.\n\n" if looked else ""
        return NextStep("" if evidence.rounds else opening, wanted)
    evidence = _with_earlier(evidence, messages)
    remembered = remembered_text(messages, question)
    if not remembered and not offered and not evidence.rounds:
        return NextStep(WITHOUT_TOOLS)
    return NextStep(answer_text(evidence, question, remembered))


def _is_asked(message: Message) -> bool:
    """Tell whether a person said a message: summaries, frames and pins have the user's role too."""
    return message.role is Role.USER and not (message.framed or message.summary)


def _with_earlier(since: Evidence, messages: Sequence[Message]) -> Evidence:
    """Add the lines read for earlier questions, so that a file in view is not read again."""
    whole = evidence_in(messages)
    if not since.rounds:
        return whole
    found = {*since.files, *(line.path for line in since.found)}
    return replace(since, read=since.read or tuple(x for x in whole.read if x.path in found))


def _next_calls(evidence: Evidence, question: SearchQuestion) -> list[Wanted]:
    """Choose the calls of the next round; an empty list when it is time to answer."""
    kind, rounds = question.kind, evidence.rounds
    if rounds == 0:
        return list(_first_calls(question))
    if evidence.read or rounds >= MOST_ROUNDS or kind is QuestionKind.FILES:
        return []
    if kind is QuestionKind.OVERVIEW:
        return [_reading(path, 1, 2 * WINDOW) for path in telling_files(evidence.files)]
    if evidence.found or evidence.files:
        best = ranked_spots(evidence, question)[0]
        return [_reading(best.path, best.best.number if best.best else 1, WINDOW)]
    beginnings = dict.fromkeys(_escape(term.text[:5]) for term in question.terms)
    names = [f"**/{path.rpartition('/')[2]}" for path in question.paths]
    return [*([_grep("|".join(beginnings))] if beginnings else []), *map(_glob, names[:MOST_CALLS])]


def _first_calls(question: SearchQuestion) -> Iterator[Wanted]:
    match question.kind:
        case QuestionKind.OVERVIEW:
            yield from map(_glob, PATTERNS)
        case QuestionKind.FILES:
            yield from map(_glob, _file_patterns(question))
        case QuestionKind.FILE:
            yield from (_reading(path, 1, FILE_LINES) for path in question.paths[:MOST_CALLS])
        case _:
            yield from _searches(question)


def _searches(question: SearchQuestion) -> Iterator[Wanted]:
    """Search for definitions, for lines with two of the words, and for files with such names."""
    strong = _strong_terms(question)
    words = "|".join(_escape(term.text) for term in strong)
    name = rf"\w*({words})\w*"
    yield _grep(rf"\b({KEYWORDS})\s+{name}|^{name}\s*(:[^=]*)?=")
    terms = [_escape(term.text) for term in question.terms[:4]]
    joined = [f"{one}.*{other}" for one in terms for other in terms if one != other]
    if joined:
        yield _grep("|".join(joined))
    if question.wants_uses or question.wants_docs or any(term.weight >= EXACT for term in strong):
        yield _grep(words)
    yield from map(_glob, _named_files(question))


def _strong_terms(question: SearchQuestion) -> list[Term]:
    """Choose the terms worth a search of their own; weak ones only if there are no others."""
    strong = [term for term in question.terms if term.weight >= STRONG]
    return strong or list(question.terms)


def _named_files(question: SearchQuestion) -> list[str]:
    words = [t.text for t in question.terms if t.weight >= STRONG and re.match(r"[\w-]+$", t.text)]
    paths = [f"**/{path}" for path in question.paths[:MOST_CALLS]]
    return [*paths, *(f"**/*{word}*" for word in words[:MOST_CALLS])]


def _file_patterns(question: SearchQuestion) -> list[str]:
    endings = re.findall(r"(?<!\w)\*?\.([A-Za-z]{1,5})\b", question.text)
    tests = ["**/*test*"] if question.wants_tests else []
    documents = ["**/*.md"] if question.wants_docs else []
    kinds = [f"**/*.{ending}" for ending in endings]
    return [*kinds, *_named_files(question), *tests, *documents][:MOST_CALLS] or ["*"]


def _grep(pattern: str) -> Wanted:
    return Wanted("grep", {"pattern": pattern, "ignore_case": True})


def _glob(pattern: str) -> Wanted:
    return Wanted("glob", {"pattern": pattern})


def _reading(path: str, first: int, lines: int) -> Wanted:
    return Wanted("file_read", {"path": path, "offset": first, "limit": lines})


def _escape(text: str) -> str:
    # Only what every dialect of regular expressions takes: ripgrep refuses needless escapes.
    return SPECIAL.sub(r"\\\g<0>", text)
