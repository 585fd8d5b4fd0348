"""The answer in Markdown: quoted lines, each with its path and number."""

import re
from collections import defaultdict
from collections.abc import Sequence

from plimsoll.providers.embedded.overview import overview_places
from plimsoll.providers.embedded.places import Evidence, SourceLine
from plimsoll.providers.embedded.ranking import (
    best_spots,
    defined_name,
    file_score,
    line_score,
    reckons,
    repeats,
    standing,
    weighed,
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
NO_CHANGE = "I cannot change files or run anything; this is where I would look:"
QUOTES_A_FILE = 6
QUOTES_OF_OTHERS = 3
MOST_FILES = 40
MOST_MENTIONS = 6
LONGEST_QUOTE = 200
OUTLINE = 25
BODY_LINES = 40


def answer_text(evidence: Evidence, question: SearchQuestion, remembered: str = "") -> str:
    """Write the answer from what was found and read; what is ``remembered`` comes first."""
    if question.intent is QuestionKind.FILES and evidence.files:
        body = _file_list(evidence, question)
    elif question.intent is QuestionKind.OVERVIEW and (parts := overview_places(evidence)):
        body = "\n\n".join(
            "\n".join([title, "", *map(quoted_line, lines)]) for title, lines in parts
        )
    elif question.intent is QuestionKind.FILE and evidence.read:
        body = _outlines(evidence)
    else:
        found = _quotes(evidence, question)
        body = "\n\n".join(part for part in (remembered, found) if part) or _nothing(question)
    if question.wants_change:
        body = f"{NO_CHANGE}\n\n{body}"
    return f"{body}\n\n{WHAT_I_AM}\n"


def quoted_line(line: SourceLine) -> str:
    """Write a bullet with the place and the code, whatever backticks it holds."""
    text = "".join(c if c.isprintable() else " " for c in line.text.strip())
    if len(text) > LONGEST_QUOTE:
        text = text[: LONGEST_QUOTE - 1] + "…"
    fence = "`" * (1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    pad = " " if "`" in text else ""
    return f"- `{line.path}:{line.number}` {fence}{pad}{text}{pad}{fence}"


def _quotes(evidence: Evidence, question: SearchQuestion) -> str:
    by_file: dict[str, list[SourceLine]] = defaultdict(list)
    for line in evidence.read or evidence.found:
        by_file[line.path].append(line)
    order = [spot.path for spot in best_spots(evidence, question, len(by_file) + 1)]
    question = weighed(question, evidence)
    paths = sorted(by_file, key=lambda p: (order.index(p) if p in order else len(order), p))
    sections: list[str] = []
    for path in paths[:4]:
        most = QUOTES_OF_OTHERS if sections else QUOTES_A_FILE
        chosen = _chosen(by_file[path], question, most)
        if not chosen and file_score(path, question) > 0:
            chosen = _landmarks(path, by_file[path])[:most]
        if chosen:
            title = f"Also in `{path}`:" if sections else f"The best match is in `{path}`:"
            sections.append("\n".join([title, "", *map(quoted_line, chosen)]))
    if mentions := _mentions(evidence, question, paths[:4]) if sections else "":
        sections.append(mentions)
    return "\n\n".join(sections)


def _chosen(lines: Sequence[SourceLine], question: SearchQuestion, most: int) -> list[SourceLine]:
    """Choose the lines to quote, in file order: the best, and what explains the best of them."""
    scored = {line: line_score(line, question) for line in lines if line.text.strip()}
    ranked = sorted(scored, key=lambda line: (-scored[line], line.number))
    least = max(1.0, 0.3 * scored[ranked[0]]) if ranked else 0.0
    best = [line for line in ranked if scored[line] >= least]
    body = _explaining(lines, best[0], question) if best else []
    kept = [*best[: most - len(body)], *body]
    return sorted(dict.fromkeys(kept), key=lambda line: line.number)


def _explaining(
    lines: Sequence[SourceLine], best: SourceLine, question: SearchQuestion
) -> list[SourceLine]:
    """Return what explains a definition: its first line, and what it computes if asked."""
    if defined_name(best.text) is None:
        return []
    below = [line for line in lines if best.number < line.number <= best.number + BODY_LINES]
    end = next((n for n, line in enumerate(below) if _same_level(line, best)), len(below))
    body = [line for line in below[:end] if line.text.strip() and not repeats(line, question)]
    reckoned = [line for line in body if reckons(line)] if question.wants_reckoning else []
    return list(dict.fromkeys([*body[:1], *reckoned[:3]]))


def _same_level(line: SourceLine, other: SourceLine) -> bool:
    indent = len(other.text) - len(other.text.lstrip())
    own = len(line.text) - len(line.text.lstrip())
    return bool(line.text.strip()) and own <= indent and line.text.lstrip()[:1] not in ")}]"


def _mentions(evidence: Evidence, question: SearchQuestion, shown: Sequence[str]) -> str:
    others: dict[str, SourceLine] = {}
    for line in evidence.found:
        best = others.get(line.path)
        if line.path not in shown and (
            best is None or line_score(line, question) > line_score(best, question)
        ):
            others[line.path] = line
    ranked = sorted(
        others.values(),
        key=lambda line: (-_mention_score(line, question), line.path),
    )
    places = ", ".join(f"`{line.path}:{line.number}`" for line in ranked[:MOST_MENTIONS])
    return f"Mentioned too at {places}." if places else ""


def _mention_score(line: SourceLine, question: SearchQuestion) -> float:
    score = line_score(line, question) + file_score(line.path, question)
    return score * standing(line.path, question)


def _file_list(evidence: Evidence, question: SearchQuestion) -> str:
    ranked = sorted(
        evidence.files,
        key=lambda path: (-file_score(path, question) * standing(path, question), path),
    )
    listed = "\n".join(f"- `{path}`" for path in ranked[:MOST_FILES])
    rest = len(ranked) - MOST_FILES
    more = f"\n\n{rest} more are not shown." if rest > 0 else ""
    one = len(ranked) == 1
    return f"{len(ranked)} file{'' if one else 's'} match{'es' if one else ''}:\n\n{listed}{more}"


def _outlines(evidence: Evidence) -> str:
    by_file: dict[str, list[SourceLine]] = defaultdict(list)
    for line in evidence.read:
        by_file[line.path].append(line)
    return "\n\n".join(_outline(path, lines) for path, lines in by_file.items())


def _outline(path: str, lines: Sequence[SourceLine]) -> str:
    first = [line for line in lines if line.text.strip()][:3]
    chosen = sorted({*first, *_landmarks(path, lines)}, key=lambda line: line.number)
    return "\n".join([f"`{path}` holds:", "", *map(quoted_line, chosen)])


def _landmarks(path: str, lines: Sequence[SourceLine]) -> list[SourceLine]:
    """Return a document's headings, or what a source file defines at its outer levels."""
    if path.endswith(".md"):
        return [line for line in lines if line.text.startswith("#")][:OUTLINE]
    marks = (line for line in lines if defined_name(line.text) is not None)
    return [line for line in marks if not line.text.startswith((" " * 8, "\t\t"))][:OUTLINE]


def _nothing(question: SearchQuestion) -> str:
    looked = ", ".join(f"`{term.shown}`" for term in question.terms)
    named = ", ".join(f"`{path}`" for path in question.paths)
    what = " and ".join(part for part in (looked, named) if part) or "it"
    return (
        f"I found nothing for {what} in this workspace. Try a name that stands in the code, put an "
        "exact text in quotes, or ask which files there are."
    )
