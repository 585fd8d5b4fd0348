"""What each tool result of a log is about, learned once as the log grows."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from posixpath import normpath

from plimsoll.context.index.calls import arguments_of, target_of
from plimsoll.context.log.entries import Said
from plimsoll.context.log.item_ids import part_item
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.context.log.traits import ToolTraits


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """A tool result with what its call asked for."""

    item: str
    group: str
    place: int
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
        """Whether it reports an error."""
        return self.part.failed or self.exit_code not in {None, 0}

    @property
    def file(self) -> str:
        """The file or folder that the call named, spelled one way; empty when it named none."""
        return normpath(self.path) if self.path else ""

    @property
    def version(self) -> str | None:
        """Of the whole file that was read."""
        return self.part.source.version if self.part.source else None

    def same_file(self, other: "ToolResult") -> bool:
        """Whether both are surely about one file."""
        if self.part.source is not None and other.part.source is not None:
            return self.part.source.uri == other.part.source.uri
        return bool(self.file) and self.file == other.file

    @property
    def lines(self) -> tuple[int, int] | None:
        """The lines that it shows of its file; none: all."""
        return self.part.source.lines if self.part.source else None


class ResultIndex:
    """The results of a log in its order; each message is read once."""

    def __init__(self) -> None:
        self._results: list[ToolResult] = []
        self._of: dict[str, ToolResult] = {}
        self._calls: dict[tuple[str, str], Part] = {}
        self._asked: dict[tuple[str, str], list[ToolResult]] = {}
        self._waiting: list[Said] = []

    def learn(self, said: Said) -> None:
        """Take a new message; it is read when somebody asks."""
        self._waiting.append(said)

    def all(self) -> Sequence[ToolResult]:
        """Every result, oldest first, those that left the view included."""
        self._read()
        return self._results

    def of(self, item: str) -> ToolResult | None:
        """The result behind an item."""
        self._read()
        return self._of.get(item)

    def same_call(self, name: str, arguments: str) -> Iterator[ToolResult]:
        """The results of the calls with this tool and these arguments, newest first."""
        self._read()
        return reversed(self._asked.get((name, arguments), []))

    def about(self, said: Said) -> ToolResult:
        """A result that may not stand in the log yet, beside the call that does."""
        self._read()
        return self._result(said, said.parts[0], part_item(said.id, 0))

    def _read(self) -> None:
        waiting, self._waiting = self._waiting, []
        for said in waiting:
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
            place=len(self._results),
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
    """The lines of tool results; each message is read once, when somebody asks.

    Lines are kept as hashes: a collision would only propose a base that then does not match.
    """

    def __init__(self) -> None:
        self._holders: dict[int, list[str]] = {}
        self._age: dict[str, int] = {}
        self._waiting: list[Said] = []

    def learn(self, said: Said) -> None:
        """Take a new message."""
        self._waiting.append(said)

    def sharing(self, text: str, most: int) -> list[str]:
        """The items that share the most characters in whole lines; of equals the newest first."""
        self._read()
        shared: dict[str, int] = {}
        for line in _lines(text):
            for item in self._holders.get(hash(line), ()):
                shared[item] = shared.get(item, 0) + len(line)
        ordered = sorted(shared, key=lambda item: (-shared[item], -self._age[item]))
        return ordered[:most]

    def _read(self) -> None:
        waiting, self._waiting = self._waiting, []
        for said in waiting:
            for number, part in enumerate(said.parts):
                if part.kind is PartKind.RESULT:
                    self._add(part_item(said.id, number), part.text)

    def _add(self, item: str, text: str) -> None:
        self._age[item] = len(self._age)
        for line in _lines(text):
            holders = self._holders.setdefault(hash(line), [])
            holders.append(item)
            del holders[:-MOST_HOLDERS]


def _lines(text: str) -> Iterable[str]:
    return (line for line in dict.fromkeys(text.split("\n")) if len(line) >= LEAST_LINE)
