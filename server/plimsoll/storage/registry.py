"""The kinds of stores, by name."""

from collections.abc import Awaitable, Callable, Mapping

from plimsoll.context.log.traits import NONE, Tools
from plimsoll.errors import StoreError
from plimsoll.storage.base import Redactor
from plimsoll.storage.locate import ProjectPaths
from plimsoll.storage.project import ProjectStore

Warn = Callable[[StoreError], None]


Opener = Callable[[ProjectPaths, Redactor, Warn, Tools], Awaitable[ProjectStore]]


async def _open_sqlite(
    paths: ProjectPaths, redact: Redactor, warn: Warn, tools: Tools
) -> ProjectStore:
    # Loaded late: aiosqlite and SQLite are needed with the first session, not at start-up.
    from plimsoll.storage.sqlite import open_sqlite

    return await open_sqlite(paths, redact, warn, tools=tools)


async def _open_in_memory(
    _paths: ProjectPaths, redact: Redactor, _warn: Warn, tools: Tools
) -> ProjectStore:
    from plimsoll.storage.sqlite import SqliteStore

    return SqliteStore.in_memory(redact, tools)


OPENERS: Mapping[str, Opener] = {"sqlite": _open_sqlite, "memory": _open_in_memory}


async def open_store(
    kind: str, paths: ProjectPaths, redact: Redactor, warn: Warn, *, tools: Tools = NONE
) -> ProjectStore:
    """Open the store of a project; ``kind`` is a key of ``OPENERS``.

    ``warn`` is called on the event loop with faults found later in the background; ``tools``: the
    traits added to calls and results when they are read.

    Raises:
        StoreDamaged: The file is not a store of ours or not whole.
        StoreNewer: It was written by a newer version.
        StoreUnavailable: It cannot be read or written.
    """
    return await OPENERS[kind](paths, redact, warn, tools)
