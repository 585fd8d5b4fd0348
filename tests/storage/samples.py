"""Sessions and entries for the tests of the store."""

from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.storage.base import SessionRecord

AT = "2026-01-02T03:04:05Z"


def record(session_id: str = "s1", updated_at: str = AT, **fields: object) -> SessionRecord:
    values = {"title": "A title", "mode": "edit", "model": "embedded/search", "turns": 0, **fields}
    return SessionRecord(
        id=session_id, workspace="file:///w", created_at=AT, updated_at=updated_at, **values
    )


def said(name: str, text: str = "hello", at: str = AT) -> Said:
    return Said(name, at, Role.USER, name, (Part(PartKind.TEXT, text),))


def pair(name: str) -> list[Said]:
    """A call and its result: a unit that must never be torn."""
    call = Part(PartKind.CALL, "{}", call_id=name, name="grep")
    result = Part(PartKind.RESULT, f"found by {name} " * 20, call_id=name, name="grep")
    return [
        Said(f"{name}a", AT, Role.ASSISTANT, name, (call,)),
        Said(f"{name}b", AT, Role.TOOL, name, (result,)),
    ]


def unchanged(text: str) -> str:
    return text
