"""The tool results that stand in the view, with what a stage must know of each."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from plimsoll.context.index.results import ToolResult
from plimsoll.context.log.entries import (
    Entry,
    Noted,
    Refer,
    State,
)
from plimsoll.context.stages.next_request import Draft
from plimsoll.context.view.groups import Group
from plimsoll.context.view.view import Shown


@dataclass(frozen=True, slots=True)
class Standing:
    """A tool result in the view."""

    result: ToolResult
    shown: Shown
    group: Group

    @property
    def tokens(self) -> int:
        """Tokens in its present form."""
        return self.shown.tokens

    @property
    def whole(self) -> bool:
        """Whether it stands word for word."""
        return self.shown.state is State.VERBATIM


REDUCIBLE = frozenset({State.VERBATIM, State.TRUNCATED, State.REFERRED})
"""Forms that hold more than a note."""


def standing_results(draft: Draft) -> list[Standing]:
    """The tool results in the view, in its order."""
    of = draft.fold.results.of
    return [
        Standing(result, shown, each.group)
        for each in draft.fold.settled()
        for shown in each.results
        if (result := of(shown.item)) is not None
    ]


def reducible_results(draft: Draft, least: int) -> list[Standing]:
    """Those in which so many tokens stand in a form that may become shorter still."""
    of = draft.fold.results.of
    return [
        Standing(result, shown, each.group)
        for each in draft.fold.settled()
        for shown in each.results
        if shown.tokens >= least and shown.state in REDUCIBLE
        if (result := of(shown.item)) is not None
    ]


def newest_results(draft: Draft, count: int) -> list[Standing]:
    """The newest results in the view, in its order."""
    found: list[Standing] = []
    of = draft.fold.results.of
    for each in reversed(draft.fold.settled()):
        if len(found) >= count:
            break
        results = ((of(shown.item), shown) for shown in reversed(each.results))
        found.extend(Standing(result, shown, each.group) for result, shown in results if result)
    return found[:count][::-1]


def standing_result(draft: Draft, item: str) -> Standing | None:
    """A tool result, if it stands in the view."""
    result, group = draft.fold.results.of(item), draft.fold.group_of(item)
    if result is None or group is None:
        return None
    shown = (each for each in draft.fold.settled()[group.place].results if each.item == item)
    return next((Standing(result, each, group) for each in shown), None)


def bases_in_use(draft: Draft, results: Sequence[Standing]) -> dict[str, list[Standing]]:
    """For each content that a pointer in view refers to, the results that point to it."""
    found: dict[str, list[Standing]] = {}
    for each in results:
        if each.shown.state is State.REFERRED:
            for base in _bases(draft, each.shown):
                found.setdefault(base, []).append(each)
    return found


def _bases(draft: Draft, shown: Shown) -> Iterator[str]:
    for edit, form in draft.fold.forms.get(shown.item, ()):
        if edit == shown.edit and isinstance(form, Refer):
            yield form.base


def newest_within(draft: Draft, tokens: int) -> list[Standing]:
    """The newest results that take so many tokens together with what they point to."""
    results = standing_results(draft)
    named = {draft.fold.name_of(each.shown): each for each in results}
    kept: list[Standing] = []
    counted: set[str] = set()
    room = tokens
    for each in reversed(results):
        bases = _bases(draft, each.shown) if each.shown.state is State.REFERRED else ()
        for one in (each, *(named[base] for base in bases if base in named)):
            if one.result.item not in counted:
                counted.add(one.result.item)
                room -= one.tokens
        if room < 0:
            break
        kept.append(each)
    return kept


def stale_items(entries: Iterable[Entry]) -> frozenset[str]:
    """Items whose file was changed since they were read."""
    stale: set[str] = set()
    for entry in entries:
        if isinstance(entry, Noted) and entry.item:
            if entry.what == "stale":
                stale.add(entry.item)
            elif entry.what == "fresh":
                stale.discard(entry.item)
    return frozenset(stale)
