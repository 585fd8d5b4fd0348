"""What leaves a machine, as JSON and back."""

import json

import pytest

from memory.samples import memory
from plimsoll.memory.types import MemorySource, MemoryState, MemoryType, Trust
from plimsoll.storage.shared.codec import (
    decode_operation,
    encode_operation,
)
from plimsoll.storage.shared.operations import (
    ChangeMemory,
    DeleteSession,
    ForgetMemory,
    Operation,
    RemovePin,
    ShareMemory,
    SharePin,
)
from storage.shared.samples import team_memory, team_pin

FULL = team_memory(
    type=MemoryType.DECISION,
    pinned=True,
    importance=4,
    tags=("ci", "größe"),
    expires_at="2027-01-01",
    supersedes="m0",
    trust=Trust.AGENT,
)


@pytest.mark.parametrize(
    "operation",
    [
        ShareMemory(FULL),
        ChangeMemory(FULL, 3),
        ForgetMemory("m1"),
        SharePin(team_pin()),
        RemovePin("p1"),
        DeleteSession("s1"),
    ],
)
def test_an_operation_comes_back_as_it_was(operation: Operation) -> None:
    assert decode_operation(encode_operation(operation)) == operation


def test_where_a_memory_comes_from_and_how_it_was_used_stays_here() -> None:
    source = MemorySource("s1", "m9", "file:///home/anna/secret-plan.md", "abc")
    used = memory(source=source, times_used=7, last_used_at="2026-11-22", state=MemoryState.STALE)

    body = encode_operation(ShareMemory(used))

    assert decode_operation(body) == ShareMemory(memory())
    assert not {"secret-plan", "2026-11-22"} & set(json.loads(body)["memory"].values())
    assert "secret-plan" not in body
