"""What is decided of a result as it arrives: whether it is cut, by which count."""

import pytest

from builders import exchange, system, user, words
from plimsoll.context.budget import budget_for
from plimsoll.context.stages.pipeline import NextRequest, PipelineSettings
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.ledger import Ledger
from plimsoll.session.environment import CountedClock
from plimsoll.session.turn.ingest import RESULT_SHARE, ingest_edits, too_long

BUDGET = budget_for(32_000)


def twice(text: str) -> int:
    return 2 * words(text)


@pytest.mark.parametrize(
    ("ledger", "share", "cut"),
    [
        (Ledger(words), 0.9, False),
        (Ledger(words), 1.1, True),
        (Ledger(twice, likely=words), 0.9, False),
        (Ledger(twice, likely=words), 1.1, True),
        (Ledger(lambda text: 2 * twice(text), likely=words), 0.6, True),
    ],
    ids=["within", "over", "within but for caution", "over all the same", "far over with caution"],
)
def test_a_result_is_cut_by_what_it_likely_has(ledger, share, cut):
    """Cut for caution alone, it would be read again in full once the count is known."""
    text = "word " * int(BUDGET.effective // RESULT_SHARE * share)
    asked, said = exchange(1, text, "file_read", '{"path":"x"}')
    fold = Fold(ledger, [system(), user("u1", "read"), asked])
    before = NextRequest(fold=fold, budget=BUDGET, settings=PipelineSettings())
    assert too_long(said, before) is cut
    fold.append(said)
    edits = ingest_edits(said, before, CountedClock(), cut=True)
    assert ledger.likely(edits[0].ops[0].text) <= BUDGET.effective // RESULT_SHARE
