"""Ways to keep a context small: what others do, ours, and one that knows the future."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from plimsoll.bench.recipes import clear_beyond, foreseeing, keep_below
from plimsoll.context.budget import Budget, budget_for
from plimsoll.context.pipeline.proposal import Plan
from plimsoll.context.pipeline.settings import PipelineSettings, ReferSettings, TruncationSettings
from plimsoll.context.stages import cut, digest, trim
from plimsoll.context.stages.preflight import STAGES

NO_PRESSURE = 1_000_000_000
"""A window that no session fills: the policy alone decides."""
WHOLE = TruncationSettings(max_lines=NO_PRESSURE, max_bytes=NO_PRESSURE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """A way to keep a context small: its stages, settings and window."""

    name: str
    stages: tuple[Plan, ...]
    settings: PipelineSettings
    window: int = NO_PRESSURE
    ours: bool = False

    @property
    def budget(self) -> Budget:
        """The budget of the window; other agents' policies may free any number of tokens."""
        budget = budget_for(self.window, self.settings.budget)
        return budget if self.ours else replace(budget, window=1)


NOTHING = Policy(
    name="no reduction",
    stages=(),
    settings=PipelineSettings(refer=ReferSettings(enabled=False), truncation=WHOLE),
)
AT_THE_MARK: tuple[Plan, ...] = (cut.plan, digest.plan, cut.before_last_answer, trim.plan)
"""What every policy does where its window is full: what is new is cut, a summary takes the place
of the old part, and what still does not fit leaves."""


def policies_in(window: int, own: Mapping[str, PipelineSettings]) -> tuple[Policy, ...]:
    """List the policies to compare in a window: none, other agents' by their rules, and ours.

    ``own``: settings of ours, by the name under which they are shown.
    """
    return (
        NOTHING,
        _other("protect 40k, free 20k", window, clear_beyond(40_000, 20_000)),
        _other("keep results, summary", window),
        _other("keep to 80 %, oldest", window, keep_below(0.8)),
        *(
            Policy(name=name, stages=STAGES, settings=settings, window=window, ours=True)
            for name, settings in own.items()
        ),
    )


def floor_policy(window: int, last_use: Mapping[str, int], requests: int) -> Policy:
    """Make the best possible policy: it knows which results of a session will be used."""
    return _other("knows the future", window, foreseeing(last_use, requests))


def _other(name: str, window: int, *stages: Plan) -> Policy:
    settings = PipelineSettings(refer=ReferSettings(enabled=False))
    return Policy(name=name, stages=(*stages, *AT_THE_MARK), settings=settings, window=window)
