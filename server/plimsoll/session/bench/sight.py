"""What a policy leaves in sight of a recorded session, and what looking away costs.

What an answer repeats word for word must stand in the request that produced it. Notes, summaries
and lists of names are no sight. A model that lacks a text reads it again first: that is priced.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar

from plimsoll.context.budget import budget_for
from plimsoll.context.log.entries import Cover, Edited, Entry, ItemState, Said, Stage
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.context.log.traits import Tools
from plimsoll.context.stages.digest import USER_WORDS
from plimsoll.context.stages.pipeline import NextRequest, as_edit, reduce
from plimsoll.context.stages.summary import task_for
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.ledger import Ledger
from plimsoll.context.view.view import View
from plimsoll.session.bench.evidence import UsedText, quotes, uses
from plimsoll.session.bench.measuring import READ, WRITE, Tally, as_typed, unchanged
from plimsoll.session.bench.policies import Policy
from plimsoll.session.bench.spans import (
    OldText,
    VerbatimSpan,
    argument_texts,
    old_texts,
    spans_of,
    unnumbered,
)
from plimsoll.session.environment import CountedClock
from plimsoll.session.transfer.foreign import FOREIGN_TOOLS
from plimsoll.session.transfer.incoming import Incoming, entries_of
from plimsoll.session.turn.ingest import ingest_edits, too_long

PLAIN, OUTPUT = 1.0, 5.0
"""Prices of a token that is sent without a cache and of one that is answered, in plain input
tokens: a summary is asked for in a request of its own."""
INSTRUCTION = 400
"""Tokens of what asks for a summary, about."""
CALL_TOKENS, CALL_COST = 60, 400.0
"""What the call of a second reading adds to the request, and the price of writing it."""
MOST_READ = 1_500
"""Tokens of a second reading at most: the part is read that is needed."""
READ_EVERY = 12
"""Requests for which a second reading serves; then what it showed may be needed again."""
_IN_SIGHT = frozenset({ItemState.VERBATIM, ItemState.TRUNCATED, ItemState.REFERRED})
"""Forms in which what stands of an item is its own text; every other one is a note."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SightRecording:
    """A recorded session, with what its answers need of what came before."""

    name: str
    messages: tuple[Incoming, ...]
    requests: int
    spans: Mapping[int, tuple[VerbatimSpan, ...]]
    edits: Mapping[int, tuple[OldText, ...]]
    names: Mapping[int, tuple[UsedText, ...]]
    lines: Mapping[int, tuple[UsedText, ...]]
    """Whole lines at their first use that results alone had shown."""
    tokens: Mapping[str, int]
    """Of each span."""
    sizes: Mapping[int, int]
    """Tokens of each message that holds something needed."""

    @property
    def last_text_uses(self) -> Mapping[str, int]:
        """The last request that needs a message word for word, by the message's text."""
        used: dict[str, int] = {}
        for found in (self.spans, self.edits):
            for request, needed in found.items():
                for text in {_said(self.messages[each.source]) for each in needed}:
                    used[text] = max(request, used.get(text, 0))
        return used


@dataclass(slots=True, kw_only=True)
class Sight:
    """What a policy made of some sessions."""

    cost: float = 0.0
    """Of all requests and summaries, in plain input tokens."""
    again: float = 0.0
    """What second readings cost besides."""
    requests: int = 0
    readings: int = 0
    """Texts that were not in sight and had to be read again."""
    late: int = 0
    """Steps that could be done only after a second reading."""
    over: int = 0
    """Requests that the window does not hold."""
    rewrites: int = 0
    """Requests in which something that stood in the last one had changed."""
    summaries: int = 0
    spans: Tally = field(default_factory=Tally)
    tokens: Tally = field(default_factory=Tally)
    """The same spans, each by its tokens."""
    edits: Tally = field(default_factory=Tally)
    lines: Tally = field(default_factory=Tally)
    names: Tally = field(default_factory=Tally)
    """Names outside of notes."""

    @property
    def whole_cost(self) -> float:
        """The cost with its second readings."""
        return self.cost + self.again

    def add(self, other: "Sight") -> None:
        """Add another session."""
        self.cost += other.cost
        self.again += other.again
        self.requests += other.requests
        self.readings += other.readings
        self.late += other.late
        self.over += other.over
        self.rewrites += other.rewrites
        self.summaries += other.summaries
        self.spans.add(other.spans)
        self.tokens.add(other.tokens)
        self.edits.add(other.edits)
        self.lines.add(other.lines)
        self.names.add(other.names)


def sight_recording(
    name: str, messages: Sequence[Incoming], count: Callable[[str], int]
) -> SightRecording:
    """Look through a session once, for all policies; ``count`` counts the tokens of a text."""
    kept = tuple(messages)
    spans, edits = tuple(spans_of(kept)), tuple(old_texts(kept))
    sources = {each.source for each in (*spans, *edits)}
    texts = {number: _said(kept[number]) for number in sources}
    return SightRecording(
        name=name,
        messages=kept,
        requests=sum(message.role is Role.ASSISTANT for message in kept),
        spans=_by_request(spans),
        edits=_by_request(edits),
        names=_by_request(tuple(uses(kept))),
        lines=_by_request(tuple(quotes(kept))),
        tokens={text: count(text) for text in {span.text for span in spans}},
        sizes={number: count(text) for number, text in texts.items()},
    )


def _said(message: Incoming) -> str:
    return "\n".join(part.text for part in message.parts)


_Needed = TypeVar("_Needed", VerbatimSpan, OldText, UsedText)


def _by_request(found: Sequence[_Needed]) -> dict[int, tuple[_Needed, ...]]:
    grouped: dict[int, tuple[_Needed, ...]] = {}
    for each in found:
        grouped[each.request] = (*grouped.get(each.request, ()), each)
    return grouped


def play_sight(
    recorded: SightRecording, policy: Policy, ledger: Ledger, window: int, *, tools: Tools
) -> Sight:
    """Play one session under one policy; ``window`` is what a request must not pass."""
    effective = budget_for(window, policy.settings.budget).effective
    sight, looks = Sight(), _Looks(recorded)
    fold = Fold(ledger, tools={**FOREIGN_TOOLS, **tools})
    last: View | None = None
    for request, view in enumerate(_requests(recorded, policy, fold, sight)):
        same = unchanged(last, view) if last else 0
        sight.cost += READ * same + WRITE * (view.tokens - same)
        sight.rewrites += last is not None and same < last.tokens
        sight.over += view.tokens > effective
        sight.requests += 1
        looks.look(request, view, sight)
        last = view
    return sight


class _Looks:
    """Looks through the requests of a session for what their answers need."""

    def __init__(self, recorded: SightRecording) -> None:
        self._recorded = recorded
        self._read: dict[int, int] = {}
        """The request before which each source was read again last."""

    def look(self, request: int, view: View, sight: Sight) -> None:
        """Tally what the answer needs and what of it stands; price what has to be read again."""
        one = self._recorded
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
        self._read_again(request, {each.source for each in (*missing, *blind)}, view, sight)

    def _read_again(self, request: int, sources: set[int], view: View, sight: Sight) -> None:
        """Price second readings: each source at most once in so many requests."""
        due = [s for s in sources if request - self._read.get(s, -READ_EVERY) >= READ_EVERY]
        later = min(READ_EVERY, self._recorded.requests - request)
        for source in due:
            self._read[source] = request
            added = min(self._recorded.sizes[source], MOST_READ) + CALL_TOKENS
            sight.again += READ * (view.tokens + added * later) + WRITE * added + CALL_COST
        sight.readings += len(due)
        sight.late += bool(due)


def _standing(view: View) -> Iterator[str]:
    """Yield the texts of a request that are no notes and no summaries."""
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
def _unnumbered(text: str) -> str:
    return unnumbered(text)


def _sees(old: str, standing: Sequence[str]) -> bool:
    """Tell whether an old text stands in one text, in which lines may be numbered."""
    return any(old in text or old in _unnumbered(text) for text in standing)


def _requests(recorded: SightRecording, policy: Policy, fold: Fold, sight: Sight) -> Iterator[View]:
    """Yield the views that would be sent; a summary's own request is added to the cost."""
    clock = CountedClock()
    now = NextRequest(fold=fold, budget=policy.budget, settings=policy.settings)
    for message in recorded.messages:
        for entry in map(as_typed, entries_of((message,), fold, clock, system=True)):
            if isinstance(entry, Said) and entry.role is Role.ASSISTANT:
                for proposal in reduce(now, policy.stages).proposals:
                    edit = as_edit(proposal, clock.new_id("e"), clock.now())
                    fold.append(edit)
                    _price_summary(edit, fold, sight)
                yield fold.view
            fold.append(entry)
            fold.extend(_arriving(entry, now, clock))


def _arriving(entry: Entry, now: NextRequest, clock: CountedClock) -> Sequence[Edited]:
    if not isinstance(entry, Said) or entry.role is not Role.TOOL:
        return ()
    return ingest_edits(entry, now, clock, cut=too_long(entry, now))


def _price_summary(edit: Edited, fold: Fold, sight: Sight) -> None:
    """Add what a model would have cost that writes the text: what it reads, and its own words.

    It reads what Plimsoll's summary reads. What people said stands below its words as it was.
    """
    if edit.stage is not Stage.DIGEST:
        return
    count = fold.ledger.bare
    for op in edit.ops:
        if not isinstance(op, Cover) or op.text is None:
            continue
        written = count(op.text.partition(USER_WORDS)[0])
        groups = [group for name in op.groups if (group := fold.group(name)) is not None]
        task = task_for(groups, written, edit.before, count)
        read = sum(map(count, task.blocks)) + INSTRUCTION
        sight.cost += PLAIN * read + OUTPUT * written
        sight.summaries += 1
