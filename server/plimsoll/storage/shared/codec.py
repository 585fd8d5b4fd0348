"""What a team shares as JSON, as it waits on a machine and as an export has it."""

import json
from collections.abc import Callable, Mapping
from typing import Any, assert_never

from plimsoll.memory.types import Memory, MemoryScope
from plimsoll.storage.chosen.base import PinSharing, WorkspacePin
from plimsoll.storage.memories.columns import columns_of, memory_of
from plimsoll.storage.shared.operations import (
    ChangeMemory,
    DeleteSession,
    ForgetMemory,
    Operation,
    RemovePin,
    ShareMemory,
    SharePin,
)

_SENT = (
    *("id", "type", "class", "title", "content", "author", "trust", "created_at", "pinned"),
    *("digest", "scope", "importance", "tags", "expires_at", "supersedes"),
)
"""The columns of a memory that leave this machine: not where it comes from, nor how it was used."""
_NOT_SENT: Mapping[str, object] = {
    **dict.fromkeys(("session_id", "message_id", "uri", "sha256", "last_used_at", "before")),
    **dict.fromkeys(("author_name", "version", "seen_at")),
    "state": "active",
    "times_used": 0,
    "removal": 0,
}


def encode_operation(operation: Operation) -> str:
    """Encode an operation as JSON."""
    return json.dumps(_operation_fields(operation), sort_keys=True)


def decode_operation(body: str) -> Operation:
    """Decode an operation that ``encode_operation`` has encoded; raises KeyError for any other."""
    fields: dict[str, Any] = json.loads(body)
    return _READERS[fields["do"]](fields)


def memory_fields(memory: Memory) -> dict[str, object]:
    """Return the fields of a memory that leave this machine, as JSON values."""
    columns = columns_of(memory)
    return {name: columns[name] for name in _SENT}


def memory_of_fields(fields: Mapping[str, Any]) -> Memory:
    """Build a memory from the fields that left a machine; it is active and was never used."""
    return memory_of({**_NOT_SENT, **fields})


def pin_fields(pin: WorkspacePin) -> dict[str, object]:
    """Return the fields of a pin that leave this machine, as JSON values."""
    return {"id": pin.id, "at": pin.at, "text": pin.text, "scope": pin.sharing.scope}


def pin_of_fields(fields: Mapping[str, Any]) -> WorkspacePin:
    """Build a pin, without a number, from the fields that left a machine."""
    sharing = PinSharing(MemoryScope(fields["scope"]))
    return WorkspacePin(
        id=fields["id"], at=fields["at"], text=fields["text"], number=0, sharing=sharing
    )


def _operation_fields(operation: Operation) -> dict[str, object]:
    match operation:
        case ShareMemory(memory):
            return {"do": "shareMemory", "memory": memory_fields(memory)}
        case ChangeMemory(memory, base):
            return {"do": "changeMemory", "memory": memory_fields(memory), "base": base}
        case ForgetMemory(memory_id):
            return {"do": "forgetMemory", "id": memory_id}
        case SharePin(pin):
            return {"do": "sharePin", "pin": pin_fields(pin)}
        case RemovePin(pin_id):
            return {"do": "removePin", "id": pin_id}
        case DeleteSession(session_id):
            return {"do": "deleteSession", "id": session_id}
        case _:
            assert_never(operation)


_READERS: Mapping[str, Callable[[Mapping[str, Any]], Operation]] = {
    "shareMemory": lambda fields: ShareMemory(memory_of_fields(fields["memory"])),
    "changeMemory": lambda fields: ChangeMemory(memory_of_fields(fields["memory"]), fields["base"]),
    "forgetMemory": lambda fields: ForgetMemory(fields["id"]),
    "sharePin": lambda fields: SharePin(pin_of_fields(fields["pin"])),
    "removePin": lambda fields: RemovePin(fields["id"]),
    "deleteSession": lambda fields: DeleteSession(fields["id"]),
}
