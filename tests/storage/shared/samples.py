"""Shared memories, pins and sessions for the tests."""

from memory.samples import memory
from plimsoll.memory.types import Memory, MemoryScope
from plimsoll.storage.chosen.base import PinSharing, WorkspacePin
from plimsoll.storage.shared.base import Joined
from plimsoll.storage.shared.news import SharedPin
from plimsoll.storage.shared.operations import SharedMemory

AT = "2026-11-27T10:00:00Z"
LATER = "2026-11-27T11:00:00Z"
HARBOUR = Joined(project="1c3e", name="harbour", url="postgresql://db.example/team", joined_at=AT)


def team_memory(name: str = "m1", content: str = "Tests run with pytest.", **fields: object):
    return memory(name, content, **{"scope": MemoryScope.TEAM, **fields})


def from_anna(held: Memory, version: int = 1) -> SharedMemory:
    return SharedMemory(memory=held, version=version, author_name="anna", is_own=False)


def own(held: Memory, version: int = 1) -> SharedMemory:
    return SharedMemory(memory=held, version=version, author_name="me", is_own=True)


def team_pin(name: str = "p1", text: str = "Ask before you push.") -> WorkspacePin:
    return WorkspacePin(id=name, at=AT, text=text, number=0, sharing=PinSharing(MemoryScope.TEAM))


def pin_from_anna(pin: WorkspacePin) -> SharedPin:
    return SharedPin(pin, "anna", is_own=False)
