"""Ways to keep a context small: what others do, and ours at several settings."""

from dataclasses import dataclass, replace
from typing import Any

from plimsoll.context.budget import Budget, budget_for
from plimsoll.context.stages import prune
from plimsoll.context.stages.pipeline import (
    PipelineSettings,
    Plan,
    PruningSettings,
    ReferSettings,
)
from plimsoll.context.stages.placeholders import notes_for
from plimsoll.context.stages.preflight import STAGES
from plimsoll.context.stages.truncate import TruncationSettings
from plimsoll.session.bench.recipes import clear_over, sliding, with_words

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


def _noting(most: int) -> tuple[Plan, ...]:
    """Take the whole pipeline with other notes where it prunes."""
    prunes = (prune.plan, prune.in_room)
    return tuple(with_words(stage, most) if stage in prunes else stage for stage in STAGES)


NOTHING = _peer("no reduction")
MASKED = _peer("sliding mask, keep 10", sliding(10))
CLEARED = _peer("clear over 30k, keep 3, at least 5k", clear_over(30_000, 3, 5_000))
DEFAULT = ours("default: keep 1")
POINTED = Policy(
    name="pointers, clear over 30k, notes of 150",
    stages=(clear_over(30_000, 3, 5_000, notes_for),),
    settings=replace(OFF, refer=ReferSettings(), pruning=PruningSettings(names_tokens=150)),
)
POLICIES: tuple[Policy, ...] = (
    NOTHING,
    MASKED,
    _peer("clear over 30k, keep 3", clear_over(30_000, 3)),
    CLEARED,
    POINTED,
    ours("refer alone", enabled=False),
    ours("keep 10", keep_results=10),
    ours("keep 2", keep_results=2),
    DEFAULT,
    ours("referenced or not", keep_referenced=0),
    ours("referenced or not, names 0", keep_referenced=0, names_tokens=0),
    ours("line numbers and words, notes of 600", stages=_noting(600), names_tokens=600),
    ours("window 200k", window=200_000),
    ours("window 128k", window=128_000),
    ours("window 64k", window=64_000),
)
"""What the bench of the context lists; the plain recipes are those that were once found to be
cheaper, or to keep more, in some pool."""
