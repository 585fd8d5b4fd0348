"""The tool results in view, and how important each is."""

from collections.abc import Iterable
from dataclasses import dataclass

from plimsoll.context.index.names import References
from plimsoll.context.index.results import ToolResult
from plimsoll.context.log.entries import ItemState
from plimsoll.context.pipeline.proposal import NextRequest
from plimsoll.context.pipeline.settings import PruningSettings
from plimsoll.context.view.view import Group, RenderedItem


@dataclass(frozen=True, slots=True)
class VisibleResult:
    """A tool result in the view."""

    result: ToolResult
    shown: RenderedItem
    group: Group

    @property
    def tokens(self) -> int:
        """The tokens of the result in its present form."""
        return self.shown.tokens

    @property
    def whole(self) -> bool:
        """Whether the result is verbatim."""
        return self.shown.state is ItemState.VERBATIM


REDUCIBLE = frozenset({ItemState.VERBATIM, ItemState.TRUNCATED, ItemState.REFERRED})
"""Forms of a result that are longer than a note."""


def visible_results(next_request: NextRequest) -> list[VisibleResult]:
    """Return the tool results in view, in order."""
    return results_from(next_request, 0)


def results_from(next_request: NextRequest, index: int) -> list[VisibleResult]:
    """Return the tool results in view from a group on, in order."""
    known = next_request.indexes.results.by_item()
    return [
        VisibleResult(result, shown, each.group)
        for each in next_request.fold.rendered_groups()[max(0, index) :]
        for shown in each.results
        if (result := known.get(shown.item)) is not None
    ]


def reducible_results(next_request: NextRequest, least: int) -> list[VisibleResult]:
    """Return the results of at least ``least`` tokens whose form may become shorter still."""
    known = next_request.indexes.results.by_item()
    return [
        VisibleResult(result, shown, each.group)
        for each in next_request.fold.rendered_groups()
        for shown in each.results
        if shown.tokens >= least and shown.state in REDUCIBLE
        if (result := known.get(shown.item)) is not None
    ]


def ordered_by_importance(
    next_request: NextRequest, results: Iterable[VisibleResult]
) -> list[VisibleResult]:
    """Order results for pruning, the least important first; of equal ones the oldest."""
    settings, references = next_request.settings.pruning, next_request.indexes.references
    return sorted(results, key=lambda each: -importance(each.result, settings, references))


def importance(result: ToolResult, settings: PruningSettings, references: References) -> int:
    """Rate how early a result is pruned, in points: the highest goes first."""
    weight = settings.weights.get(result.name, result.traits.weight)
    if weight is None:
        weight = settings.weights.get("unknown", 50)
    weight -= settings.reference_points * references.counts().get(result.item, 0)
    return weight - (
        settings.decision_points if result.item in references.decision_results() else 0
    )
