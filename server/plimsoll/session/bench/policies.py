"""Ways to keep a context small: what others do, and ours at several settings."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from plimsoll.context.budget import Budget, budget_for
from plimsoll.context.stages import cut, digest, trim
from plimsoll.context.stages.pipeline import (
    PipelineSettings,
    Plan,
    PruningSettings,
    ReferSettings,
)
from plimsoll.context.stages.preflight import STAGES
from plimsoll.context.stages.truncate import TruncationSettings
from plimsoll.session.bench.recipes import clear_beyond, clear_over, foreseeing, keep_below, sliding

NO_PRESSURE = 1_000_000_000
"""A window that no session fills: the policy alone decides."""
STEPS_OF = 65_536
"""The window whose least step holds where none is filled: 2 % of it."""
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


OFF = PipelineSettings(refer=ReferSettings(enabled=False), truncation=WHOLE)


def _peer(name: str, *stages: Plan) -> Policy:
    return Policy(name=name, stages=stages, settings=OFF)


def ours(
    name: str, window: int = NO_PRESSURE, stages: tuple[Plan, ...] = STAGES, **pruning: Any
) -> Policy:
    """Take the whole pipeline with some settings of the prune."""
    settings = PipelineSettings(pruning=replace(PruningSettings(), **pruning), truncation=WHOLE)
    return Policy(name=name, stages=stages, settings=settings, window=window, ours=True)


def side_by_side(window: int, settings: PipelineSettings) -> tuple[Policy, ...]:
    """List what a person compares: nothing, what others do, and Plimsoll as it is set."""
    own = f"Plimsoll, {window:,} tokens"
    return (
        NOTHING,
        MASKED,
        CLEARED,
        Policy(name=own, stages=STAGES, settings=settings, window=window, ours=True),
    )


NOTHING = _peer("no reduction")
MASKED = _peer("sliding mask, keep 10", sliding(10))
CLEARED = _peer("clear over 30k, keep 3, at least 5k", clear_over(30_000, 3, 5_000))
DEFAULT = ours("default")
POLICIES: tuple[Policy, ...] = (
    NOTHING,
    MASKED,
    _peer("clear over 30k, keep 3", clear_over(30_000, 3)),
    CLEARED,
    ours("refer alone", enabled=False),
    DEFAULT,
    ours("window 200k", window=200_000),
    ours("window 128k", window=128_000),
    ours("window 64k", window=64_000),
)
"""What the bench of the context lists; the plain recipes are those that were once found to be
cheaper, or to keep more, in some pool."""

AT_THE_MARK: tuple[Plan, ...] = (cut.plan, digest.plan, cut.before_last_answer, trim.plan)
"""What every policy does where its window is full: what is new is cut, a summary takes the place
of the old part, and what still does not fit leaves."""


def sight_policies(window: int, own: Mapping[str, PipelineSettings]) -> tuple[Policy, ...]:
    """List what the bench of sight compares in a window: others by their rules, ours by settings.

    ``own``: settings of ours, by the name under which they are shown.
    """

    def other(name: str, *stages: Plan) -> Policy:
        settings = PipelineSettings(refer=ReferSettings(enabled=False))
        return Policy(name=name, stages=(*stages, *AT_THE_MARK), settings=settings, window=window)

    return (
        NOTHING,
        other("protect 40k, free 20k", clear_beyond(40_000, 20_000)),
        other("never prune, summary"),
        other("keep to 80 %, oldest", keep_below(0.8)),
        *(
            Policy(name=name, stages=STAGES, settings=settings, window=window, ours=True)
            for name, settings in own.items()
        ),
    )


def floor_policy(window: int, last_use: Mapping[str, int], requests: int) -> Policy:
    """Make the policy of a planner that knows which results of one session will be used."""
    settings = PipelineSettings(refer=ReferSettings(enabled=False))
    stages = (foreseeing(last_use, requests), *AT_THE_MARK)
    return Policy(name="knows the future", stages=stages, settings=settings, window=window)
