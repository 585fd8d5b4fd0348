"""The tool calls that look for an answer."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from plimsoll.providers.embedded.places import Evidence
from plimsoll.providers.embedded.ranking import KEYWORDS, WINDOW, best_spots
from plimsoll.providers.embedded.terms import EXACT, STRONG, QuestionKind, SearchQuestion, Term

SPECIAL = re.compile(r"[\\.+*?()|\[\]{}^$]")
OUTLINE_LINES = 400
MOST_GLOBS = 3


@dataclass(frozen=True, slots=True)
class Wanted:
    """A tool call to make."""

    name: str
    arguments: dict[str, object] = field(default_factory=dict[str, object])


def first_calls(question: SearchQuestion) -> list[Wanted]:
    """Choose where to look first."""
    match question.intent:
        case QuestionKind.FILES:
            return [Wanted("glob", {"pattern": pattern}) for pattern in _file_patterns(question)]
        case QuestionKind.FILE:
            return [_reading(path, 1, OUTLINE_LINES) for path in question.paths[:MOST_GLOBS]]
        case _:
            return list(_searches(question))


def mention_calls(question: SearchQuestion) -> list[Wanted]:
    """Search every line with one of the words: dear, so only if no source defines or joins them."""
    words = "|".join(_escaped(term.text) for term in _strong(question))
    return [_grep(words)] if words else []


def loosened_calls(question: SearchQuestion) -> list[Wanted]:
    """Choose where to look when nothing was found: shorter beginnings, and names of files."""
    beginnings = [_escaped(term.text[:5]) for term in question.terms]
    calls = [_grep("|".join(dict.fromkeys(beginnings)))] if beginnings else []
    names = [path.rpartition("/")[2] for path in question.paths]
    return calls + [Wanted("glob", {"pattern": f"**/{name}"}) for name in names[:MOST_GLOBS]]


def reading_calls(evidence: Evidence, question: SearchQuestion) -> list[Wanted]:
    """Choose what to read of what was found."""
    return [_reading(spot.path, spot.first, WINDOW) for spot in best_spots(evidence, question)]


def _searches(question: SearchQuestion) -> Iterator[Wanted]:
    strong = _strong(question)
    words = "|".join(_escaped(term.text) for term in strong)
    name = rf"\w*({words})\w*"
    yield _grep(rf"\b({KEYWORDS})\s+{name}|^{name}\s*(:[^=]*)?=")
    if together := _together(question):
        yield _grep(together)
    if question.wants_uses or question.wants_docs or any(term.weight >= EXACT for term in strong):
        yield _grep(words)
    for term in strong[:MOST_GLOBS]:
        if _names_files(term):
            yield Wanted("glob", {"pattern": f"**/*{term.text}*"})
    for path in question.paths[:MOST_GLOBS]:
        yield Wanted("glob", {"pattern": f"**/{path}"})


def _strong(question: SearchQuestion) -> list[Term]:
    """Choose the terms worth a search of their own; weak ones only if there is nothing else."""
    strong = [term for term in question.terms if term.weight >= STRONG]
    return strong or list(question.terms)


def _together(question: SearchQuestion) -> str | None:
    pairs = [
        (_escaped(one.text), _escaped(other.text))
        for index, one in enumerate(question.terms[:4])
        for other in question.terms[index + 1 : 4]
    ]
    return "|".join(f"{one}.*{other}|{other}.*{one}" for one, other in pairs) or None


def _file_patterns(question: SearchQuestion) -> list[str]:
    kinds = re.findall(r"(?<!\w)\*?\.([A-Za-z]{1,5})\b", question.text)
    named = [f"**/{path}" for path in question.paths]
    words = [f"**/*{term.text}*" for term in question.terms if _names_files(term)]
    kinds_asked = [f"**/*.{kind}" for kind in kinds]
    tests = ["**/*test*"] if question.wants_tests else []
    documents = ["**/*.md"] if question.wants_docs else []
    return [*kinds_asked, *named, *words, *tests, *documents][:MOST_GLOBS] or ["*"]


def _names_files(term: Term) -> bool:
    return term.weight >= STRONG and re.fullmatch(r"[\w-]+", term.text) is not None


def _grep(pattern: str) -> Wanted:
    return Wanted("grep", {"pattern": pattern, "ignore_case": True})


def _reading(path: str, first: int, lines: int) -> Wanted:
    return Wanted("file_read", {"path": path, "offset": first, "limit": lines})


def _escaped(text: str) -> str:
    # Only what every dialect of regular expressions takes: ripgrep refuses needless escapes.
    return SPECIAL.sub(r"\\\g<0>", text)
