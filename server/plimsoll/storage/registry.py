"""The kinds of stores, by name."""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from plimsoll.errors import InvalidInput, StoreError
from plimsoll.memory.base import MemoryStore
from plimsoll.storage.base import ProjectStore, Redactor, SessionStore
from plimsoll.storage.locate import ProjectPlace

Opener = Callable[[ProjectPlace, Redactor, Callable[[StoreError], None]], Awaitable[ProjectStore]]


async def _open_sqlite(
    place: ProjectPlace, redact: Redactor, warn: Callable[[StoreError], None]
) -> ProjectStore:
    # Loaded late: SQLite is needed with the first session, not at start-up.
    from plimsoll.storage.sqlite import open_sqlite

    return await open_sqlite(place, redact, warn)


async def _open_in_memory(
    _place: ProjectPlace, redact: Redactor, _warn: Callable[[StoreError], None]
) -> ProjectStore:
    # Its index of what was said is SQLite's too.
    from plimsoll.storage.in_memory import InMemoryStore

    return InMemoryStore(redact)


OPENERS: Mapping[str, Opener] = {"sqlite": _open_sqlite, "memory": _open_in_memory}


async def open_store(
    kind: str, place: ProjectPlace, redact: Redactor, warn: Callable[[StoreError], None]
) -> ProjectStore:
    """Open the store of a project; ``kind`` is a key of ``OPENERS``.

    ``warn`` is called on the event loop with what is found wrong later, in the background.

    Raises:
        StoreDamaged: The file is not a store of ours or not whole.
        StoreNewer: It was written by a newer version.
        StoreUnavailable: It cannot be read or written.
    """
    return await OPENERS[kind](place, redact, warn)


def open_memories(store: SessionStore, place: ProjectPlace) -> MemoryStore:
    """The memories beside the sessions of a store, in the same file or in none.

    Close it before the store.
    """
    # Loaded late for the same reason as the store.
    from plimsoll.storage.memories import InMemoryMemories, SqliteMemories
    from plimsoll.storage.sqlite import SqliteStore

    if isinstance(store, SqliteStore):
        return SqliteMemories(store.database, place)
    return InMemoryMemories()


async def link_store(store: SessionStore, old: Path, new: Path, data: Path) -> None:
    """Take over into the store of folder ``new`` what is stored of the folder that was at ``old``.

    Raises:
        InvalidInput: There still is a folder at the old path, or this store keeps nothing.
        NotFound: Nothing is stored of the old path.
        StoreError: One of the stores cannot be used.
    """
    # Loaded late for the same reason as the store.
    from plimsoll.storage.sqlite import SqliteStore
    from plimsoll.storage.takeover import take_over

    if not isinstance(store, SqliteStore):
        raise InvalidInput(
            "This server keeps nothing beyond its process.",
            remedy="Start it with a store to take over what another folder had.",
        )
    await take_over(store.database, old, new, data)
