"""What each tool result of a log is about, and whether any prune of results can pay now.

A cut at a place pays if ``read x turns x freed`` is more than ``ratio`` times what the rewriting
costs. Both sums grow towards the front of the request, so each place is a point (freed before it,
kept before it) and the best one for a ratio of prices lies on the upper hull of the points. A new
result adds one point, and the hull answers in a binary search.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from posixpath import normpath

from plimsoll.context.index.calls import arguments_of, target_of
from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import Part, PartKind, Role, part_item
from plimsoll.context.log.traits import ToolTraits
from plimsoll.context.view.view import SettledGroup


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """A tool result with what its call asked for."""

    item: str
    group: str
    index: int
    """Among all results of the log, from 0."""
    part: Part
    name: str
    """The tool."""
    arguments: str
    """Canonical JSON of the call's arguments; empty for a result without a call."""
    target: str
    """The path, command or pattern that the call was about, on one line."""
    path: str | None
    """The file or folder that the call named."""
    exit_code: int | None
    traits: ToolTraits
    """What the tool is."""

    @property
    def failed(self) -> bool:
        """Whether the result reports an error."""
        return self.part.failed or self.exit_code not in {None, 0}

    @property
    def file(self) -> str:
        """The file or folder that the call named, spelled one way; empty when it named none."""
        return normpath(self.path) if self.path else ""

    @property
    def version(self) -> str | None:
        """The SHA-256 of the whole file that was read."""
        return self.part.source.version if self.part.source else None

    def same_file(self, other: "ToolResult") -> bool:
        """Tell whether both are surely about one file."""
        if self.part.source is not None and other.part.source is not None:
            return self.part.source.uri == other.part.source.uri
        return bool(self.file) and self.file == other.file

    @property
    def lines(self) -> tuple[int, int] | None:
        """The lines that it shows of its file; none: all."""
        return self.part.source.lines if self.part.source else None


class Unread:
    """The messages of a log that an index has not read: each reads each once, when it is asked."""

    def __init__(self, messages: Sequence[Said]) -> None:
        """``messages`` grows as the log does."""
        self._messages = messages
        self._known = 0

    def take(self) -> Sequence[Said]:
        """Return those that have come since the last time."""
        fresh, self._known = self._messages[self._known :], len(self._messages)
        return fresh


class ResultIndex:
    """The results of a log in its order."""

    def __init__(self, messages: Sequence[Said]) -> None:
        self._results: list[ToolResult] = []
        self._of: dict[str, ToolResult] = {}
        self._calls: dict[tuple[str, str], Part] = {}
        self._asked: dict[tuple[str, str], list[ToolResult]] = {}
        self._unread = Unread(messages)

    def all(self) -> Sequence[ToolResult]:
        """Return every result, oldest first, those that left the view included."""
        self._read()
        return self._results

    def of(self, item: str) -> ToolResult | None:
        """Return the result behind an item."""
        self._read()
        return self._of.get(item)

    def same_call(self, name: str, arguments: str) -> Iterator[ToolResult]:
        """Return the results of the calls with this tool and these arguments, newest first."""
        self._read()
        return reversed(self._asked.get((name, arguments), []))

    def about(self, said: Said) -> ToolResult:
        """Return a result that may not stand in the log yet, beside the call that does."""
        self._read()
        return self._result(said, said.parts[0], part_item(said.id, 0))

    def _read(self) -> None:
        for said in self._unread.take():
            for number, part in enumerate(said.parts):
                if part.kind is PartKind.CALL:
                    self._calls[said.group, part.call_id or ""] = part
                elif part.kind is PartKind.RESULT and said.role is Role.TOOL:
                    self._add(self._result(said, part, part_item(said.id, number)))

    def _add(self, found: ToolResult) -> None:
        self._results.append(found)
        self._of[found.item] = found
        self._asked.setdefault((found.name, found.arguments), []).append(found)

    def _result(self, said: Said, part: Part, item: str) -> ToolResult:
        call = self._calls.get((said.group, part.call_id or ""))
        arguments = arguments_of(call) if call else None
        path = arguments.get("path") if arguments else None
        return ToolResult(
            item=item,
            group=said.group,
            index=len(self._results),
            part=part,
            name=(call.name if call else None) or part.name or "",
            arguments=call.text if call else "",
            target=target_of(arguments) if arguments else "",
            path=path if isinstance(path, str) else None,
            exit_code=part.exit_code,
            traits=call.traits if call else part.traits,
        )


LEAST_LINE = 8
"""Characters; shorter lines stand everywhere."""
MOST_HOLDERS = 8
"""Results remembered for a line, the newest ones."""


class LineIndex:
    """The lines of tool results.

    Lines are kept as hashes: a collision would only propose a base that then does not match.
    """

    def __init__(self, messages: Sequence[Said]) -> None:
        self._holders: dict[int, tuple[str, ...]] = {}
        """The lines of a text that no other holds share one value: there are many of them."""
        self._age: dict[str, int] = {}
        self._unread = Unread(messages)

    def sharing(self, text: str, most: int) -> list[str]:
        """Find the items that share the most characters in whole lines; equal ones newest first."""
        self._read()
        shared: dict[str, int] = {}
        for line in _lines(text):
            for item in self._holders.get(hash(line), ()):
                shared[item] = shared.get(item, 0) + len(line)
        ordered = sorted(shared, key=lambda item: (-shared[item], -self._age[item]))
        return ordered[:most]

    def _read(self) -> None:
        for said in self._unread.take():
            for number, part in enumerate(said.parts):
                if part.kind is PartKind.RESULT:
                    self._add(part_item(said.id, number), part.text)

    def _add(self, item: str, text: str) -> None:
        self._age[item] = len(self._age)
        alone = (item,)
        lines: dict[int, tuple[str, ...]] = {hash(line): alone for line in _lines(text)}
        for line in lines.keys() & self._holders.keys():
            lines[line] = (*self._holders[line], item)[-MOST_HOLDERS:]
        self._holders.update(lines)


def _lines(text: str) -> Iterable[str]:
    return (line for line in dict.fromkeys(text.split("\n")) if len(line) >= LEAST_LINE)


@dataclass(frozen=True, slots=True)
class PruneCandidate:
    """A result that may be pruned some day."""

    item: str
    freed: int
    """Tokens that its note is shorter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PruneQuestion:
    """What a cut must be worth to pay."""

    sent: int
    """Index of the first group that the cache does not hold."""
    unseen: int
    """Index of the first group whose results must stay."""
    kept: frozenset[str]
    """The newest results, which stay too."""
    least: int
    """Tokens that a cut must free."""
    saved: float
    """What is saved by each token that goes."""
    cost: float
    """What each rewritten token costs."""


class PruneOutlook:
    """The places at which a prune may begin, kept up to date as groups change."""

    def __init__(self) -> None:
        self._names_tokens: int | None = None
        """The setting with which the notes were weighed."""
        self._known = 0
        """Groups before this index stand as they were read."""
        self._tokens = [0]
        """Before each group."""
        self._first = [0]
        """The first candidate of each group."""
        self._items: list[str] = []
        self._freed = [0]
        """Before each candidate."""
        self._stays: list[int] = []
        """Before each candidate, what the ones before it free not counted."""
        self._hull: list[int] = []
        self._offered = 0
        """Candidates that the hull has seen."""

    @property
    def known(self) -> int:
        """The index of the first group that has to be read."""
        return self._known

    @property
    def freed(self) -> int:
        """The tokens that all candidates together would free."""
        return self._freed[-1]

    def changed(self, index: int) -> None:
        """Note that the form or visibility of a group has changed."""
        self._known = min(self._known, index)

    def catch_up(
        self,
        groups: Sequence[SettledGroup],
        names_tokens: int,
        candidates_of: Callable[[SettledGroup], Iterable[PruneCandidate]],
    ) -> None:
        """Read the groups that are new or stand otherwise, or all if the notes weigh otherwise."""
        if names_tokens != self._names_tokens:
            self._names_tokens = names_tokens
            self.changed(0)
        for group in groups[self._known :]:
            self.add_group(group, candidates_of(group))

    def add_group(self, group: SettledGroup, candidates: Iterable[PruneCandidate]) -> None:
        """Add the next group, with its candidates in the order of the view."""
        index = group.index
        if index + 1 < len(self._tokens):
            self._forget(index)
        start = self._tokens[index] + (group.lines[0].tokens if group.lines else 0)
        for each in candidates:
            self._items.append(each.item)
            self._stays.append(start - self._freed[-1])
            self._freed.append(self._freed[-1] + each.freed)
        self._tokens.append(self._tokens[index] + group.tokens)
        self._first.append(len(self._items))
        self._known = index + 1

    def can_any_pay(self, asked: PruneQuestion) -> bool:
        """Tell whether a cut may pay; where it says no, none does."""
        end = self._end(asked)
        total = self._freed[end]
        if total < asked.least or asked.saved <= 0:
            return False
        unsent = min(end, self._first[self._group(asked.sent)])
        if total - self._freed[unsent] >= asked.least:
            return True
        self._offer(end, asked.least)
        if not self._hull:
            return False
        best = self._best(asked.saved / asked.cost if asked.cost > 0 else float("inf"))
        kept = self._tokens[self._group(asked.sent)] - self._freed[unsent] - self._stays[best]
        return asked.saved * (total - self._freed[best]) > asked.cost * kept

    def _group(self, index: int) -> int:
        return max(0, min(index, len(self._first) - 1))

    def _end(self, asked: PruneQuestion) -> int:
        """Return the number of candidates before those that must stay."""
        end = self._first[self._group(asked.unseen)]
        while end and self._items[end - 1] in asked.kept:
            end -= 1
        return end

    def _offer(self, end: int, least: int) -> None:
        """Let the hull see the candidates behind which enough would go."""
        while self._offered < end and self._freed[end] - self._freed[self._offered] >= least:
            self._push(self._offered)
            self._offered += 1

    def _push(self, number: int) -> None:
        hull = self._hull
        while len(hull) > 1 and not self._turns(hull[-2], hull[-1], number):
            hull.pop()
        hull.append(number)

    def _turns(self, first: int, second: int, third: int) -> bool:
        """Tell whether the slope falls at the second of three points."""
        rise = self._stays[second] - self._stays[first], self._stays[third] - self._stays[second]
        run = self._freed[second] - self._freed[first], self._freed[third] - self._freed[second]
        return rise[0] * run[1] > rise[1] * run[0]

    def _best(self, slope: float) -> int:
        """Return the candidate with the most that stays before it, at ``slope`` for what goes."""
        steps = range(len(self._hull) - 1)
        return self._hull[bisect_left(steps, True, key=lambda at: self._slope(at) <= slope)]

    def _slope(self, at: int) -> float:
        first, second = self._hull[at], self._hull[at + 1]
        rise = self._stays[second] - self._stays[first]
        return rise / (self._freed[second] - self._freed[first])

    def _forget(self, index: int) -> None:
        """Drop what was read of a group and those behind it."""
        first = self._first[index]
        del self._tokens[index + 1 :], self._first[index + 1 :]
        del self._items[first:], self._stays[first:], self._freed[first + 1 :]
        if first < self._offered:
            self._hull.clear()
            self._offered = 0
