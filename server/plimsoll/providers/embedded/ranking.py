"""Ranks lines and files by how well they answer a question.

A definition counts more than a mention, several words near each other more than one, a file's name
more than its text, and source more than tests, documents and generated files, unless those were
asked for.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from plimsoll.providers.embedded.places import Evidence, SourceLine
from plimsoll.providers.embedded.terms import SearchQuestion, Term, split_name, stem

KEYWORDS = (
    "def|class|function|func|fn|const|let|var|type|interface|enum|struct|trait|impl|namespace"
)
DEFINITION = re.compile(rf"^\s*(?:[\w@]+\s+){{0,3}}?(?:{KEYWORDS})\s+\*?(\w+)")
FUNCTION = re.compile(r"^\s*(?:[\w@]+\s+){0,3}?(?:def|function|func|fn)\s")
ASSIGNMENT = re.compile(r"^(?:export\s+)?([A-Za-z_]\w*)\s*(?::[^=]+)?=[^=]")
COMMENT = re.compile(r"^\s*(?:#|//|/\*|\*|--|<!--)")
TEST_PATH = re.compile(
    r"(?:^|/)(?:tests?|spec|e2e|fixtures|__tests__)/|(?:^|/)test_|[._-](?:test|spec)\."
)
DOC_PATH = re.compile(r"(?:^|/)docs?/|\.(?:md|rst|txt|adoc)$", re.IGNORECASE)
BULK_PATH = re.compile(
    r"(?:^|/)(?:node_modules|dist|build|vendor|out|target)/|\.(?:lock|json|jsonl|csv|svg|map|snap|sse|log)$"
    r"|\.min\.|generated|lock\.",
    re.IGNORECASE,
)
LEAST_REPEATED = 20
"""Characters of a question from which a line that contains it counts as a repetition."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A file worth reading, with its best line; no line if only its name was found."""

    path: str
    best: SourceLine | None
    score: float


def line_score(line: SourceLine, question: SearchQuestion) -> float:
    """Score how well a single line answers; 0 if it repeats the question."""
    if repeats(line, question):
        return 0.0
    text = line.text.lower()
    hits = [term for term in question.terms if term.text in text]
    score = sum(term.weight for term in hits) + 2.0 * max(0, len(hits) - 1)
    if name := defined_name(line.text):
        score += _definition_weight(line.text, question) * sum(
            _name_score(name, term) for term in question.terms
        )
    return score * 0.7 if COMMENT.match(line.text) else score


def repeats(line: SourceLine, question: SearchQuestion) -> bool:
    """Tell whether a line of a test or document only repeats the question."""
    asked = question.text.strip(" ?").lower()
    return len(asked) > LEAST_REPEATED and asked in line.text.lower()


def weigh_terms(question: SearchQuestion, evidence: Evidence) -> SearchQuestion:
    """Lower the weight of words that many of the found files have."""

    def weight(term: Term) -> float:
        files = {line.path for line in evidence.found if term.text in line.text.lower()}
        return term.weight / (1 + 0.5 * math.log10(max(1, len(files))))

    terms = tuple(replace(term, weight=weight(term)) for term in question.terms)
    return replace(question, terms=terms)


def defined_name(text: str) -> str | None:
    """Return the name that a line defines, if it looks like a definition."""
    match = DEFINITION.match(text) or ASSIGNMENT.match(text)
    return match[1] if match else None


def _definition_weight(text: str, question: SearchQuestion) -> float:
    if question.wants_uses:
        return 0.5
    if FUNCTION.match(text):
        return 6.0 if question.wants_function else 4.5
    return 4.0 if DEFINITION.match(text) else 2.5


def kind_weight(path: str, question: SearchQuestion) -> float:
    """Weigh a file by its kind: less for kinds that were not asked for."""
    if BULK_PATH.search(path):
        return 0.2
    test, document = bool(TEST_PATH.search(path)), bool(DOC_PATH.search(path))
    if question.wants_tests or question.wants_docs:
        asked = (test and question.wants_tests) or (document and question.wants_docs)
        return 1.0 if asked else 0.5
    return 0.35 if test or document else 1.0


def group_by_file(lines: Iterable[SourceLine]) -> dict[str, list[SourceLine]]:
    """Group lines by file."""
    gathered: dict[str, list[SourceLine]] = defaultdict(list)
    for line in lines:
        gathered[line.path].append(line)
    return gathered


def ranked_spots(evidence: Evidence, question: SearchQuestion) -> list[Spot]:
    """Return the best place in every file found, best first."""
    question = weigh_terms(question, evidence)
    lines = group_by_file(evidence.found)
    named = dict.fromkeys(path for path in evidence.files if path not in lines)
    spots = [_best_in(path, lines.get(path, []), question) for path in (*lines, *named)]
    return sorted(spots, key=lambda spot: (-spot.score, spot.path))


def _best_in(path: str, lines: Sequence[SourceLine], question: SearchQuestion) -> Spot:
    """Score a file by its best line, its coverage of the question, and its path."""
    scores = {line: line_score(line, question) for line in lines}
    best = max(scores, key=lambda line: (scores[line], -line.number), default=None)
    said = "\n".join((path, *(line.text for line in lines))).lower()
    covered = sum(term.weight for term in question.terms if lines and term.text in said)
    whole = sum(term.weight for term in question.terms) or 1.0
    score = 4.0 * covered / whole + _path_score(path, question) + (scores[best] if best else 0.0)
    return Spot(path, best, score * kind_weight(path, question))


def _path_score(path: str, question: SearchQuestion) -> float:
    pure = PurePosixPath(path)
    folder = str(pure.parent).lower()
    return sum(4.0 * _name_score(pure.stem, t) + (t.text in folder) for t in question.terms)


def _name_score(name: str, term: Term) -> float:
    """Score 1 if the name is the word, less if it contains the word."""
    if name.lower() == term.text:
        return term.weight
    words = [stem(word) for word in split_name(name)]
    if term.text in words:
        return term.weight * (0.6 + 0.4 / len(words))
    return 0.4 * term.weight if term.text in name.lower() else 0.0
