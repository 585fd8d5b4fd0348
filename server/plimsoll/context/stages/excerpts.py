"""What a pruned result leaves behind: a note, and the names that stand nowhere else in view."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from plimsoll.context.index.names import name_tokens, words_of
from plimsoll.context.log.entries import ItemState
from plimsoll.context.stages.next_request import NextRequest
from plimsoll.context.stages.placeholders import pruned
from plimsoll.context.stages.visible_results import VisibleResult

NAMES_SHARE = 0.15
"""Of a result that the names in its note may take."""
LEAST_NAMES = 40
"""Tokens that they may take of a small result."""
NOTE_TOKENS = 16
"""Of a note without names, about."""


def notes_for(draft: NextRequest, chosen: Sequence[VisibleResult]) -> Iterator[tuple[str, str]]:
    """The note of each result that leaves; each name is kept in the first one that held it."""
    standing = _left(draft, chosen)
    kept: set[str] = set()
    count, spoken = draft.fold.ledger.bare, draft.fold.references.spoken_words()
    for each in chosen:
        names = draft.fold.names.of(each.shown.part.text)
        lost = [name for name in names if standing[name] <= 0 and name not in kept]
        some = frozenset(fitted(by_relevance(lost, spoken), names_room(draft, each)))
        kept |= some
        text = pruned(each.result, [name for name in lost if name in some])
        if each.shown.state is ItemState.REFERRED or count(text) < each.tokens:
            yield each.result.item, text


def note_size(draft: NextRequest, each: VisibleResult) -> int:
    """Tokens that the note of a result takes at most, about, without writing it."""
    names = draft.fold.names.weight(each.shown.part.text)
    return NOTE_TOKENS + min(names_room(draft, each), names)


def names_room(draft: NextRequest, each: VisibleResult) -> int:
    """Tokens for the names of a result."""
    share = max(LEAST_NAMES, int(each.tokens * NAMES_SHARE))
    return min(draft.settings.pruning.names_tokens, share)


def by_relevance(names: Sequence[str], spoken: frozenset[str] | set[str]) -> list[str]:
    """Names with the most words that people and the assistant have said first, else in order."""
    return sorted(names, key=lambda name: -sum(word in spoken for word in words_of(name)))


def fitted(names: Iterable[str], most: int) -> list[str]:
    """The first names that take about so many tokens; a part of another is not repeated."""
    kept: dict[str, int] = {}
    room = most
    for name in names:
        if any(name in other for other in kept):
            continue
        parts = [other for other in kept if other in name]
        cost = name_tokens(name)
        if cost > room + sum(kept[part] for part in parts):
            break
        room += sum(kept.pop(part) for part in parts) - cost
        kept[name] = cost
    return list(kept)


def _left(draft: NextRequest, chosen: Iterable[VisibleResult]) -> Mapping[str, int]:
    """In how many items each name of the chosen results will still stand."""
    gone: Counter[str] = Counter()
    for each in chosen:
        gone.update(draft.fold.names.of(each.shown.part.text))
    standing = draft.fold.standing_names
    return {name: standing.get(name, 0) - times for name, times in gone.items()}
