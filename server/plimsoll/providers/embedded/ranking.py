"""Which lines and files answer a question best; pure arithmetic on words.

A definition beats a mention, several words near each other beat one, a file whose name says it
beats one whose text does, and source beats tests, documents and generated files, unless those
were asked for.
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
ASSIGNMENT = re.compile(r"^(?:export\s+)?([A-Za-z_]\w*)\s*(?::[^=]+)?=[^=]")
FUNCTION = re.compile(r"^\s*(?:[\w@]+\s+){0,3}?(?:def|function|func|fn)\s")
COMMENT = re.compile(r"^\s*(?:#|//|/\*|\*|--|<!--)")
COMPUTATION = re.compile(r"(?<![=!<>])=(?!=).*(?:[-+*/%]|\bmin\b|\bmax\b|\bsum\b)|^\s*return\b")
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
"""Characters of a question from which a line that holds it is a repetition."""
NEAR = 10
"""Lines within which words count as said together."""
WINDOW = 80
"""Lines that are read around a spot."""
MOST_READS = 3


@dataclass(frozen=True, slots=True)
class Spot:
    """A stretch of a file worth reading."""

    path: str
    first: int
    score: float


def line_score(line: SourceLine, question: SearchQuestion) -> float:
    """Score how well a single line answers."""
    text = line.text.lower()
    if repeats(line, question):
        return 0.0
    hits = [term for term in question.terms if term.text in text]
    score = sum(term.weight for term in hits) + 2.0 * max(0, len(hits) - 1)
    if (name := defined_name(line.text)) is not None:
        factor = 0.5 if question.wants_uses else 4.0
        if question.wants_reckoning and FUNCTION.match(line.text):
            factor = 6.0
        score += factor * sum(_name_score(name, term) for term in question.terms)
    return score * 0.7 if COMMENT.match(line.text) else score


def repeats(line: SourceLine, question: SearchQuestion) -> bool:
    """Tell whether a line, of a test or a document, holds the question: that answers nothing."""
    asked = question.text.strip(" ?").lower()
    return len(asked) > LEAST_REPEATED and asked in line.text.lower()


def reckons(line: SourceLine) -> bool:
    """Tell whether a line computes something."""
    return bool(COMPUTATION.search(line.text)) and not COMMENT.match(line.text)


def weighed(question: SearchQuestion, evidence: Evidence) -> SearchQuestion:
    """Lower the weight of common words in the question, as far as the found lines tell."""
    files: dict[str, set[str]] = defaultdict(set)
    for line in evidence.found:
        for term in question.terms:
            if term.text in line.text.lower():
                files[term.text].add(line.path)
    terms = (
        replace(term, weight=term.weight / (1 + 0.5 * math.log10(max(1, len(files[term.text])))))
        for term in question.terms
    )
    return replace(question, terms=tuple(terms))


def defined_name(text: str) -> str | None:
    """Return the name that a line defines, if it looks like a definition."""
    match = DEFINITION.match(text) or ASSIGNMENT.match(text)
    return match[1] if match else None


def file_score(path: str, question: SearchQuestion) -> float:
    """Score how well a path answers by itself."""
    pure = PurePosixPath(path)
    score = 0.0
    for term in question.terms:
        score += 4.0 * _name_score(pure.stem, term)
        score += 1.0 * (term.text in str(pure.parent).lower())
    return score


def standing(path: str, question: SearchQuestion) -> float:
    """Weigh a kind of file: what was not asked for counts little."""
    if BULK_PATH.search(path):
        return 0.2
    test, document = bool(TEST_PATH.search(path)), bool(DOC_PATH.search(path))
    if question.wants_tests or question.wants_docs:
        asked = (test and question.wants_tests) or (document and question.wants_docs)
        return 1.0 if asked else 0.5
    return 0.35 if test or document else 1.0


def best_spots(evidence: Evidence, question: SearchQuestion, most: int = MOST_READS) -> list[Spot]:
    """Choose the stretches to read, best first, at most one a file."""
    question = weighed(question, evidence)
    by_file: dict[str, list[SourceLine]] = defaultdict(list)
    for line in evidence.found:
        by_file[line.path].append(line)
    spots = [_best_in(path, lines, question) for path, lines in by_file.items()]
    named = (path for path in evidence.files if path not in by_file)
    spots += [Spot(path, 1, _file_alone(path, question)) for path in named]
    spots.sort(key=lambda spot: (-spot.score, spot.path))
    if not spots:
        return []
    # A file far behind the best one only adds noise to the answer.
    return [spot for spot in spots[:most] if spot.score >= spots[0].score * 0.4 or spot is spots[0]]


def _best_in(path: str, lines: Sequence[SourceLine], question: SearchQuestion) -> Spot:
    scores = {line.number: line_score(line, question) for line in lines}
    best, first = 0.0, lines[0].number
    for line in lines:
        inside = [n for n in scores if line.number <= n < line.number + WINDOW - 4]
        near = _said_together(
            [other for other in lines if abs(other.number - line.number) <= NEAR], question
        )
        score = (
            scores[line.number]
            + 0.3 * sum(sorted((scores[n] for n in inside), reverse=True)[:5])
            + near
        )
        if score > best:
            best, first = score, line.number
    covered = _covered(path, lines, question)
    score = best + 4.0 * covered + file_score(path, question)
    return Spot(path, max(1, first - 4), score * standing(path, question))


def _file_alone(path: str, question: SearchQuestion) -> float:
    return file_score(path, question) * standing(path, question)


def _covered(path: str, lines: Sequence[SourceLine], question: SearchQuestion) -> float:
    """Return the part of the question's words that the file speaks of, from 0 to 1."""
    text = "\n".join([path.lower(), *(line.text.lower() for line in lines)])
    all_of_it = sum(term.weight for term in question.terms) or 1.0
    return sum(term.weight for term in question.terms if term.text in text) / all_of_it


def _said_together(lines: Iterable[SourceLine], question: SearchQuestion) -> float:
    text = "\n".join(line.text.lower() for line in lines)
    return 3.0 * max(0, sum(term.text in text for term in question.terms) - 1)


def _name_score(name: str, term: Term) -> float:
    """Score 1 where the name is the word, less where the word is a part of it."""
    if name.lower() == term.text:
        return term.weight
    words = [stem(word) for word in split_name(name)]
    if term.text in words:
        return term.weight * (0.6 + 0.4 / len(words))
    return 0.4 * term.weight if term.text in name.lower() else 0.0
