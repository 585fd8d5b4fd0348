"""The values and helpers that the checks of stores share."""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.memory.base import MemoryStore
from plimsoll.memory.types import Author, Memory, MemoryType, Trust
from plimsoll.storage.base import Redactor, SessionRecord, SessionStore
from plimsoll.storage.chosen.base import PinStore

E = TypeVar("E", bound=Exception)
AT, LATER = "2026-11-21T10:00:00.000Z", "2026-11-22T10:00:00.000Z"
"""The time of the samples, and one a day later."""
SECRET, MARK = 'sail"and\nanchor', "[redacted: SHIP_KEY]"
"""A secret that JSON writes otherwise, and what stands in its place."""


class CheckedStore(SessionStore, Protocol):
    """A store that is checked: the sessions, pins and memories of one project."""

    @property
    def pins(self) -> PinStore:
        """The pins."""
        ...

    @property
    def memories(self) -> MemoryStore:
        """The memories."""
        ...


def unchanged(text: str) -> str:
    """Redact nothing."""
    return text


def hide_secret(text: str) -> str:
    """Replace the secret of the samples by its mark."""
    return text.replace(SECRET, MARK)


class OpenStore(Protocol):
    """Opens the store of one project, which is empty before the first call of a check.

    Each further call opens the same project as another process or machine does. Whoever runs a
    check closes what was opened.
    """

    async def __call__(self, redact: Redactor = unchanged) -> CheckedStore:
        """Open it; ``redact`` removes secrets from every text that it is given."""
        ...


Check = Callable[[OpenStore], Awaitable[None]]
"""Fails with an AssertionError, or with an error of the store, where the store breaks the law."""


async def refusal(call: Awaitable[object], kind: type[E]) -> E:
    """Await a call that must be refused, and return its error."""
    try:
        await call
    except kind as error:
        return error
    raise AssertionError(f"No {kind.__name__} was raised.")


async def find_ids(store: MemoryStore, question: str) -> list[str]:
    """Search, and return the ids of the found memories, the best first."""
    return [match.memory.id for match in await store.search(question, AT, 10)]


def record(session_id: str = "s1", updated_at: str = AT, **fields: Any) -> SessionRecord:
    """Build a session's record; other fields by name."""
    values: dict[str, Any] = {
        "title": "A title",
        "mode": "edit",
        "model": "embedded/search",
        **fields,
    }
    return SessionRecord(
        id=session_id,
        workspace="file:///w",
        created_at=AT,
        updated_at=updated_at,
        **values,
    )


def said(name: str, text: str = "hello", at: str = AT) -> Said:
    """Build a message of a person."""
    part = Part(kind=PartKind.TEXT, text=text)
    return Said(id=name, at=at, role=Role.USER, group=name, parts=(part,))


def pair(name: str) -> list[Said]:
    """Build a call and its result: a unit that must never be torn."""
    call = Part(kind=PartKind.CALL, text="{}", call_id=name, name="grep")
    result = Part(kind=PartKind.RESULT, text=f"found by {name} " * 20, call_id=name, name="grep")
    return [
        Said(id=f"{name}a", at=AT, role=Role.ASSISTANT, group=name, parts=(call,)),
        Said(id=f"{name}b", at=AT, role=Role.TOOL, group=name, parts=(result,)),
    ]


def memory(name: str = "m1", content: str = "Tests run with pytest.", **fields: Any) -> Memory:
    """Build a memory of a person; other fields by name."""
    values: dict[str, Any] = {
        "type": MemoryType.PROJECT,
        "title": f"Title of {name}",
        "author": Author.USER,
        "trust": Trust.USER,
        "created_at": AT,
        **fields,
    }
    return Memory(id=name, content=content, **values)
