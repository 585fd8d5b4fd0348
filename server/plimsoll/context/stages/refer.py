"""Refer: what already stands in view enters as a pointer to it, or without the lines that do.

It costs no prefix, for nothing old changes. The fold shows the whole text again as soon as the
content referred to stands in view no more.
"""

from collections.abc import Iterator

from plimsoll.context.changes import changed_lines, folded_lines
from plimsoll.context.draft import Draft
from plimsoll.context.entries import Refer, Said, State
from plimsoll.context.forms import content_hash, cut_hash
from plimsoll.context.placeholders import changed, partly, unchanged, within
from plimsoll.context.results import ToolResult

LEAST_TOKENS = 100
"""Of a result; a pointer to less would hardly be shorter."""
LEAST_CHANGED = 250
"""Tokens of a result of which a part may enter as a pointer."""
POINTER_SHARE = 0.5
"""Of the result that a pointer may take."""
CHANGED_SHARE = 0.4
"""Of the result that its changed lines may take: past that the whole is easier to read."""
FOLDED_SHARE = 0.7
"""Of the result that it may take with its known lines folded."""
MOST_BASES = 3
"""Results that are compared, those that share the most lines."""


def refer(said: Said, draft: Draft) -> Refer | None:
    """The pointer with which a result enters; none when it enters in full."""
    if not draft.knobs.refer.enabled:
        return None
    result = draft.fold.results.about(said)
    tokens = draft.fold.ledger.bare(result.part.text)
    if tokens < LEAST_TOKENS:
        return None
    found = _pointer(result, draft)
    if found is not None:
        return found if _tokens(found, draft) <= tokens * POINTER_SHARE else None
    if tokens < LEAST_CHANGED:
        return None
    found = _changed(result, draft)
    if found is not None and _tokens(found, draft) <= tokens * CHANGED_SHARE:
        return found
    found = _folded(result, draft)
    return found if found and _tokens(found, draft) <= tokens * FOLDED_SHARE else None


def refer_cut(said: Said, draft: Draft, cut: str) -> Refer | None:
    """The pointer of a result that would be cut, to the same call's result that stands cut too.

    What its middle held is in neither, so nothing is lost by it; ``cut`` is the form beneath.
    """
    if not draft.knobs.refer.enabled:
        return None
    result = draft.fold.results.about(said)
    most = draft.fold.ledger.bare(cut) * CHANGED_SHARE
    for base in draft.fold.results.same_call(result.name, result.arguments):
        if not result.arguments or not _before(base, result, draft) or not _cut(base, draft):
            continue
        turn = _turn(base, draft)
        if base.part.text == result.part.text:
            text = unchanged(result, base, turn)
        else:
            lines = changed_lines(base.part.text, result.part.text)
            text = changed(base, turn, lines) if lines else ""
        found = Refer(result.item, cut_hash(content_hash(base.part.text)), text)
        return found if text and _tokens(found, draft) <= most else None
    return None


def _tokens(op: Refer, draft: Draft) -> int:
    return draft.fold.ledger.bare(op.text)


def _pointer(result: ToolResult, draft: Draft) -> Refer | None:
    """A pointer to the same content, or to a read that holds these lines of the same version."""
    base = next(_standing(draft, result, content_hash(result.part.text)), None)
    if base is not None:
        return _refer(result, base, unchanged(result, base, _turn(base, draft)))
    if result.lines is None or result.version is None or result.name != "file_read":
        return None
    for whole in _reads(result, draft):
        if whole.version == result.version and _covers(whole, result.lines):
            return _refer(result, whole, within(whole, result.lines, _turn(whole, draft)))
    return None


def _changed(result: ToolResult, draft: Draft) -> Refer | None:
    """The changed lines against the newest result of the same call that stands verbatim."""
    for base in draft.fold.results.same_call(result.name, result.arguments):
        if result.arguments and _before(base, result, draft) and verbatim(base, draft):
            lines = changed_lines(base.part.text, result.part.text)
            return _refer(result, base, changed(base, _turn(base, draft), lines)) if lines else None
    return None


def _folded(result: ToolResult, draft: Draft) -> Refer | None:
    """The result with the lines folded that stand verbatim in one earlier result."""
    for item in draft.fold.shared.sharing(result.part.text, MOST_BASES):
        base = draft.fold.results.of(item)
        if base is not None and _before(base, result, draft) and verbatim(base, draft):
            lines, runs = folded_lines(base.part.text, result.part.text)
            if runs:
                return _refer(result, base, partly(base, _turn(base, draft), lines))
    return None


def _refer(result: ToolResult, base: ToolResult, text: str) -> Refer:
    return Refer(result.item, content_hash(base.part.text), text)


def _standing(draft: Draft, result: ToolResult, content: str) -> Iterator[ToolResult]:
    """Results with this content that stand verbatim in earlier groups, newest first."""
    for group in reversed(draft.fold.holding(content)):
        for shown in group.results:
            base = draft.fold.results.of(shown.item)
            if base and draft.fold.name_of(shown) == content and _before(base, result, draft):
                yield base


def _reads(result: ToolResult, draft: Draft) -> Iterator[ToolResult]:
    """Reads of the same file that stand verbatim in earlier groups, newest first."""
    for base in reversed(draft.fold.results.all()):
        same = base.name == result.name and base.same_file(result)
        if same and _before(base, result, draft) and verbatim(base, draft):
            yield base


def verbatim(result: ToolResult, draft: Draft) -> bool:
    """Whether a result stands in the view word for word."""
    return _stands(result, State.VERBATIM, draft)


def _cut(result: ToolResult, draft: Draft) -> bool:
    return _stands(result, State.TRUNCATED, draft)


def _stands(result: ToolResult, state: State, draft: Draft) -> bool:
    group = draft.fold.group(result.group)
    shown = draft.fold.settled()[group.place].results if group else ()
    return any(s.item == result.item and s.state is state for s in shown)


def _before(base: ToolResult, result: ToolResult, draft: Draft) -> bool:
    """A base must stand in an earlier group."""
    first, second = draft.fold.group(base.group), draft.fold.group(result.group)
    return first is not None and (second is None or first.place < second.place)


def _turn(result: ToolResult, draft: Draft) -> int:
    group = draft.fold.group(result.group)
    return group.turn if group else 0


def _covers(whole: ToolResult, lines: tuple[int, int]) -> bool:
    return whole.lines is None or (whole.lines[0] <= lines[0] and lines[1] <= whole.lines[1])
