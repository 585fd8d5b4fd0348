"""What a policy makes of a recorded session: cost, what stays in view, and each reduction.

Before each answer the whole context is sent. What stands unchanged at the start of a request since
the last one is read from the provider's cache, the rest is written to it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from operator import is_

from plimsoll.context.budget import budget_for
from plimsoll.context.log.entries import Edited, Entry, Origin, Said
from plimsoll.context.log.messages import PartKind, Role
from plimsoll.context.log.traits import Tools
from plimsoll.context.stages.pipeline import NextRequest, as_edit, reduce
from plimsoll.context.stages.standing import said_instructions
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.ledger import Ledger
from plimsoll.context.view.view import View
from plimsoll.session.bench.evidence import UsedText, quotes, taken_words, uses, words_in
from plimsoll.session.bench.policies import Policy
from plimsoll.session.environment import CountedClock
from plimsoll.session.transfer.foreign import FOREIGN_TOOLS
from plimsoll.session.transfer.incoming import Incoming, entries_of
from plimsoll.session.turn.ingest import ingest_edits, too_long

READ, WRITE = 0.1, 1.25
"""Prices of a token read from and written to the cache, in plain input tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A recorded session, with what it shows of the use of results."""

    name: str
    messages: tuple[Incoming, ...]
    names: tuple[UsedText, ...]
    """Names that an answer uses and that stood in results alone."""
    words: tuple[UsedText, ...]
    lines: tuple[UsedText, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reduction:
    """What left before a request."""

    request: int
    stage: str
    items: int
    before: int
    after: int


@dataclass(slots=True)
class Tally:
    """How many were needed in a view, and how many of them stood there."""

    needed: int = 0
    stood: int = 0

    def add(self, other: "Tally") -> None:
        """Add those of another view or session."""
        self.needed += other.needed
        self.stood += other.stood

    @property
    def share(self) -> float:
        """Percent that stood; all, where none was needed."""
        return 100 * self.stood / self.needed if self.needed else 100.0


@dataclass(slots=True, kw_only=True)
class Score:
    """What a policy made of some sessions; all but the last two can be added."""

    cost: float = 0.0
    names: Tally = field(default_factory=Tally)
    words: Tally = field(default_factory=Tally)
    lines: Tally = field(default_factory=Tally)
    rules: Tally = field(default_factory=Tally)
    """The person's standing instructions: each counts in each request for as long as it holds."""
    steps: int = 0
    """Requests in which something that stood in the last one had changed."""
    requests: int = 0
    over: int = 0
    """Requests that the window does not hold."""
    tokens: list[int] = field(default_factory=list[int])
    """Of each request."""
    reductions: list[Reduction] = field(default_factory=list[Reduction])

    def add(self, other: "Score") -> None:
        """Add the sums of another session."""
        self.cost += other.cost
        self.steps += other.steps
        self.requests += other.requests
        self.over += other.over
        self.names.add(other.names)
        self.words.add(other.words)
        self.lines.add(other.lines)
        self.rules.add(other.rules)


def recording(name: str, messages: Sequence[Incoming]) -> Recording:
    """Look through a session once, for all policies."""
    kept = tuple(messages)
    return Recording(
        name=name,
        messages=kept,
        names=tuple(uses(kept)),
        words=tuple(taken_words(kept)),
        lines=tuple(quotes(kept)),
    )


def play(
    recorded: Recording, policy: Policy, ledger: Ledger, window: int, *, tools: Tools | None = None
) -> Score:
    """Play one session under one policy.

    ``window``: what a request must not pass; ``tools``: those of ours, besides other agents'.
    """
    score = Score()
    names, lines = by_request(recorded.names), by_request(recorded.lines)
    words = by_request(recorded.words)
    effective = budget_for(window, policy.settings.budget).effective
    fold = Fold(ledger, tools={**FOREIGN_TOOLS, **(tools or {})})
    standing = _StandingWords()
    last: View | None = None
    for request, view in enumerate(_requests(recorded, policy, fold, score)):
        same = unchanged(last, view) if last else 0
        score.cost += READ * same + WRITE * (view.tokens - same)
        score.steps += last is not None and same < last.tokens
        score.names.add(_tally(names.get(request, ()), view))
        score.words.add(standing.tally(words.get(request, ()), view))
        score.lines.add(_tally(lines.get(request, ()), view))
        score.rules.add(_rules(fold, view))
        score.over += view.tokens > effective
        score.tokens.append(view.tokens)
        last = view
    score.requests = len(score.tokens)
    return score


def filling(messages: Sequence[Incoming], ledger: Ledger) -> dict[str, int]:
    """Count what a session is made of, in tokens: results by tool, and what each side said."""
    tokens: dict[str, int] = {}
    for entry in _entries(messages, ledger):
        for part in entry.parts:
            result = part.kind is PartKind.RESULT
            what = f"results of {part.name or 'tools'}" if result else _SPOKEN[entry.role]
            what = "calls of tools" if part.kind is PartKind.CALL else what
            tokens[what] = tokens.get(what, 0) + ledger.bare(part.text)
    return dict(sorted(tokens.items(), key=lambda pair: -pair[1]))


_SPOKEN = {
    Role.SYSTEM: "system text",
    Role.USER: "what the person said",
    Role.ASSISTANT: "what the model said",
    Role.TOOL: "results of tools",
}


def _entries(messages: Sequence[Incoming], ledger: Ledger) -> Iterator[Said]:
    fold, clock = Fold(ledger), CountedClock()
    for message in messages:
        for entry in entries_of((message,), fold, clock, system=True):
            fold.append(entry)
            if isinstance(entry, Said):
                yield entry


def by_request(found: Sequence[UsedText]) -> dict[int, list[str]]:
    """Group texts by the request in which they count."""
    texts: dict[int, list[str]] = {}
    for use in found:
        texts.setdefault(use.request, []).append(use.text)
    return texts


def _requests(recorded: Recording, policy: Policy, fold: Fold, score: Score) -> Iterator[View]:
    """Yield the views that would be sent; what left before each is added to the score."""
    clock, reductions = CountedClock(), score.reductions
    next_request = NextRequest(
        fold=fold,
        budget=policy.budget,
        settings=policy.settings,
    )
    count = 0
    for message in recorded.messages:
        for entry in map(as_typed, entries_of((message,), fold, clock, system=True)):
            if isinstance(entry, Said) and entry.role is Role.ASSISTANT:
                for proposal in reduce(next_request, policy.stages).proposals:
                    edit = as_edit(proposal, clock.new_id("e"), clock.now())
                    fold.append(edit)
                    reductions.append(_reduction(count, edit))
                count += 1
                yield fold.view
            fold.append(entry)
            if isinstance(entry, Said) and entry.role is Role.TOOL:
                cut = too_long(entry, next_request)
                edits = ingest_edits(entry, next_request, clock, cut=cut)
                fold.extend(edits)
                reductions += (_reduction(count, edit) for edit in edits)


def unchanged(last: View, view: View) -> int:
    """Count the tokens at the start of a request that stood there in the last one."""
    if last.head != view.head or last.tools != view.tools:
        return 0
    moved = (n for n, same in enumerate(map(is_, last.lines, view.lines)) if not same)
    first = next((n for n in moved if last.lines[n].shown != view.lines[n].shown), None)
    if first is None:
        return view.tokens - sum(line.tokens for line in view.lines[len(last.lines) :])
    same = view.tokens - sum(line.tokens for line in view.lines[first:])
    for old, new in zip(last.lines[first].shown, view.lines[first].shown, strict=False):
        if old != new:
            break
        same += new.tokens
    return same


def stands(text: str, view: View) -> bool:
    """Tell whether a text stands anywhere in a view."""
    return any(text in shown.part.text for shown in view.items())


def _tally(texts: Sequence[str], view: View) -> Tally:
    return Tally(len(texts), sum(stands(text, view) for text in texts))


class _StandingWords:
    """Finds whole words in views; each text is read once."""

    def __init__(self) -> None:
        self._of: dict[str, frozenset[str]] = {}

    def tally(self, words: Sequence[str], view: View) -> Tally:
        left = frozenset(words)
        for shown in view.items():
            if not left:
                break
            left -= self._in(shown.part.text)
        return Tally(len(words), len(words) - len(left))

    def _in(self, text: str) -> frozenset[str]:
        found = self._of.get(text)
        if found is None:
            found = self._of[text] = words_in(text)
        return found


def _rules(fold: Fold, view: View) -> Tally:
    """Count the standing instructions of the person, and those that stand word for word."""
    holding = said_instructions(fold).standing
    if not holding:
        return Tally()
    spoken = "\n".join(shown.part.text for shown in view.items() if shown.part.call_id is None)
    return Tally(len(holding), sum(each.text in spoken for each in holding))


def as_typed(entry: Entry) -> Entry:
    """Take what a recorded person said as typed: an import's words would set no rule."""
    spoken = isinstance(entry, Said) and entry.role is Role.USER
    return replace(entry, origin=Origin.PERSON) if spoken else entry


def _reduction(request: int, edit: Edited) -> Reduction:
    return Reduction(
        request=request,
        stage=edit.stage.value,
        items=len(edit.ops),
        before=edit.before,
        after=edit.after,
    )
