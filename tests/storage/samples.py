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
    return Said(
        id=name, at=at, role=Role.USER, group=name, parts=(Part(kind=PartKind.TEXT, text=text),)
    )


def pair(name: str) -> list[Said]:
    """A call and its result: a unit that must never be torn."""
    call = Part(kind=PartKind.CALL, text="{}", call_id=name, name="grep")
    result = Part(kind=PartKind.RESULT, text=f"found by {name} " * 20, call_id=name, name="grep")
    return [
        Said(id=f"{name}a", at=AT, role=Role.ASSISTANT, group=name, parts=(call,)),
        Said(id=f"{name}b", at=AT, role=Role.TOOL, group=name, parts=(result,)),
    ]


def unchanged(text: str) -> str:
    return text
