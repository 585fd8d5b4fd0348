"""What the pre-flight would do now, and what that leaves of the load while a session grows."""

from dataclasses import dataclass

from plimsoll.context.budget import Budget, Load
from plimsoll.context.log.entries import Entry, Noted, Said
from plimsoll.context.log.messages import Role
from plimsoll.context.log.notes import FRESH, STALE
from plimsoll.context.pipeline.proposal import NextRequest
from plimsoll.context.pipeline.reduction import LEAST_STEP, ReductionPlan
from plimsoll.context.stages.preflight import preflight
from plimsoll.context.view.unseen import newest_answer


class PlansAhead:
    """Plans each state of a log once, however often it is asked.

    Every keystroke of a prompt asks for the meter, and the request that follows asks again.
    """

    def __init__(self) -> None:
        self._made: _MadePlan | None = None

    def forget(self) -> None:
        """Drop the cached plan."""
        self._made = None

    def plan(self, next_request: NextRequest) -> ReductionPlan:
        """Plan the reductions that the pre-flight would make now."""
        length = len(next_request.fold.entries)
        made = self._made
        if made is None or made.length != length or made.asked != next_request:
            made = self._made = _make_plan(next_request)
        return made.plan

    def load(self, next_request: NextRequest) -> Load:
        """Estimate the load after the pre-flight; while little is new, by the last plan.

        While less is new than a reduction must free, the last plan is assumed to free the same.
        """
        made = self._made
        if made is None or not made.holds(next_request):
            view = self.plan(next_request).view
            return Load(view.tokens, view.by_slot)
        now, before, after = next_request.fold.view, made.before, made.plan.view
        slots = {**after.by_slot, **now.by_slot}
        parts = {
            slot: now.by_slot.get(slot, 0)
            + after.by_slot.get(slot, 0)
            - before.by_slot.get(slot, 0)
            for slot in slots
        }
        return Load(now.tokens + after.tokens - before.tokens, parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class _MadePlan:
    asked: NextRequest
    length: int
    """Entries of the log then."""
    plan: ReductionPlan
    before: Load
    """What the log held without the plan."""
    unseen: int
    """Tokens that no answer stood behind, which may leave once one does."""

    def holds(self, now: NextRequest) -> bool:
        """Tell whether the plan still frees about the same, within the least of a reduction.

        New entries must be messages alone, since others may change the stages' choice.
        """
        if not self.plan.proposals or self.plan.missing or now != self.asked:
            return False
        fresh = now.fold.entries[self.length :]
        if not all(map(_only_adds, fresh)):
            return False
        grown = now.fold.view.tokens - self.before.tokens
        answered = any(isinstance(e, Said) and e.role is Role.ASSISTANT for e in fresh)
        if grown < 0 or grown + (self.unseen if answered else 0) >= now.budget.window * LEAST_STEP:
            return False
        loads = self.before.tokens, self.plan.view.tokens
        return all(_marks(load, now.budget) == _marks(load + grown, now.budget) for load in loads)


def _make_plan(next_request: NextRequest) -> _MadePlan:
    fold = next_request.fold
    view, sent = fold.view, max(0, newest_answer(fold))
    return _MadePlan(
        asked=next_request,
        length=len(fold.entries),
        plan=preflight(next_request),
        before=Load(view.tokens, view.by_slot),
        unseen=sum(group.tokens for group in fold.rendered_groups()[sent:]),
    )


def _only_adds(entry: Entry) -> bool:
    """Tell whether an entry changes nothing that is already in the view."""
    return isinstance(entry, Said) or (
        isinstance(entry, Noted) and entry.what not in {STALE, FRESH}
    )


def _marks(load: int, budget: Budget) -> int:
    """Count the marks that a load has reached."""
    marks = budget.warning, budget.compact, budget.blocking, budget.effective
    return sum(load >= mark for mark in marks)
