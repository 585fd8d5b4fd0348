"""Memories and shared data for the tests."""

import json
from pathlib import Path
from typing import Any

from plimsoll.memory.types import Author, Memory, MemoryType, Trust

SHARED = Path(__file__).parents[3] / "shared" / "data"
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


def shared_rows(name: str) -> list[dict[str, Any]]:
    """The rows of a shared JSON Lines file."""
    return [json.loads(line) for line in (SHARED / name).read_text("utf-8").splitlines()]
