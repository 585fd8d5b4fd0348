"""Tool calls with their results, and the target and kind of a call."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast

from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import Part, PartKind, Role, part_item
from plimsoll.context.log.traits import ToolTraits

_TARGETS = ("path", "command", "pattern", "url", "query", "title", "id", "description")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredCall:
    """A tool call with its result."""

    call: Part
    call_item: str
    result: Part | None
    result_item: str | None
    turn: str | None

    @property
    def name(self) -> str:
        """The name of the tool."""
        return self.call.name or ""

    @property
    def traits(self) -> ToolTraits:
        """The traits of the tool."""
        return self.call.traits

    @property
    def target(self) -> str:
        """The path, command or pattern in the call's arguments."""
        return target_of(arguments_of(self.call))

    @property
    def path(self) -> str | None:
        """The file that the call names."""
        path = arguments_of(self.call).get("path")
        return path if isinstance(path, str) else None

    @property
    def failed(self) -> bool:
        """Whether the result reports an error."""
        return self.result is not None and self.result.failed

    @property
    def exit_code(self) -> int | None:
        """The exit code that the result reports, if it is a command's."""
        return self.result.exit_code if self.result else None


def answered_calls(said: Iterable[Said]) -> list[AnsweredCall]:
    """Return the calls in these messages that have a result, in order."""
    calls: list[tuple[Part, str, str | None]] = []
    results: dict[str, tuple[Part, str] | tuple[None, None]] = {}
    for message in said:
        for number, part in enumerate(message.parts):
            item = part_item(message.id, number)
            if part.kind is PartKind.CALL:
                calls.append((part, item, message.turn))
            elif part.kind is PartKind.RESULT and message.role is Role.TOOL:
                results.setdefault(part.call_id or "", (part, item))
    answered: list[AnsweredCall] = []
    for call, item, turn in calls:
        result, result_item = results.get(call.call_id or "", (None, None))
        answered.append(
            AnsweredCall(
                call=call, call_item=item, result=result, result_item=result_item, turn=turn
            )
        )
    return answered


def arguments_of(call: Part) -> Mapping[str, object]:
    """Return the arguments of a call; empty if the model sent no JSON object."""
    return object_of(call.text)


def object_of(text: str) -> Mapping[str, object]:
    """Parse a JSON object; empty if the text is anything else."""
    try:
        value: object = json.loads(text)
    except ValueError:
        return {}
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def target_of(arguments: Mapping[str, object]) -> str:
    """Return the path, command or pattern in the arguments of a call, on one line."""
    for name in _TARGETS:
        value = arguments.get(name)
        if isinstance(value, str) and value.strip():
            return " ".join(value.split())
    return ""
