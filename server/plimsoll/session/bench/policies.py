"""Ways to keep a context small: what others do, and ours at several settings."""

from dataclasses import dataclass, replace
from typing import Any

from plimsoll.context.budget import Budget, budget_for
from plimsoll.context.log.entries import ItemState, Replace, Stage
from plimsoll.context.stages.pipeline import (
    NextRequest,
    PipelineSettings,
    Plan,
    Proposal,
    PruningSettings,
    ReferSettings,
)
from plimsoll.context.stages.preflight import STAGES
from plimsoll.context.stages.truncate import TruncationSettings
from plimsoll.context.stages.visible_results import VisibleResult, visible_results

NO_PRESSURE = 1_000_000_000
"""A window that no session fills: the policy alone decides."""
STEPS_OF = 65_536
"""The window whose least step holds where none is filled: 2 % of it."""
PLACEHOLDER = "[old tool output cleared to save space]"
WHOLE = TruncationSettings(max_lines=NO_PRESSURE, max_bytes=NO_PRESSURE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What happens before each request, and as a result arrives."""

    name: str
    stages: tuple[Plan, ...]
    settings: PipelineSettings
    window: int = NO_PRESSURE
    ours: bool = False

    @property
    def budget(self) -> Budget:
        """The marks of its window; others make steps of any size."""
        budget = budget_for(self.window, self.settings.budget)
        if not self.ours:
            return replace(budget, window=1)
        return replace(budget, window=STEPS_OF) if self.window == NO_PRESSURE else budget


def sliding(keep: int) -> Plan:
    """Make a plan that masks all but the newest results, with every request anew."""

    def plan(next_request: NextRequest) -> Proposal | None:
        return _cleared(visible_results(next_request)[:-keep])

    return plan


def clear_over(limit: int, keep: int, least: int) -> Plan:
    """Make a plan that over a limit clears all but the newest results, if that frees enough."""

    def plan(next_request: NextRequest) -> Proposal | None:
        if next_request.tokens <= limit:
            return None
        proposal = _cleared(visible_results(next_request)[:-keep])
        return replace(proposal, least=least) if proposal else None

    return plan


def _cleared(results: list[VisibleResult]) -> Proposal | None:
    left = [each for each in results if each.shown.part.text != PLACEHOLDER]
    ops = tuple(Replace(each.result.item, PLACEHOLDER, ItemState.PRUNED) for each in left)
    return Proposal(stage=Stage.PRUNE, why="", ops=ops) if ops else None


OFF = PipelineSettings(refer=ReferSettings(enabled=False), truncation=WHOLE)


def _peer(name: str, *stages: Plan) -> Policy:
    return Policy(name=name, stages=stages, settings=OFF)


def ours(name: str, window: int = NO_PRESSURE, **pruning: Any) -> Policy:
    """Take the whole pipeline with some settings of the prune."""
    settings = PipelineSettings(pruning=replace(PruningSettings(), **pruning), truncation=WHOLE)
    return Policy(name=name, stages=STAGES, settings=settings, window=window, ours=True)


def side_by_side(window: int, settings: PipelineSettings) -> tuple[Policy, ...]:
    """List what a person compares: nothing, what others do, and Plimsoll as it is set."""
    own = f"Plimsoll, {window:,} tokens"
    return (
        *POLICIES[:3],
        Policy(name=own, stages=STAGES, settings=settings, window=window, ours=True),
    )


POLICIES: tuple[Policy, ...] = (
    _peer("no reduction"),
    _peer("sliding mask, keep 10", sliding(10)),
    _peer("clear over 30k, keep 3, at least 5k", clear_over(30_000, 3, 5_000)),
    ours("refer alone", enabled=False),
    ours("keep 10", keep_results=10),
    ours("keep 2", keep_results=2),
    ours("default: keep 1"),
    ours("referenced or not", keep_referenced=0),
    ours("referenced or not, names 0", keep_referenced=0, names_tokens=0),
    ours("window 200k", window=200_000),
    ours("window 128k", window=128_000),
    ours("window 64k", window=64_000),
)
