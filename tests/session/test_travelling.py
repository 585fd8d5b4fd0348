"""A person's session goes on on another machine: what it shows there, and what it is told."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from builders import LEDGER, user
from plimsoll.context.log.entries import Framed, Said
from plimsoll.context.view.fold import view_of
from plimsoll.errors import Busy
from plimsoll.session.checkpoints.restoring import LEFT_BEHIND, FileResult
from plimsoll.session.layers.machines import SLOT, TOLD
from plimsoll.session.ports.clock import SystemClock
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.events import NoticeGiven, SessionChanged
from plimsoll.session.reduction.inspection import report
from plimsoll.session.session import Session
from plimsoll.session.travelling import STAYS
from session.harness import Harness, harness
from team.travelling.machines_at_sea import Harbour, Machine


@dataclass
class Place:
    """A machine with a folder and the sessions that are open there."""

    machine: Machine
    own: Harness

    @property
    def id(self) -> str:
        return self.own.session.id

    async def load(self, session_id: str) -> Session:
        return await self.own.project.load(session_id)

    async def turn(self, session_id: str, text: str) -> None:
        session = await self.load(session_id)
        await session.prompt([PromptText(text, pasted=())])
        await session.wait()
        await self.machine.send()


@asynccontextmanager
async def two_machines(folder: Path) -> AsyncIterator[tuple[Place, Place]]:
    """A session on the first of two machines, after one turn of it."""
    harbour = Harbour()
    async with at(folder / "galley", harbour) as one, at(folder / "bridge", harbour) as two:
        await one.turn(one.id, "Where does the work stand?")
        await two.machine.hear()
        yield one, two
        for sessions in (one.own.project.sessions, two.own.project.sessions):
            for session in list(sessions.by_id.values()):
                await sessions.drop(session)


@asynccontextmanager
async def at(where: Path, harbour: Harbour) -> AsyncIterator[Place]:
    machine = Machine(harbour, where.name, where / "work")
    machine.local.opened.clear()
    where.joinpath("work").mkdir(parents=True)
    where.joinpath("work/notes.txt").write_text("of the person\n")
    write = {"path": "notes.txt", "content": "of the agent\n"}
    rules = [
        {
            "when": r"\[write\]",
            "steps": [{"calls": [{"name": "file_write", "arguments": write}]}, {"text": "Done."}],
        },
        {"when": "", "steps": [{"text": "Well."}]},
    ]
    others = {"store": machine.store, "travelling": machine.travel, "clock": SystemClock()}
    async with harness(where, rules=rules, **others) as own:
        yield Place(machine, own)


async def let_go(place: Place) -> None:
    """Close the session at a machine, so that its lease is given back."""
    place.own.project.sessions.current = None
    await place.machine.send()


def moves(session: Session) -> list[Framed]:
    frames = (each for each in session.state.log.fold.entries if isinstance(each, Framed))
    return [each for each in frames if each.slot == SLOT]


async def test_a_session_is_the_same_on_the_other_machine(tmp_path):
    async with two_machines(tmp_path) as (one, two):
        await let_go(one)
        assert [each.machine for each in await two.own.project.elsewhere()] == ["galley"]
        assert await two.own.project.keeps(one.id)
        session = await two.load(one.id)
        there = one.own.session.state
        held = session.state.log.fold.entries[: len(there.log.fold.entries)]
        assert held == there.log.fold.entries
        assert view_of(held, LEDGER) == there.log.fold.view
        assert session.state.record.title == there.record.title
        assert session.state.record.workspace == two.own.folder.as_uri()
        assert await two.own.project.elsewhere() == []


async def test_a_report_of_what_came_is_that_of_where_it_was(tmp_path):
    async with two_machines(tmp_path) as (one, two):
        # Held by the first machine, so that the second appends nothing.
        session = await two.load(one.id)
        assert report(session.state) == report(one.own.session.state)


async def test_the_model_is_told_once_that_the_session_came_from_another_machine(tmp_path):
    async with two_machines(tmp_path) as (one, two):
        await let_go(one)
        await two.turn(one.id, "Go on.")
        await two.turn(one.id, "And on.")
        session = await two.load(one.id)
        (told,) = moves(session)
        assert told.place == "tail"
        assert told.text == (
            f"[This session came from the machine galley, where it worked in {one.own.folder}, to "
            f"the machine bridge: it works in {two.own.folder} now. Files are as they are here. "
            "Whole outputs that were kept in files on galley, and earlier versions of files there, "
            "are not on this machine; the text of every output can be read again with the tool "
            "history.]"
        )
        # And back: told there as well, once.
        await let_go(two)
        await one.machine.hear()
        await one.turn(one.id, "Home again.")
        _, back = moves(await one.load(one.id))
        assert back.text is not None
        assert "from the machine bridge, where" in back.text


async def test_what_another_machine_writes_is_followed_until_it_is_taken_over(tmp_path):
    async with two_machines(tmp_path) as (one, two):
        session = await two.load(one.id)
        assert session.state.changed_event().held_by == "the machine galley"
        with pytest.raises(Busy) as busy:
            await session.prompt([PromptText("Go on.", pasted=())])
        assert busy.value.data == {"heldBy": "the machine galley"}
        await two.own.project.take_over(one.id)
        await two.turn(one.id, "Go on.")
        assert session.state.changed_event().held_by is None
        # The first machine follows, and says who writes.
        await one.machine.send()
        await one.machine.send()
        first = await one.load(one.id)
        assert first.state.changed_event().held_by == "the machine bridge"
        assert first.state.log.fold.entries == session.state.log.fold.entries


async def test_what_lies_on_the_first_machine_alone_is_said_to_be_there(tmp_path):
    async with two_machines(tmp_path) as (one, two):
        await one.turn(one.id, "[write]")
        await let_go(one)
        two.own.folder.joinpath("notes.txt").write_text("of the agent\n")
        await two.turn(one.id, "Go on.")
        (notice,) = two.own.heard(NoticeGiven)
        assert notice.markdown == TOLD.format(there="galley")
        session = await two.load(one.id)
        written = [each for each in session.state.log.fold.entries if isinstance(each, Said)]
        prompt = next(each for each in written if each.parts[0].text == "[write]")
        went = await session.rewind(prompt.id, files=True)
        assert went.restored is not None
        left = FileResult(
            two.own.folder / "notes.txt", "left", LEFT_BEHIND.format(machines="galley")
        )
        assert went.restored.files == (left,)


async def test_what_went_another_way_is_kept_and_told(tmp_path):
    async with two_machines(tmp_path) as (one, two):
        one.machine.harbour.expire(one.id)
        await two.turn(one.id, "Go on.")
        session = await one.load(one.id)
        await session.state.log.append(user("own", "Written while the server was away."))
        one.own.events.clear()
        await one.machine.send()
        kept = next(each for each in await one.own.project.list() if "(on galley)" in each.title)
        branch = await one.own.project.load(kept.id)
        texts = [p.text for g in branch.state.log.fold.groups for s in g.said for p in s.parts]
        assert texts[-1] == "Written while the server was away."
        original = await one.load(one.id)
        assert original.state.log.fold.entries == (await two.load(one.id)).state.log.fold.entries
        assert [each.replaced for each in one.own.heard(SessionChanged)][:1] == [True]
        (notice,) = one.own.heard(NoticeGiven)
        assert notice.markdown.startswith("While this machine was away, bridge went on")


async def test_a_session_that_was_deleted_elsewhere_goes_unless_it_is_shown(tmp_path):
    async with two_machines(tmp_path) as (one, two):
        one.machine.harbour.deleted.add(one.id)
        await one.machine.send()
        await one.machine.send()
        assert await one.own.project.keeps(one.id)
        assert [each.markdown for each in one.own.heard(NoticeGiven)] == [STAYS]
        await let_go(two)
        assert not await two.own.project.keeps(one.id)
