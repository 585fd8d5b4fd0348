import sys

import pytest

from plimsoll.app.front import NoBrowserViews
from plimsoll.errors import InvalidInput
from plimsoll.session.project import Project
from plimsoll.view.served_views import ServedViews

PROJECT = Project.__new__(Project)


async def test_without_its_library_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch):
    for name in list(sys.modules):
        if name.startswith(("websockets", "plimsoll.view.server", "plimsoll.view.browser")):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "websockets", None)
    with pytest.raises(InvalidInput) as refused:
        await ServedViews().open(PROJECT, "s1")
    assert "[view]" in (refused.value.remedy or "")


async def test_what_is_never_opened_loads_nothing_and_is_closed():
    await ServedViews().close()


async def test_a_command_that_ends_at_once_names_the_one_that_serves():
    with pytest.raises(InvalidInput) as refused:
        await NoBrowserViews().open(PROJECT, "s1")
    assert "plimsoll view --session s1" in (refused.value.remedy or "")
