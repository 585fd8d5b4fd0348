"""What a pruned result leaves behind: a note, and the names that stand nowhere else in view."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from plimsoll.context.draft import Draft
from plimsoll.context.entries import State
from plimsoll.context.placeholders import fitted, pruned
from plimsoll.context.standing import Standing

NAMES_SHARE = 0.25
"""Of a result that the names in its note may take."""


def notes_for(draft: Draft, chosen: Sequence[Standing]) -> Iterator[tuple[str, str]]:
    """The note of each result that leaves; each name is kept in the first one that held it."""
    standing = _left(draft, chosen)
    kept: set[str] = set()
    count = draft.fold.ledger.bare
    for each in chosen:
        most = min(draft.knobs.pruning.names_tokens, int(each.tokens * NAMES_SHARE))
        lost = _lost(draft.fold.names.of(each.shown.part.text), standing, kept)
        names = fitted(lost, most, count)
        kept.update(names)
        text = pruned(each.result, names)
        if each.shown.state is State.REFERRED or count(text) < each.tokens:
            yield each.result.item, text


def _left(draft: Draft, chosen: Iterable[Standing]) -> Mapping[str, int]:
    """In how many items each name of the chosen results will still stand."""
    gone: Counter[str] = Counter()
    for each in chosen:
        gone.update(draft.fold.names.of(each.shown.part.text))
    standing = draft.fold.standing_names
    return {name: standing.get(name, 0) - times for name, times in gone.items()}


def _lost(names: Iterable[str], standing: Mapping[str, int], kept: set[str]) -> Iterator[str]:
    for name in names:
        if standing[name] <= 0 and name not in kept:
            yield name
