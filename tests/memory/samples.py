"""Memories, messages and recorded sessions for the tests."""

import gzip
import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plimsoll.context.log.entries import Origin, Said
from plimsoll.context.log.messages import (
    Part,
    PartKind,
    Role,
    canonical,
)
from plimsoll.memory.extraction.phrases import Reading
from plimsoll.memory.types import Author, Memory, MemoryType, Trust

AT = "2026-11-21T10:00:00.000Z"


def memory(name: str = "m1", content: str = "Tests run with pytest.", **fields: object) -> Memory:
    values: dict[str, object] = {
        "type": MemoryType.PROJECT,
        "title": f"Title of {name}",
        "author": Author.USER,
        "trust": Trust.USER,
        "created_at": AT,
        **fields,
    }
    return Memory(id=name, content=content, **values)


def reading(documents: Sequence[str] = (), session: str = "s1") -> Reading:
    """An extraction on 2026-11-21 with counted ids."""
    numbers = itertools.count(1)
    return Reading(session, AT, lambda: f"x{next(numbers)}", documents)


def person(name: str, text: str, turn: str | None = "t1", **fields: object) -> Said:
    """What a person typed."""
    return Said(
        name, AT, Role.USER, name, (Part(PartKind.TEXT, text, **fields),), turn, _origin(turn)
    )


def agent(name: str, text: str, *calls: Part, turn: str | None = "t1") -> Said:
    """What the model said, with its calls."""
    said = (Part(PartKind.TEXT, text),) if text else ()
    return Said(name, AT, Role.ASSISTANT, name, (*said, *calls), turn, _origin(turn))


def call(call_id: str, name: str, **arguments: object) -> Part:
    """A tool call."""
    return Part(PartKind.CALL, canonical(arguments), call_id=call_id, name=name)


def output(
    name: str, call_id: str, text: str, tool: str = "file_read", *, failed: bool = False
) -> Said:
    """What a tool brought."""
    part = Part(PartKind.RESULT, text, call_id=call_id, name=tool, failed=failed)
    return Said(name, AT, Role.TOOL, name, (part,), "t1", Origin.PERSON)


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
            said.append(Said(f"m{number}", AT, role, "g", parts, f"t{turn}", Origin.PERSON))
    return said


def _parts(row: dict[str, Any]) -> tuple[Part, ...]:
    if row["role"] == "tool":
        return (
            Part(PartKind.RESULT, row["content"] or "", call_id=row["tool_call_id"], name="shell"),
        )
    text = (Part(PartKind.TEXT, row["content"]),) if row.get("content") else ()
    calls = row.get("tool_calls") or []
    return (*text, *(call(each["id"], each["name"]) for each in calls))
