"""What stands in the place of a result: a note that says what was there and how to find it.

A pruned result also leaves some of the names and words behind that stand nowhere else in view.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from plimsoll.context.index.names import NameIndex, name_tokens, shared_words, words_of
from plimsoll.context.index.results import ToolResult
from plimsoll.context.index.telling import reported_lines
from plimsoll.context.log.entries import ItemState
from plimsoll.context.stages.pipeline import NextRequest
from plimsoll.context.stages.visible_results import VisibleResult
from plimsoll.context.view.fold import Fold

LONGEST_TARGET = 48
"""Characters of a command or path in a note: the whole call stands right before it."""


def about(result: ToolResult) -> str:
    """Describe a result in a few words: tool and target."""
    target = result.target
    if len(target) > LONGEST_TARGET:
        target = f"{target[:LONGEST_TARGET]}…"
    return f"{result.name or 'tool'} {target}".strip()


def size(result: ToolResult) -> str:
    """Say how long a result is."""
    lines = result.part.text.count("\n") + 1
    return f"{lines:,} lines" if lines > 1 else f"{len(result.part.text):,} characters"


def pruned(
    result: ToolResult,
    names: Iterable[str] = (),
    words: Iterable[str] = (),
    lines: Iterable[str] = (),
) -> str:
    """Write the note of a pruned result, with the names and words that stand nowhere else.

    ``lines``: those that say what came of a command.
    """
    note = f"[pruned: {about(result)}, {size(result)}{_code(result)}]"
    kept = {"lines": "\n".join(lines), "names": " ".join(names), "words": " ".join(words)}
    return "\n".join([note, *(f"[{kind} in it: {text}]" for kind, text in kept.items() if text)])


def _code(result: ToolResult) -> str:
    return "" if result.exit_code is None else f", exit code {result.exit_code}"


def superseded(result: ToolResult, by: ToolResult, turn: int) -> str:
    """Write the note of a result whose content stands in a later one."""
    later = "read again" if by.traits.reads else "the same"
    return f"[superseded: {about(result)}, {size(result)}; {later} in turn {turn}, item {by.item}]"


def unchanged(result: ToolResult, base: ToolResult, turn: int) -> str:
    """Write the pointer to the same content."""
    same = (result.name, result.arguments) == (base.name, base.arguments)
    what = f"unchanged since turn {turn}" if same else f"the same text stands in turn {turn}"
    return f"[{what}: {about(base)}, item {base.item}{_code(result)}]"


def within(base: ToolResult, lines: tuple[int, int], turn: int) -> str:
    """Write the pointer to some lines of a file that stands in view."""
    first, last = lines
    return f"[unchanged since turn {turn}: lines {first}-{last} of {about(base)}, item {base.item}]"


def changed(base: ToolResult, turn: int, lines: Iterable[str]) -> str:
    """Write the pointer to an earlier content, with the lines in which the new one differs."""
    head = (
        f"[changed since turn {turn}: {about(base)}, item {base.item}; all other lines are equal]"
    )
    return "\n".join([head, *lines])


def partly(base: ToolResult, turn: int, lines: Iterable[str]) -> str:
    """Write the note of a text whose known lines are folded, and say where those stand."""
    return "\n".join([f"[partly known from turn {turn}: {about(base)}, item {base.item}]", *lines])


NAMES_SHARE = 0.12
"""The share of a result that the names and words in its note may take."""
LEAST_NAMES = 40
"""Tokens that they may take of a small result."""
NOTE_TOKENS = 16
"""The tokens of a note without names, about."""


def notes_for(
    next_request: NextRequest, chosen: Sequence[VisibleResult]
) -> Iterator[tuple[str, str]]:
    """Yield the note of each result that leaves; a name is kept in the first that held it.

    What a result is worth is decided by its names alone (`note_size`): words are kept since they
    cost little once it leaves, and none of them keeps a result in view.
    """
    fold = next_request.fold
    count, spoken = fold.ledger.bare, fold.references.spoken_words()
    names, words = _Leaving(fold, fold.names, chosen), _Leaving(fold, fold.words, chosen)
    for each in chosen:
        result = each.result
        lines = reported_lines(result.part.text) if result.traits.runs else ()
        told = pruned(result, lines=lines)
        kept = names.kept(each, spoken, names_room(next_request, each), told=told)
        told, room = f"{told} {' '.join(kept)}", words_room(next_request, each, kept)
        text = pruned(result, kept, words.kept(each, spoken, room, told=told), lines)
        if each.shown.state is ItemState.REFERRED or count(text) < each.tokens:
            yield each.result.item, text


class _Leaving:
    """The names, or words, of results that leave, and which of them stand nowhere else."""

    def __init__(self, fold: Fold, index: NameIndex, chosen: Sequence[VisibleResult]) -> None:
        gone: Counter[str] = Counter()
        for each in chosen:
            gone.update(index.of(each.shown.part.text))
        standing = fold.standing(index)
        self._index = index
        self._lost = {name for name, times in gone.items() if standing.get(name, 0) <= times}

    def kept(
        self,
        each: VisibleResult,
        spoken: frozenset[str] | set[str],
        room: int,
        *,
        told: str = "",
    ) -> list[str]:
        """Choose what the note of the next result keeps in so many tokens, in its order.

        ``spoken``: words that were said come first. ``told``: what the note says already.
        """
        if room <= 0:
            return []
        names = self._index.telling(each.shown.part.text)
        lost = [name for name in names if name in self._lost and name not in told]
        some = frozenset(fitted(by_relevance(lost, spoken), room))
        self._lost -= some
        return [name for name in lost if name in some]


def note_size(next_request: NextRequest, each: VisibleResult) -> int:
    """Estimate the tokens that the note of a result takes at most, without writing it."""
    names = next_request.fold.names.weight(each.shown.part.text)
    return NOTE_TOKENS + min(names_room(next_request, each), names)


def names_room(next_request: NextRequest, each: VisibleResult) -> int:
    """Return the tokens for the names of a result."""
    share = max(LEAST_NAMES, int(each.tokens * NAMES_SHARE))
    return min(next_request.settings.pruning.names_tokens, share)


def words_room(next_request: NextRequest, each: VisibleResult, names: Iterable[str]) -> int:
    """Return the tokens for the words of a result: what its names have left, and some of its own.

    On seven recorded sessions 100 tokens more took the words that a later answer could still find
    from 92 to 97 %, at a thousandth of the cost.
    """
    own = min(next_request.settings.pruning.names_tokens // 3, each.tokens // 10)
    return names_room(next_request, each) - sum(map(name_tokens, names)) + own


def by_relevance(names: Sequence[str], spoken: frozenset[str] | set[str]) -> list[str]:
    """Order names by how many of their words people and the assistant have said, else as given."""
    said = words_of("\n".join(names)) & spoken
    return sorted(names, key=lambda name: -shared_words(name, said)) if said else list(names)


def fitted(names: Iterable[str], most: int) -> list[str]:
    """Return the first names that take about so many tokens, without parts of one another.

    One that alone would take more is passed over.
    """
    kept: dict[str, int] = {}
    # A part that gives way stands in what it is a part of, so this only grows.
    room, held = most, ""
    for name in names:
        cost = name_tokens(name)
        if cost > most or name in held:
            continue
        parts = [other for other in kept if other in name]
        if cost > room + sum(kept[part] for part in parts):
            break
        room += sum(kept.pop(part) for part in parts) - cost
        kept[name] = cost
        held += f"\0{name}"
    return list(kept)
