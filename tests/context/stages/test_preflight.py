"""The pre-flight: the stages in cost order, and what no stage can make fit."""

from builders import LEDGER, conversation, pin
from plimsoll.context.budget import budget_for
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.pipeline.proposal import NextRequest
from plimsoll.context.pipeline.settings import PipelineSettings
from plimsoll.context.stages.preflight import STAGES, preflight
from plimsoll.context.view.fold import Fold


def test_the_stages_stand_in_cost_order():
    assert [plan.__module__.rpartition(".")[2] for plan in STAGES] == [
        "dedup",
        "prune",
        "prune",
        "cut",
        "compact",
        "digest",
        "cut",
        "trim",
    ]


def test_what_must_stay_and_does_not_fit_is_said_with_the_items_and_the_tokens():
    """Loops on what cannot fit: opencode #27924, cline #9510; said here, with no edit in vain."""
    fold = Fold(LEDGER, [*conversation(2), pin(1, "always " * 4_000)])
    found = preflight(
        NextRequest(indexes=Indexes(fold), budget=budget_for(4_096), settings=PipelineSettings())
    )
    assert found.missing == found.view.tokens - budget_for(4_096).effective > 0
    assert found.heaviest[0].item == "pin.p1"
