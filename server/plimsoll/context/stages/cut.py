"""Cut: near the limit, results that no request has carried are shortened to fit.

Head and tail stay, and the most informative lines between them. The prefix is not rewritten, as
these results were never sent.
"""

from collections.abc import Iterator, Sequence

from plimsoll.context.budget import Budget
from plimsoll.context.index.names import words_of
from plimsoll.context.log.entries import ItemState, Replace, Stage
from plimsoll.context.pipeline.due import at_blocking, due
from plimsoll.context.pipeline.proposal import NextRequest, Proposal
from plimsoll.context.stages.results.placeholders import kept_whole_in, recall_of
from plimsoll.context.stages.results.visible_results import results_from
from plimsoll.context.stages.truncate import truncate
from plimsoll.context.view.unseen import newest_answer
from plimsoll.context.view.view import RenderedItem

LEAST_RESULT = 200
"""Tokens; a result is never cut below this."""
LEAST_SHARE = 10
"""In a small window a result may be cut to effective divided by this."""
FAIR_SHARE = 16
"""A result keeps at least effective divided by this while something else may leave."""


def _proposal(next_request: NextRequest) -> Proposal | None:
    """Propose to cut new results if that alone fits the request at a fair size.

    The target is below the marks for a summary and for a forced last answer.
    """
    budget, fold = next_request.budget, next_request.fold
    new = [each.shown for each in results_from(next_request, newest_answer(fold))]
    excess = next_request.tokens - min(budget.compact, budget.force_final) + 1
    fair = max(least_result(budget), budget.effective // FAIR_SHARE)
    size = common_size([shown.tokens for shown in new], excess, fair)
    if size is None:
        return None
    ops = tuple(shorter(next_request, new, size))
    if not ops:
        return None
    why = f"the context is nearly full, so each new result is cut to {size:,} tokens"
    return Proposal(stage=Stage.TRUNCATE, why=why, ops=ops)


def _at_last_answer(next_request: NextRequest) -> bool:
    """Tell whether the next answer would be forced to be the last, or the request does not fit."""
    budget = next_request.budget
    return next_request.tokens >= min(budget.force_final, budget.blocking)


plan = due(at_blocking)(_proposal)
"""Propose to cut new results at the blocking mark."""
before_last_answer = due(_at_last_answer)(_proposal)
"""Propose to cut new results where the model could not go on otherwise."""


def least_result(budget: Budget) -> int:
    """Return the tokens below which no result is cut."""
    return min(LEAST_RESULT, budget.effective // LEAST_SHARE)


def common_size(sizes: Sequence[int], excess: int, least: int) -> int | None:
    """Compute the size to which the largest items must be cut to free the excess together.

    None if cutting them to ``least`` frees too little.
    """
    ordered = sorted((size for size in sizes if size > least), reverse=True)
    total = 0
    for number, size in enumerate(ordered):
        following = ordered[number + 1] if number + 1 < len(ordered) else least
        total += size
        level = (total - excess) // (number + 1)
        if level >= following:
            return level
    return None


def shorter(
    next_request: NextRequest, large: Sequence[RenderedItem], size: int
) -> Iterator[Replace]:
    """Cut all items that have more than ``size`` tokens to that size.

    A result is cut from its whole text, even if the view shows a pointer, whose base may leave. A
    result that is shorter than its notice stays as it is.
    """
    count = next_request.fold.ledger.bare
    for shown in large:
        if shown.tokens <= size:
            continue
        result = next_request.indexes.results.of(shown.item)
        kept_in = kept_whole_in(next_request.fold, shown.item)
        short = truncate(
            result.part.text if result else shown.part.text,
            next_request.settings.truncation,
            max_tokens=size - (shown.tokens - count(shown.part.text)),
            count=count,
            kept_in=kept_in,
            recall=recall_of(shown.item, next_request.fold),
            about=words_of(result.arguments) if result else None,
        )
        if count(short) < count(shown.part.text):
            yield Replace(shown.item, short, ItemState.TRUNCATED, kept_in)
