"""Memories, messages and recorded sessions for the tests."""

import gzip
import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plimsoll.context.log.entries import Origin, Said
from plimsoll.context.log.messages import Part, PartKind, Role, canonical
from plimsoll.context.log.traits import UNKNOWN
from plimsoll.memory.extraction.phrases import Reading
from plimsoll.memory.types import MemoryType, NewNote
from plimsoll.storage.conformance import base
from plimsoll.tools import tool_traits

TOOLS = tool_traits()
AT, memory = base.AT, base.memory


def reading(documents: Sequence[str] = (), session: str = "s1") -> Reading:
    """An extraction on 2026-11-21 with counted ids."""
    numbers = itertools.count(1)
    return Reading(
        session_id=session, now=AT, new_id=lambda: f"x{next(numbers)}", documents=documents
    )


def person(name: str, text: str, turn: str | None = "t1", **fields: object) -> Said:
    """What a person typed."""
    return Said(
        id=name,
        at=AT,
        role=Role.USER,
        group=name,
        parts=(Part(kind=PartKind.TEXT, text=text, **fields),),
        turn=turn,
        origin=_origin(turn),
    )


def agent(name: str, text: str, *calls: Part, turn: str | None = "t1") -> Said:
    """What the model said, with its calls."""
    said = (Part(kind=PartKind.TEXT, text=text),) if text else ()
    return Said(
        id=name,
        at=AT,
        role=Role.ASSISTANT,
        group=name,
        parts=(*said, *calls),
        turn=turn,
        origin=_origin(turn),
    )


def call(call_id: str, name: str, **arguments: object) -> Part:
    """A tool call."""
    traits = TOOLS.get(name, UNKNOWN)
    return Part(
        kind=PartKind.CALL, text=canonical(arguments), call_id=call_id, name=name, traits=traits
    )


def output(
    name: str, call_id: str, text: str, tool: str = "file_read", *, failed: bool = False
) -> Said:
    """What a tool brought."""
    traits = TOOLS.get(tool, UNKNOWN)
    part = Part(
        kind=PartKind.RESULT, text=text, call_id=call_id, name=tool, failed=failed, traits=traits
    )
    return Said(
        id=name, at=AT, role=Role.TOOL, group=name, parts=(part,), turn="t1", origin=Origin.PERSON
    )


def _origin(turn: str | None) -> Origin:
    return Origin.EDITOR if turn is None else Origin.PERSON


def recorded(path: Path) -> list[Said]:
    """A recorded session as messages; each user message opens a turn."""
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    said: list[Said] = []
    turn = 0
    for number, line in enumerate(raw.decode("utf-8").split("\n")):
        row = json.loads(line) if line else {"role": "system"}
        if row["role"] != "system":
            turn += row["role"] == "user"
            role, parts = Role(row["role"]), _parts(row)
            said.append(
                Said(
                    id=f"m{number}",
                    at=AT,
                    role=role,
                    group="g",
                    parts=parts,
                    turn=f"t{turn}",
                    origin=Origin.PERSON,
                )
            )
    return said


def _parts(row: dict[str, Any]) -> tuple[Part, ...]:
    if row["role"] == "tool":
        return (
            Part(
                kind=PartKind.RESULT,
                text=row["content"] or "",
                call_id=row["tool_call_id"],
                name="shell",
            ),
        )
    text = (Part(kind=PartKind.TEXT, text=row["content"]),) if row.get("content") else ()
    calls = row.get("tool_calls") or []
    return (*text, *(call(each["id"], each["name"]) for each in calls))


PORT = NewNote(type=MemoryType.PROJECT, title="Port", content="The harbour has two entrances.")


class Told:
    """Counts the changes that it is told of."""

    def __init__(self) -> None:
        self.times = 0

    async def __call__(self) -> None:
        self.times += 1
