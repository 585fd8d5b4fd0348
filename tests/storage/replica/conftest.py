"""The store of a folder, of every kind that has a copy of a shared project."""

from collections.abc import AsyncIterator

import pytest

from plimsoll.redaction.secrets import Secrets
from plimsoll.storage.project import ProjectStore
from plimsoll.storage.registry import OPENERS
from storage.conftest import Open


@pytest.fixture(params=OPENERS)
async def store(request: pytest.FixtureRequest, opened: Open) -> AsyncIterator[ProjectStore]:
    yield await opened(request.param, Secrets({"SHIP_KEY": "anchor-and-chain"}))
