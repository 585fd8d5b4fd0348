"""What stands in a request word for word, outside of notes, and what it costs to read the rest.

Notes, summaries and lists of names are no sight. A model that lacks a text reads it again first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from plimsoll.bench.recording import Recording
from plimsoll.bench.spans import argument_texts, strip_line_numbers
from plimsoll.context.log.entries import ItemState
from plimsoll.context.log.messages import Part, PartKind
from plimsoll.context.view.view import View

READ, WRITE = 0.1, 1.25
"""Prices of a token read from and written to the cache, in plain input tokens."""
CALL_TOKENS, CALL_COST = 60, 400.0
"""What the call of a second reading adds to the request, and the price of writing it."""
MOST_READ = 1_500
"""Tokens of a second reading at most: the part is read that is needed."""
READ_EVERY = 12
"""Requests for which a second reading serves; then what it showed may be needed again."""
_IN_SIGHT = frozenset({ItemState.VERBATIM, ItemState.TRUNCATED, ItemState.REFERRED})
"""Forms in which what stands of an item is its own text; every other one is a note."""


@dataclass(slots=True)
class Tally:
    """Counts of the texts that answers needed, and of those that stood in the view."""

    needed: int = 0
    stood: int = 0

    def add(self, other: "Tally") -> None:
        """Add the counts of another view or session."""
        self.needed += other.needed
        self.stood += other.stood

    @property
    def share(self) -> float:
        """The percentage of needed texts that stood in the view; 100 if none was needed."""
        return 100 * self.stood / self.needed if self.needed else 100.0


@dataclass(slots=True, kw_only=True)
class Sight:
    """How much of what answers needed stood in view, and the cost to read the rest again."""

    spans: Tally = field(default_factory=Tally)
    """What answers repeat word for word."""
    tokens: Tally = field(default_factory=Tally)
    """The same spans, each by its tokens."""
    edits: Tally = field(default_factory=Tally)
    """The old texts of edits."""
    lines: Tally = field(default_factory=Tally)
    names: Tally = field(default_factory=Tally)
    readings: int = 0
    """Texts that had to be read again."""
    late: int = 0
    """Steps that could be done only after a second reading."""
    cost: float = 0.0
    """Of the second readings, in plain input tokens."""

    def add(self, other: "Sight") -> None:
        """Add the figures of another session."""
        self.spans.add(other.spans)
        self.tokens.add(other.tokens)
        self.edits.add(other.edits)
        self.lines.add(other.lines)
        self.names.add(other.names)
        self.readings += other.readings
        self.late += other.late
        self.cost += other.cost


class Looks:
    """Counts how many of the texts that a session's answers need stand in their requests."""

    def __init__(self, recorded: Recording) -> None:
        self.sight = Sight()
        self._recorded = recorded
        self._read: dict[int, int] = {}
        """The request before which each source was read again last."""

    def look(self, request: int, view: View) -> None:
        """Count the texts that an answer needs, and those in view; price reading the others."""
        one, sight = self._recorded, self.sight
        spans, edits = one.spans.get(request, ()), one.edits.get(request, ())
        names, lines = one.names.get(request, ()), one.lines.get(request, ())
        if not (spans or edits or names or lines):
            return
        standing = [*_standing(view)]
        text = "\0".join(standing)
        missing = [span for span in spans if span.text not in text]
        blind = [each for each in edits if not _sees(each.text, standing)]
        every = sum(one.tokens[span.text] for span in spans)
        lost = sum(one.tokens[span.text] for span in missing)
        sight.spans.add(Tally(len(spans), len(spans) - len(missing)))
        sight.tokens.add(Tally(every, every - lost))
        sight.edits.add(Tally(len(edits), len(edits) - len(blind)))
        sight.names.add(Tally(len(names), sum(each.text in text for each in names)))
        sight.lines.add(Tally(len(lines), sum(each.text in text for each in lines)))
        self._read_again(request, {each.source for each in (*missing, *blind)}, view)

    def _read_again(self, request: int, sources: set[int], view: View) -> None:
        """Price reading sources again, each at most once in so many requests."""
        sight = self.sight
        due = [s for s in sources if request - self._read.get(s, -READ_EVERY) >= READ_EVERY]
        later = min(READ_EVERY, self._recorded.requests - request)
        for source in due:
            self._read[source] = request
            added = min(self._recorded.sizes[source], MOST_READ) + CALL_TOKENS
            sight.cost += READ * (view.tokens + added * later) + WRITE * added + CALL_COST
        sight.readings += len(due)
        sight.late += bool(due)


def _standing(view: View) -> Iterator[str]:
    """Yield the texts of a request, without notes and summaries."""
    for shown in view.head:
        yield shown.part.text
    for line in view.lines:
        if line.group is not None:
            for shown in line.shown:
                if shown.state in _IN_SIGHT:
                    yield _plain(shown.part)


def _plain(part: Part) -> str:
    return _arguments(part.text) if part.kind is PartKind.CALL else part.text


@cache
def _arguments(text: str) -> str:
    return argument_texts(text)


@cache
def _strip_cached(text: str) -> str:
    return strip_line_numbers(text)


def _sees(old: str, standing: Sequence[str]) -> bool:
    """Tell whether a text of a request contains an old text, also with numbered lines."""
    return any(old in text or old in _strip_cached(text) for text in standing)
