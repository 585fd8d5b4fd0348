"""Plans of others: results leave by their place and age alone, with a note or without."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from plimsoll.context.log.entries import ItemState, Replace, Stage
from plimsoll.context.stages.pipeline import NextRequest, Plan, Proposal
from plimsoll.context.stages.placeholders import by_relevance, fitted, pruned
from plimsoll.context.stages.visible_results import (
    REDUCIBLE,
    VisibleResult,
    visible_result,
    visible_results,
)

PLACEHOLDER = "[old tool output cleared to save space]"
_LINE_NUMBER = re.compile(r"^ *(\d+)(?=[\t→:-])", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z]{4,}")
NOTE_SHARE = 0.25
"""The share of a result that a note with line numbers and words may take."""
LEAST_NOTE = 40
"""Tokens that it may take of a small result."""
Notes = Callable[[NextRequest, Sequence[VisibleResult]], Iterator[tuple[str, str]]]
"""What stands in the place of results that leave: items with their texts."""


def bare_notes(_: NextRequest, chosen: Sequence[VisibleResult]) -> Iterator[tuple[str, str]]:
    """Say that something was there, and nothing of it."""
    yield from ((each.result.item, PLACEHOLDER) for each in chosen)


def sliding(keep: int) -> Plan:
    """Make a plan that masks all but the newest results, with every request anew."""

    def plan(next_request: NextRequest) -> Proposal | None:
        return _cleared(next_request, visible_results(next_request)[:-keep], bare_notes)

    return plan


def clear_over(limit: int, keep: int, least: int = 0, notes: Notes = bare_notes) -> Plan:
    """Make a plan that over a limit clears all but the newest results, if that frees enough.

    ``notes`` writes what stands in their place.
    """

    def plan(next_request: NextRequest) -> Proposal | None:
        if next_request.tokens <= limit:
            return None
        proposal = _cleared(next_request, visible_results(next_request)[:-keep], notes)
        return replace(proposal, least=least) if proposal else None

    return plan


def _cleared(
    next_request: NextRequest, results: Sequence[VisibleResult], notes: Notes
) -> Proposal | None:
    left = [each for each in results if each.shown.state in REDUCIBLE]
    ops = tuple(Replace(item, text, ItemState.PRUNED) for item, text in notes(next_request, left))
    return Proposal(stage=Stage.PRUNE, why="", ops=ops) if ops else None


def with_words(plan: Plan, most: int) -> Plan:
    """Make a plan that prunes as another does, with other notes.

    A note has line numbers and words of four letters and more beside the names, up to ``most``
    tokens and a quarter of the result.
    """

    def noted(next_request: NextRequest) -> Proposal | None:
        proposal = plan(next_request)
        if proposal is None:
            return None
        forms = [op for op in proposal.ops if isinstance(op, Replace)]
        notes = _notes_with_words(next_request, [op.item for op in forms], most)
        return replace(proposal, ops=tuple(replace(op, text=notes[op.item]) for op in forms))

    return noted


def _notes_with_words(
    next_request: NextRequest, leaving: Sequence[str], most: int
) -> dict[str, str]:
    """Write the notes of results by item; what stands elsewhere, or in one of them, is left out."""
    items = frozenset(leaving)
    texts = (shown.part.text for shown in next_request.fold.view.items() if shown.item not in items)
    standing = {piece for text in texts for piece in _pieces(next_request, text)}
    spoken = next_request.fold.references.spoken_words()
    notes: dict[str, str] = {}
    for each in filter(None, (visible_result(next_request, item) for item in leaving)):
        lost = [p for p in _pieces(next_request, each.shown.part.text) if p not in standing]
        room = min(most, max(LEAST_NOTE, int(each.tokens * NOTE_SHARE)))
        some = frozenset(fitted(by_relevance(lost, spoken), room))
        standing |= some
        notes[each.result.item] = pruned(each.result, [piece for piece in lost if piece in some])
    return notes


def _pieces(next_request: NextRequest, text: str) -> dict[str, None]:
    """Return the names, line numbers and words of a text, each once."""
    names = next_request.fold.names.of(text)
    return dict.fromkeys([*names, *_LINE_NUMBER.findall(text), *_WORD.findall(text)])
