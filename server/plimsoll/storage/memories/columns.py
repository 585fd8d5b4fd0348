"""A memory as the columns of a table, the same in every kind of store, and back."""

import json
from collections.abc import Mapping
from typing import Any

from plimsoll.memory.types import (
    Author,
    Memory,
    MemoryClass,
    MemoryScope,
    MemorySource,
    MemoryState,
    MemoryType,
    Trust,
)

_PLAIN = tuple(name for name in Memory.__slots__ if name not in {"source", "class_", "tags"})


def columns_of(memory: Memory) -> dict[str, object]:
    """Return the values of the columns that hold a memory, by name."""
    fields: dict[str, object] = {name: getattr(memory, name) for name in _PLAIN}
    source = memory.source or MemorySource()
    fields.update({name: getattr(source, name) for name in MemorySource.__slots__})
    return {**fields, "class": memory.class_, "tags": json.dumps(memory.tags)}


def memory_of(fields: Mapping[str, Any]) -> Memory:
    """Build a memory from the values of its columns, by name."""
    source = MemorySource(
        fields["session_id"], fields["message_id"], fields["uri"], fields["sha256"]
    )
    return Memory(
        id=fields["id"],
        type=MemoryType(fields["type"]),
        title=fields["title"],
        content=fields["content"],
        author=Author(fields["author"]),
        trust=Trust(fields["trust"]),
        created_at=fields["created_at"],
        class_=MemoryClass(fields["class"]),
        state=MemoryState(fields["state"]),
        pinned=bool(fields["pinned"]),
        digest=bool(fields["digest"]),
        source=None if source == MemorySource() else source,
        last_used_at=fields["last_used_at"],
        times_used=fields["times_used"],
        expires_at=fields["expires_at"],
        supersedes=fields["supersedes"],
        before=MemoryState(fields["before"]) if fields["before"] else None,
        scope=MemoryScope(fields["scope"]),
        importance=fields["importance"],
        tags=tuple(json.loads(fields["tags"])),
        removal=bool(fields["removal"]),
        author_name=fields["author_name"],
        version=fields["version"],
        seen_at=fields["seen_at"],
    )
