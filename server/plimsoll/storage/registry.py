"""The kinds of stores, by name."""

from collections.abc import Awaitable, Callable, Mapping

from plimsoll.errors import StoreError
from plimsoll.storage.base import ProjectStore, Redactor
from plimsoll.storage.locate import ProjectPlace

Opener = Callable[[ProjectPlace, Redactor, Callable[[StoreError], None]], Awaitable[ProjectStore]]


async def _open_sqlite(
    place: ProjectPlace, redact: Redactor, warn: Callable[[StoreError], None]
) -> ProjectStore:
    # Loaded late: aiosqlite and SQLite are needed with the first session, not at start-up.
    from plimsoll.storage.sqlite import open_sqlite

    return await open_sqlite(place, redact, warn)


async def _open_in_memory(
    _place: ProjectPlace, redact: Redactor, _warn: Callable[[StoreError], None]
) -> ProjectStore:
    from plimsoll.storage.sqlite import SqliteStore

    return SqliteStore.in_memory(redact)


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
