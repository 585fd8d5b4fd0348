"""What a policy makes of a recorded session: cost, what stays in sight, and each reduction.

Before each answer the whole context is sent. What stands unchanged at the start of a request since
the last one is read from the provider's cache, the rest is written to it. A summary is priced as a
request of its own, and what is not in sight is read again first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from operator import is_

from plimsoll.bench.looking import READ, WRITE, Looks, Sight, Tally
from plimsoll.bench.policies import Policy
from plimsoll.bench.recording import Recording
from plimsoll.context.budget import budget_for
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Cover, Edited, Entry, Origin, Said, Stage
from plimsoll.context.log.messages import PartKind, Role
from plimsoll.context.log.traits import Tools
from plimsoll.context.pipeline.proposal import NextRequest
from plimsoll.context.pipeline.reduction import reduce
from plimsoll.context.stages.digest import USER_WORDS
from plimsoll.context.stages.standing import said_instructions
from plimsoll.context.stages.summary import task_for
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.ledger import Ledger
from plimsoll.context.view.view import View
from plimsoll.session.ports.clock import CountedClock
from plimsoll.session.ports.entries import new_edit
from plimsoll.session.ports.foreign import FOREIGN_TOOLS
from plimsoll.session.reduction.ingest import ingest_edits, too_long
from plimsoll.session.transfer.incoming import Incoming, entries_of

PLAIN, OUTPUT = 1.0, 5.0
"""Prices of a token that is sent without a cache and of one that is answered."""
INSTRUCTION = 400
"""Tokens of what asks for a summary, about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reduction:
    """A reduction before a request: its items, and the tokens before and after."""

    request: int
    stage: str
    items: int
    before: int
    after: int


@dataclass(slots=True, kw_only=True)
class Score:
    """The results of a policy on some sessions; all fields but the last two can be added."""

    cost: float = 0.0
    """Of all requests, in plain input tokens."""
    summarising: float = 0.0
    """What the summaries' own requests cost besides."""
    sight: Sight = field(default_factory=Sight)
    rules: Tally = field(default_factory=Tally)
    """The person's standing instructions: each counts in each request for as long as it holds."""
    steps: int = 0
    """Requests in which something that stood in the last one had changed."""
    summaries: int = 0
    requests: int = 0
    over: int = 0
    """Requests that the window does not hold."""
    tokens: list[int] = field(default_factory=list[int])
    """Of each request."""
    reductions: list[Reduction] = field(default_factory=list[Reduction])

    @property
    def paid(self) -> float:
        """The cost with its summaries."""
        return self.cost + self.summarising

    @property
    def whole_cost(self) -> float:
        """The cost with its summaries and second readings."""
        return self.paid + self.sight.cost

    def add(self, other: "Score") -> None:
        """Add the sums of another session."""
        self.cost += other.cost
        self.summarising += other.summarising
        self.sight.add(other.sight)
        self.rules.add(other.rules)
        self.steps += other.steps
        self.summaries += other.summaries
        self.requests += other.requests
        self.over += other.over


def play(
    recorded: Recording, policy: Policy, ledger: Ledger, window: int, *, tools: Tools | None = None
) -> Score:
    """Play one session under one policy.

    ``window``: the limit of a request in tokens; ``tools``: our tools, besides other agents'.
    """
    score, looks = Score(), Looks(recorded)
    effective = budget_for(window, policy.settings.budget).effective
    indexes = Indexes(Fold(ledger, tools={**FOREIGN_TOOLS, **(tools or {})}))
    last: View | None = None
    for request, view in enumerate(_requests(recorded, policy, indexes, score)):
        same = count_unchanged(last, view) if last else 0
        score.cost += READ * same + WRITE * (view.tokens - same)
        score.steps += last is not None and same < last.tokens
        score.rules.add(_rules(indexes, view))
        score.over += view.tokens > effective
        score.tokens.append(view.tokens)
        looks.look(request, view)
        last = view
    score.requests, score.sight = len(score.tokens), looks.sight
    return score


def filling(messages: Sequence[Incoming], ledger: Ledger) -> dict[str, int]:
    """Count a session's tokens by origin: results by tool, and the messages of each side."""
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


def _requests(
    recorded: Recording, policy: Policy, indexes: Indexes, score: Score
) -> Iterator[View]:
    """Yield the views that would be sent; add the reductions before each to the score."""
    fold, clock, reductions = indexes.fold, CountedClock(), score.reductions
    next_request = NextRequest(
        indexes=indexes,
        budget=policy.budget,
        settings=policy.settings,
    )
    count = 0
    for message in recorded.messages:
        for entry in map(_as_typed, entries_of((message,), fold, clock, system=True)):
            if isinstance(entry, Said) and entry.role is Role.ASSISTANT:
                for proposal in reduce(next_request, policy.stages).proposals:
                    edit = new_edit(proposal, clock)
                    fold.append(edit)
                    _price_summary(edit, fold, score)
                    reductions.append(_reduction(count, edit))
                count += 1
                yield fold.view
            fold.append(entry)
            if isinstance(entry, Said) and entry.role is Role.TOOL:
                cut = too_long(entry, next_request)
                edits = ingest_edits(entry, next_request, clock, cut=cut)
                fold.extend(edits)
                reductions += (_reduction(count, edit) for edit in edits)


def count_unchanged(last: View, view: View) -> int:
    """Count the tokens of the prefix that a request shares with the last one."""
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


def _rules(indexes: Indexes, view: View) -> Tally:
    """Count the standing instructions of the person, and those that stand word for word."""
    holding = said_instructions(indexes).standing
    if not holding:
        return Tally()
    spoken = "\n".join(shown.part.text for shown in view.items() if shown.part.call_id is None)
    return Tally(len(holding), sum(each.text in spoken for each in holding))


def _as_typed(entry: Entry) -> Entry:
    """Mark a recorded person's messages as typed: words of an import would set no rule."""
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


def _price_summary(edit: Edited, fold: Fold, score: Score) -> None:
    """Add the cost of a model that writes this summary: of its input, and of its output.

    Its input is that of Plimsoll's summary. Messages of people stand below it word for word.
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
        score.summarising += PLAIN * read + OUTPUT * written
        score.summaries += 1
