"""Every kind of store passes what a store must pass."""

from typing import Any

import pytest

from plimsoll.storage.conformance.base import Check, OpenStore, unchanged
from plimsoll.storage.conformance.forgetting import FORGETTING
from plimsoll.storage.conformance.memories import MEMORIES
from plimsoll.storage.conformance.pages import PAGES
from plimsoll.storage.conformance.pins import PINS
from plimsoll.storage.conformance.searching import SEARCHES
from plimsoll.storage.conformance.sessions import SESSIONS
from plimsoll.storage.conformance.several import SEVERAL
from plimsoll.storage.registry import OPENERS
from storage.conftest import SHARED, Open

ALONE = (*SESSIONS, *PINS, *MEMORIES, *PAGES, *FORGETTING, *SEARCHES)


def name_of(value: Any) -> str | None:
    return getattr(value, "__name__", None)


def of_kind(opened: Open, kind: str) -> OpenStore:
    async def open_store(redact: Any = unchanged) -> Any:
        return await opened(kind, redact)

    return open_store


@pytest.mark.parametrize("check", ALONE, ids=name_of)
@pytest.mark.parametrize("kind", [*OPENERS, SHARED])
async def test_one_process(kind: str, check: Check, opened: Open) -> None:
    await check(of_kind(opened, kind))


# A store in memory is one process's alone.
@pytest.mark.parametrize("check", SEVERAL, ids=name_of)
@pytest.mark.parametrize("kind", ["sqlite", SHARED])
async def test_several_processes(kind: str, check: Check, opened: Open) -> None:
    await check(of_kind(opened, kind))
