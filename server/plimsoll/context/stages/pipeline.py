"""The pipeline: what a stage is given and returns, when it is due, and the run in cost order.

Each stage sees the view that the ones before it would leave.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Literal

from plimsoll.context.budget import Budget, BudgetSettings
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Edited, Op, Stage
from plimsoll.context.log.messages import Role
from plimsoll.context.stages.truncate import TruncationSettings
from plimsoll.context.stages.written import WrittenSummary
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.rendering import TOOL_PREFIX
from plimsoll.context.view.view import Group, RenderedItem, SettledGroup, View
from plimsoll.text.first_words import first_words


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionSettings:
    """When and how the old part of a conversation gives way to a summary."""

    auto: bool = True
    at_mark: Literal["model", "digest"] = "model"
    threshold: float = 0.85
    idle_threshold: float = 0.60
    idle_seconds: int = 240
    keep_turns: int = 3
    keep_messages: int = 0
    keep_fraction: float = 0.20
    """The share of effective that is kept; the largest of the three stays."""
    keep_user_tokens: int = 20_000
    max_failures: int = 3
    prompt: str = ""
    """An own text instead of the built-in one; empty: the built-in one."""
    guidance: str = ""
    """What a person wants of every summary, beside the text that asks for it."""


@dataclass(frozen=True, slots=True)
class PinSettings:
    """The limits of pins."""

    max_tokens: int = 4_000
    """The tokens that all pins may have together."""


def own_weights() -> dict[str, int]:
    """Points by tool where they are not those of its traits; ``unknown``: of a tool without."""
    return {"unknown": 50}


@dataclass(frozen=True, slots=True)
class ReferSettings:
    """Whether a result that already stands in view enters as a pointer to it."""

    enabled: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PruningSettings:
    """When old tool results give way to one-line notes, and which ones first."""

    enabled: bool = True
    protect_turns: int = 2
    """The turns before the current one whose results stay below the compact mark, those of the
    current one too; 0: turns protect nothing."""
    protect_tokens: int = 40_000
    """The tokens of the newest tool output that stay below the blocking mark, or 36 % of effective
    where that is less."""
    min_savings_tokens: int = 20_000
    """The tokens that a prune must free, at full scale: less is not worth a rewritten prefix."""
    reference_points: int = 15
    """Taken from the weight for each later reference to the result."""
    decision_points: int = 10
    """Taken from the weight when the assistant decided by the result."""
    weights: Mapping[str, int] = field(default_factory=own_weights)


@dataclass(frozen=True, slots=True)
class CacheSettings:
    """What a provider's prompt cache costs, in plain input tokens."""

    price_read: float = 0.1
    price_write: float = 1.25
    cache_seconds: int = 300
    """Seconds for which the provider keeps a prefix that no request uses again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineSettings:
    """Every setting of the pipeline."""

    budget: BudgetSettings = field(default_factory=BudgetSettings)
    truncation: TruncationSettings = field(default_factory=TruncationSettings)
    compaction: CompactionSettings = field(default_factory=CompactionSettings)
    pins: PinSettings = field(default_factory=PinSettings)
    refer: ReferSettings = field(default_factory=ReferSettings)
    pruning: PruningSettings = field(default_factory=PruningSettings)
    cache: CacheSettings = field(default_factory=CacheSettings)


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRequest:
    """The next request as it would be now; stages read it and change nothing."""

    indexes: Indexes
    """With the fold that they stand beside."""
    budget: Budget
    settings: PipelineSettings
    cold: bool = False
    """The provider's cache no longer holds the prefix: rewriting it costs nothing."""
    began: int = 0
    """Tokens before the first stage of this pass; 0 outside of one."""
    written: WrittenSummary | None = None
    """The summary that a model wrote ahead."""
    edit_name: str = "pending.0"
    """The id that an edit of these stages is supposed with: what a stage tries is what is made."""

    @property
    def fold(self) -> Fold:
        """The log that it is made of."""
        return self.indexes.fold

    @property
    def tokens(self) -> int:
        """Tokens of the next request."""
        return self.fold.view.tokens

    @property
    def load(self) -> int:
        """Tokens that decide whether a stage is due.

        What one stage frees does not stop the next: together they rewrite the prefix once (law 5).
        """
        return max(self.tokens, self.began)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One pass of one stage, before it has an id and a time."""

    stage: Stage
    why: str
    ops: tuple[Op, ...]
    before: int = 0
    after: int = 0
    rewritten: int = 0
    model: str | None = None
    """The model that wrote the summary, if one did."""
    spent: int = 0
    """Tokens that the model call cost."""
    least: int = 0
    """Tokens that it must free in the view, else it is dropped."""


def is_user(group: Group) -> bool:
    """Tell whether a group is what a person said."""
    return bool(group.said) and group.said[0].role is Role.USER


def said_tokens(group: SettledGroup) -> int:
    """Count the tokens of a group's own lines, without notes that entered behind it."""
    return sum(line.tokens for line in group.lines if line.group == group.group.id)


def visible_groups(fold: Fold) -> list[SettledGroup]:
    """Return the groups whose own messages stand in the view, oldest first."""
    return [
        each
        for each in fold.settled()
        if each.group.cover is None and any(line.group == each.group.id for line in each.lines)
    ]


def last_user_group(fold: Fold) -> Group | None:
    """Return the group of the last thing that a person said."""
    return next(
        (group for group in reversed(fold.groups) if is_user(group) and group.visible), None
    )


def newest_answer(fold: Fold) -> int:
    """Return the index of the newest assistant's group: what stands before it was sent."""
    groups = reversed(fold.groups)
    return next((group.index for group in groups if group.said[0].role is Role.ASSISTANT), -1)


def is_unseen(settled: SettledGroup, fold: Fold) -> bool:
    """Tell whether a group holds results that no request has carried yet: they may not leave."""
    return bool(settled.results) and settled.index >= newest_answer(fold)


def recall_of(item: str, fold: Fold) -> str | None:
    """Return the call that brings an item back, but for where to begin; none: no tool can."""
    for name, traits in fold.tools.items():
        schema = fold.frames.get(f"{TOOL_PREFIX}{name}") if traits.recalls else None
        if schema is not None and schema.text is not None:
            return f"{name} with item_id {item}"
    return None


def unseen_tokens(fold: Fold) -> int:
    """Count the tokens of the results that no request has carried."""
    unseen = fold.settled()[max(0, newest_answer(fold)) :]
    return sum(shown.tokens for group in unseen for shown in group.results)


Plan = Callable[[NextRequest], Proposal | None]
"""A stage: the edit that it would make now, or none."""
Condition = Callable[[NextRequest], bool]
"""Whether a stage is due."""


def due(condition: Condition) -> Callable[[Plan], Plan]:
    """Let a stage be asked only while a condition holds."""

    def conditional(plan: Plan) -> Plan:
        @wraps(plan)
        def when_due(next_request: NextRequest) -> Proposal | None:
            return plan(next_request) if condition(next_request) else None

        return when_due

    return conditional


def at_warning_or_cold(next_request: NextRequest) -> bool:
    """Tell whether results may be pruned at the warning, or at any load with a cold cache."""
    warned = next_request.load >= next_request.budget.warning
    return next_request.settings.pruning.enabled and (next_request.cold or warned)


def at_compact(next_request: NextRequest) -> bool:
    """Tell whether the load has reached the compact mark, and compaction comes by itself."""
    return next_request.settings.compaction.auto and reached_compact(next_request)


def reached_compact(next_request: NextRequest) -> bool:
    """Tell whether the load has reached the compact mark, also without what is unseen.

    Results that no request has carried may not leave yet, and with the next request they may for
    next to nothing: they alone are no reason to rewrite the prefix, unless the model would be
    asked for its last answer, or nothing fits any more.
    """
    budget, tokens = next_request.budget, next_request.tokens
    if tokens < budget.compact:
        return False
    if tokens >= min(budget.force_final, budget.blocking):
        return True
    return tokens - unseen_tokens(next_request.fold) >= budget.compact


def at_blocking(next_request: NextRequest) -> bool:
    """Tell whether the load is at the last mark."""
    return next_request.tokens >= next_request.budget.blocking


@dataclass(frozen=True, slots=True)
class Weight:
    """An item that must stay, for the person who has to decide what gives way."""

    item: str
    title: str
    tokens: int


@dataclass(frozen=True, slots=True)
class ReductionPlan:
    """What the pipeline would do before the next request."""

    proposals: tuple[Proposal, ...]
    view: View
    """The view with all of them."""
    missing: int = 0
    """Tokens by which what must stay does not fit; 0 when the request may leave."""
    heaviest: tuple[Weight, ...] = ()
    """The largest items that must stay, when it does not fit."""


LEAST_STEP = 0.02
"""The share of the window that a reduction must free, where the request fits without it (law 5)."""
MOST_PASSES = 3
"""What a later stage leaves may make an earlier one due again, as when a pointer loses its base."""


def reduce(next_request: NextRequest, stages: Sequence[Plan]) -> ReductionPlan:
    """Run the stages in order until none is due; nothing is changed, the caller appends."""
    proposals: list[Proposal] = []
    with ExitStack() as stack:
        for _ in range(MOST_PASSES):
            found = _one_pass(next_request, stages, stack, len(proposals))
            proposals.extend(found)
            if not found:
                break
        view = next_request.fold.view
        missing = max(0, view.tokens - next_request.budget.effective)
        return ReductionPlan(
            tuple(proposals), view, missing, heaviest_items(view) if missing else ()
        )


def _one_pass(
    next_request: NextRequest, stages: Sequence[Plan], stack: ExitStack, number: int
) -> list[Proposal]:
    """Run each stage once; what they propose stands for as long as the stack is open.

    A proposal that frees less than it must, than is worth a step, or nothing, is dropped.
    """
    found: list[Proposal] = []
    view = next_request.fold.view
    next_request = replace(next_request, began=view.tokens)
    for plan in stages:
        name = f"pending.{number + len(found)}"
        proposal = plan(replace(next_request, edit_name=name))
        if proposal is not None:
            edit = as_edit(proposal, name)
            least = max(1, proposal.least, _least_step(next_request, proposal))
            trial = ExitStack()
            lighter = trial.enter_context(next_request.fold.supposing(edit))
            if view.tokens - lighter.tokens < least:
                trial.close()
                continue
            stack.push(trial)
            found.append(measured(proposal, view, lighter))
            view = lighter
    return found


def _least_step(next_request: NextRequest, proposal: Proposal) -> int:
    """Return the tokens below which a reduction is not worth its step; cutting costs no prefix."""
    fits = next_request.tokens <= next_request.budget.effective
    worth = proposal.stage is not Stage.TRUNCATE and fits
    return int(next_request.budget.window * LEAST_STEP) if worth else 0


def as_edit(proposal: Proposal, name: str, at: str = "") -> Edited:
    """Turn the proposal into an entry of the log."""
    return Edited(
        id=name,
        at=at,
        stage=proposal.stage,
        why=proposal.why,
        ops=proposal.ops,
        before=proposal.before,
        after=proposal.after,
        model=proposal.model,
        spent=proposal.spent,
        rewritten=proposal.rewritten,
    )


def measured(proposal: Proposal, before: View, after: View) -> Proposal:
    """Return the proposal with its tokens before, after, and behind the first change."""
    return replace(
        proposal,
        before=before.tokens,
        after=after.tokens,
        rewritten=rewritten_tokens(before, after),
    )


def rewritten_tokens(before: View, after: View) -> int:
    """Count the tokens of the new request behind the first difference from the old one."""
    same = 0
    for old, new in zip(before.items(), after.items(), strict=False):
        if old.item != new.item or old.part.text != new.part.text:
            break
        same += new.tokens
    return after.tokens - same


def heaviest_items(view: View, most: int = 10) -> tuple[Weight, ...]:
    """Return the largest items of a request."""
    items = sorted(view.items(), key=lambda shown: -shown.tokens)[:most]
    return tuple(Weight(shown.item, title_of(shown), shown.tokens) for shown in items)


def title_of(shown: RenderedItem) -> str:
    """Return a short name of an item for people."""
    part = shown.part
    if part.source is not None:
        lines = f" {part.source.lines[0]}-{part.source.lines[1]}" if part.source.lines else ""
        return part.source.uri.rpartition("/")[2] + lines
    if part.name:
        return part.name
    return first_words(part.text, 60) or shown.item
