"""The border to stored logs: whatever opening one does, a person can go on."""

import pytest

from builders import user
from plimsoll.errors import LogInvalid, SessionUnreadable
from plimsoll.session.events import NoticeGiven
from plimsoll.session.project import Project
from plimsoll.session.transfer.exports import exported
from plimsoll.storage.sqlite import SqliteStore
from session.harness import harness, redact


class Poisoned(SqliteStore):
    """A store in which reading the log of a session fails in a way that nobody foresaw."""

    bad: str | None = None

    async def entries(self, session_id: str, start: int = 0) -> list:
        if session_id == self.bad:
            raise RecursionError("what a person wrote")
        return await super().entries(session_id, start)


@pytest.fixture
async def own(tmp_path):
    store = Poisoned.in_memory(redact)
    async with harness(tmp_path, {"text": "Yes."}, store=store) as own:
        await own.turn("Are you there?")
        store.bad = own.session.id
        yield own


async def test_a_session_that_fails_in_any_way_gives_way_to_a_new_one_that_says_why(own):
    for again in (Project(own.project.environment), Project(own.project.environment)):
        with pytest.raises(SessionUnreadable) as refused:
            await again.load(own.session.id)
        assert own.session.id in refused.value.message
        assert "what a person wrote" not in refused.value.message
        assert again.live == {}
        new = await again.resume(own.session.id)
        assert new.id != own.session.id
        assert own.session.id in own.heard(NoticeGiven)[-1].markdown
        assert await again.current() is new


async def test_it_can_be_exported_though_nothing_of_it_can_be_opened(own):
    text = await Project(own.project.environment).export(own.session.id)
    assert text == exported(own.session.state.record, own.entries)


async def test_an_import_is_kept_only_when_it_can_be_opened(tmp_path, monkeypatch):
    async with harness(tmp_path) as own:
        text = exported(own.session.state.record, [user("u1", "hello")])
        before = await own.project.list()

        def fails(*_: object) -> None:
            raise KeyError("what a stranger wrote")

        monkeypatch.setattr("plimsoll.session.opening.report", fails)
        with pytest.raises(LogInvalid) as refused:
            await own.project.take_in(text)
        assert "what a stranger wrote" not in refused.value.message
        assert await own.project.list() == before
        monkeypatch.undo()
        assert (await own.project.take_in(text)).state.log.fold.groups
