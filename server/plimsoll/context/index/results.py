"""The tool results of a log with their calls, and an index of results by line."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from posixpath import normpath
from typing import Generic, TypeVar

from plimsoll.context.index.calls import arguments_of, target_of
from plimsoll.context.log.entries import Noted, Said
from plimsoll.context.log.messages import Part, PartKind, Role, part_item
from plimsoll.context.log.traits import ToolTraits


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """A tool result with the arguments of its call."""

    item: str
    group: str
    index: int
    """Its index among all results of the log."""
    part: Part
    name: str
    """The tool."""
    arguments: str
    """Canonical JSON of the call's arguments; empty for a result without a call."""
    target: str
    """The path, command or pattern in the call's arguments, on one line."""
    path: str | None
    """The file or folder that the call named, as it was spelled."""
    exit_code: int | None
    traits: ToolTraits
    """The traits of the tool."""

    @property
    def failed(self) -> bool:
        """Whether the result reports an error."""
        return self.part.failed or self.exit_code not in {None, 0}

    @property
    def file(self) -> str:
        """The file or folder that the call named, normalised; empty if it named none."""
        return normpath(self.path) if self.path else ""

    @property
    def version(self) -> str | None:
        """The SHA-256 of the whole file that was read."""
        return self.part.source.version if self.part.source else None

    def same_file(self, other: "ToolResult") -> bool:
        """Tell whether both results are certainly about one file."""
        if self.part.source is not None and other.part.source is not None:
            return self.part.source.uri == other.part.source.uri
        return bool(self.file) and self.file == other.file

    @property
    def lines(self) -> tuple[int, int] | None:
        """The lines of its file that the result shows; None if it shows all."""
        return self.part.source.lines if self.part.source else None


Kind = TypeVar("Kind", Said, Noted)


class Unread(Generic[Kind]):
    """The entries of a log that an index has not read yet; each index has its own."""

    def __init__(self, entries: Sequence[Kind]) -> None:
        """``entries`` is the live list of the log."""
        self._entries = entries
        self._known = 0

    def take_new(self) -> Sequence[Kind]:
        """Return the entries that were added since the last call."""
        fresh, self._known = self._entries[self._known :], len(self._entries)
        return fresh


class ResultIndex:
    """All results of a log, in order."""

    def __init__(self, messages: Sequence[Said]) -> None:
        self._results: list[ToolResult] = []
        self._of: dict[str, ToolResult] = {}
        self._calls: dict[tuple[str, str], Part] = {}
        self._asked: dict[tuple[str, str], list[ToolResult]] = {}
        self._unread = Unread(messages)

    def all(self) -> Sequence[ToolResult]:
        """Return every result, oldest first, also those out of view."""
        self._read_new()
        return self._results

    def of(self, item: str) -> ToolResult | None:
        """Return the tool result with this item id; None if the item is not a result."""
        self._read_new()
        return self._of.get(item)

    def by_item(self) -> Mapping[str, ToolResult]:
        """Return the results by item; a live mapping for many look-ups, not to be stored."""
        self._read_new()
        return self._of

    def same_call(self, name: str, arguments: str) -> Iterator[ToolResult]:
        """Return the results of calls of this tool with these arguments, newest first."""
        self._read_new()
        return reversed(self._asked.get((name, arguments), []))

    def about(self, said: Said) -> ToolResult:
        """Build the result of a message that may not be in the log yet, though its call is."""
        self._read_new()
        return self._result(said, said.parts[0], part_item(said.id, 0))

    def _read_new(self) -> None:
        for said in self._unread.take_new():
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
"""Characters; shorter lines occur everywhere."""
MOST_HOLDERS = 8
"""How many results are remembered for a line, the newest ones."""


class LineIndex:
    """An index of tool results by their lines, to find results that share lines.

    Lines are stored as hashes: a collision only proposes a base that then does not match.
    """

    def __init__(self, messages: Sequence[Said]) -> None:
        self._holders: dict[int, tuple[str, ...]] = {}
        """Lines that occur in one text only share one value: there are many of them."""
        self._age: dict[str, int] = {}
        self._unread = Unread(messages)

    def sharing(self, text: str, most: int) -> list[str]:
        """Find the items that share the most characters in whole lines; newest first of equals."""
        self._read_new()
        shared: dict[str, int] = {}
        for line in _lines(text):
            for item in self._holders.get(hash(line), ()):
                shared[item] = shared.get(item, 0) + len(line)
        ordered = sorted(shared, key=lambda item: (-shared[item], -self._age[item]))
        return ordered[:most]

    def _read_new(self) -> None:
        for said in self._unread.take_new():
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
