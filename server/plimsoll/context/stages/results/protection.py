"""Which tool results a prune must leave in view."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from plimsoll.context.log.entries import ItemState, Refer
from plimsoll.context.pipeline.due import reached_compact
from plimsoll.context.pipeline.proposal import NextRequest
from plimsoll.context.stages.results.visible_results import (
    REDUCIBLE,
    VisibleResult,
    reducible_results,
    results_from,
)
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.unseen import newest_answer
from plimsoll.context.view.view import RenderedItem

LEAST_TOKENS = 100
"""Tokens of a result; a note on a smaller one is hardly shorter."""
LONGEST_ERROR = 1_000
"""Tokens; a longer failed result is a log of a command and is pruned like others."""
LONGEST_EDIT = 100
"""Tokens; a longer result of an edit shows the file again, and is pruned: the change itself is in
the call, which stays."""


def protected_results(next_request: NextRequest) -> list[VisibleResult]:
    """Return the results that the work may need word for word, in the order of the view.

    Those are the newest tool output and, below the compact mark, all of the last turns. At the mark
    turns are not protected: one turn may be the whole session.
    """
    pruning, budget = next_request.settings.pruning, next_request.budget
    newest = newest_within(next_request, budget.protected_tokens(pruning.protect_tokens))
    if reached_compact(next_request):
        return newest
    turns = results_of_last_turns(next_request, pruning.protect_turns)
    found = {each.result.item: each for each in (*newest, *turns)}
    return sorted(found.values(), key=lambda each: each.result.index)


def protected_groups(next_request: NextRequest) -> frozenset[str]:
    """Return the groups that hold a protected result."""
    return frozenset(each.group.id for each in protected_results(next_request))


def results_of_last_turns(next_request: NextRequest, before: int) -> list[VisibleResult]:
    """Return the results of the current turn and ``before`` turns before it; none if 0."""
    return results_from(next_request, first_of_last_turns(next_request.fold, before))


def first_of_last_turns(fold: Fold, before: int) -> int:
    """Return the index of the first group of the current turn and ``before`` turns before it.

    If ``before`` is 0, it is the index after the last group.
    """
    rendered = fold.rendered_groups()
    if not before or not rendered:
        return len(rendered)
    # Turns are counted one by one, so that their numbers stand in order and leave none out.
    return bisect_left(rendered, rendered[-1].group.turn - before, key=lambda each: each.group.turn)


def tokens_without_turn(next_request: NextRequest) -> int:
    """Count the tokens of the results that no turn protects.

    An upper bound of what may leave below the compact mark: often it is 0, and nothing more has to
    be computed.
    """
    fold = next_request.fold
    start = first_of_last_turns(fold, next_request.settings.pruning.protect_turns)
    return sum(
        shown.tokens
        for rendered in fold.rendered_groups()[:start]
        for shown in rendered.results
        if shown.tokens >= LEAST_TOKENS and shown.state in REDUCIBLE
    )


def newest_within(next_request: NextRequest, tokens: int) -> list[VisibleResult]:
    """Return the newest results that fit ``tokens`` together with the bases of pointers."""
    kept: list[VisibleResult] = []
    counted: set[str] = set()
    for each in _newest_first(next_request):
        for shown in (each.shown, *_pointed_to(next_request.fold, each.shown)):
            if shown.item not in counted:
                counted.add(shown.item)
                tokens -= shown.tokens
        if tokens < 0:
            break
        kept.append(each)
    return kept[::-1]


def _newest_first(next_request: NextRequest) -> Iterator[VisibleResult]:
    known = next_request.indexes.results.by_item()
    for rendered in reversed(next_request.fold.rendered_groups()):
        for shown in reversed(rendered.results):
            if (result := known.get(shown.item)) is not None:
                yield VisibleResult(result, shown, rendered.group)


def _pointed_to(fold: Fold, shown: RenderedItem) -> Iterator[RenderedItem]:
    """Yield the results that show the content which a pointer refers to."""
    for base in bases_of(fold, shown):
        for rendered in fold.groups_with_content(base):
            yield from (each for each in rendered.results if fold.name_of(each) == base)


def bases_of(fold: Fold, shown: RenderedItem) -> Iterator[str]:
    """Yield the contents that an item refers to, while it is a pointer."""
    if shown.state is not ItemState.REFERRED:
        return
    for edit, form in fold.forms.get(shown.item, ()):
        if edit == shown.edit and isinstance(form, Refer):
            yield form.base


def pointers_to(fold: Fold, results: Sequence[VisibleResult]) -> dict[str, list[VisibleResult]]:
    """Map contents to the pointers among some results that refer to them."""
    found: dict[str, list[VisibleResult]] = {}
    for each in results:
        for base in bases_of(fold, each.shown):
            found.setdefault(base, []).append(each)
    return found


def free_results(
    next_request: NextRequest, protected: Sequence[VisibleResult]
) -> list[VisibleResult]:
    """Return the results that may be pruned, in the order of the view.

    Results that no request has carried stay. Bases of pointers among those or the protected ones
    stay too: without them the pointers would be shown in full again.
    """
    fold, unseen = next_request.fold, newest_answer(next_request.fold)
    kept = {each.result.item for each in protected}
    used = pointers_to(fold, [*protected, *results_from(next_request, unseen)])
    return [
        each
        for each in reducible_results(next_request, LEAST_TOKENS)
        if each.group.index < unseen
        and each.result.item not in kept
        and may_leave(each, next_request)
        and fold.name_of(each.shown) not in used
    ]


def may_leave(each: VisibleResult, next_request: NextRequest) -> bool:
    """Tell whether a result may be pruned: what a person restored stays until blocking."""
    if is_exempt(each):
        return False
    kept = is_brought_back(each, next_request.fold)
    return not kept or next_request.load >= next_request.budget.blocking


def is_brought_back(each: VisibleResult, fold: Fold) -> bool:
    """Tell whether a person restored the result or its group."""
    return each.result.item in fold.shielded or each.group.id in fold.shielded


def is_exempt(each: VisibleResult) -> bool:
    """Tell whether a result always stays: a refusal, a short error, the short result of an edit.

    Long ones may leave: keeping long test logs doubled the cost of one recorded day, and results of
    edits that show the file were a sixth of the cost of another.
    """
    if each.result.part.rejection is not None:
        return True
    if each.result.failed:
        return each.tokens <= LONGEST_ERROR
    return each.result.traits.edits and each.tokens <= LONGEST_EDIT
