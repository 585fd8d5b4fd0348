"""What the person allowed for good, in every kind of store that has it."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from plimsoll.errors import NotFound
from plimsoll.storage.chosen.base import Permission
from plimsoll.storage.project import ProjectStore
from plimsoll.storage.registry import OPENERS
from storage.conftest import Open


@pytest.fixture(params=list(OPENERS))
async def store(request: pytest.FixtureRequest, opened: Open) -> AsyncIterator[ProjectStore]:
    yield await opened(request.param)


async def test_permissions_are_numbered_replaced_and_taken_back(store: ProjectStore) -> None:
    kept, test = store.permissions, permission("command", "test")
    assert [(await kept.keep(each)).number for each in (test, permission("edits", "test"))] == [
        1,
        2,
    ]
    again = await kept.keep(replace(test, defined_by='[["a", "b"]]'))
    assert again == replace(test, number=3, defined_by='[["a", "b"]]')
    assert [each.number for each in await kept.permissions()] == [2, 3]
    assert await kept.remove(3) == again
    with pytest.raises(NotFound):
        await kept.remove(3)
    # A number that somebody has read never means another one.
    assert (await kept.keep(test)).number == 4


def permission(kind: str, subject: str) -> Permission:
    return Permission(at="t", kind=kind, subject=subject, what="w", covers="c", defined_by="[]")
