"""Folders of several people, and two windows of one, at a real PostgreSQL."""

import asyncio

import pytest

from plimsoll.errors import InvalidInput
from plimsoll.memory.types import MemoryState, Trust
from plimsoll.storage.shared.status import TeamState
from plimsoll.team.addresses import ServerAddress
from plimsoll.team.administration import TeamAdministration
from storage.postgres.crew import Crew
from team.conftest import Open

pytestmark = pytest.mark.slow


async def test_one_shares_the_other_accepts_and_it_goes_when_the_first_forgets(window: Open):
    ada, bob = await window("ada"), await window("bob")
    for each in (ada, bob):
        assert (await each.team.join("harbour", each.url)).project == "harbour"
    shared = await ada.share("The deploy goes by the tag")
    await ada.share("Rebase, never merge")
    assert (await ada.team.look()).queued == 0
    await bob.team.look()
    assert await bob.titles() == [
        ("Rebase, never merge", "inbox"),
        ("The deploy goes by the tag", "inbox"),
    ]
    found = await bob.memories.find(shared)
    assert found is not None
    assert (found.trust, found.author_name) == (Trust.TEAM, ada.team.status().role)
    await bob.team.accept(found.author_name or "")
    assert {state for _, state in await bob.titles()} == {"active"}
    await ada.memories.forget(shared, purge=True)
    await ada.team.look()
    before = bob.arrivals
    await bob.team.look()
    assert bob.arrivals == before + 1
    assert await bob.titles() == [("Rebase, never merge", "active")]


async def test_two_windows_of_one_folder_send_once_and_see_the_same(window: Open):
    bob = await window("bob")
    await bob.team.join("harbour", bob.url)
    first, second = await window("ada"), await window("ada")
    await first.team.join("harbour", first.url)
    await second.team.begin()
    titles = [f"Rule number {number}" for number in range(30)]
    for title in titles:
        await first.share(title)
    await asyncio.gather(*(each.team.look() for each in (first, second, first, second)))
    assert (await second.team.look()).queued == 0
    await bob.team.look()
    assert [title for title, _ in await bob.titles()] == sorted(titles)
    assert await second.titles() == await first.titles()
    assert first.said == second.said == []
    await second.team.leave()
    await first.team.look()
    assert first.team.status().state is TeamState.OFF


async def test_what_is_shared_while_the_server_is_away_is_sent_later(window: Open, crew: Crew):
    ada, bob = await window("ada"), await window("bob")
    await ada.team.join("harbour", ada.url)
    await bob.team.join("harbour", bob.url)
    role = ada.team.status().role or crew.role("ada")
    crew.as_administrator(f'ALTER ROLE "{role}" NOLOGIN')
    crew.as_administrator(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %(role)s", role=role
    )
    await ada.share("Said while it was away")
    status = await ada.team.look()
    assert (status.state, status.queued) == (TeamState.REFUSED, 1)
    assert status.message is not None
    assert "refuses the role" in status.message
    crew.as_administrator(f'ALTER ROLE "{role}" LOGIN')
    assert (await ada.team.look()).state is TeamState.OK
    await bob.team.look()
    assert await bob.titles() == [("Said while it was away", MemoryState.INBOX.value)]
    assert len(ada.said) == 1


async def test_a_reader_and_a_wrong_password_are_told_apart(window: Open):
    cy = await window("cy")
    await cy.team.join("harbour", cy.url)
    status = await cy.team.look()
    assert (status.state, status.rights) == (TeamState.READ_ONLY, "read")
    cy.around.variables["PLIMSOLL_TEAM_PASSWORD"] = "not the knots"
    await cy.team.leave()
    with pytest.raises(Exception, match="refuses the password"):
        await cy.team.join("harbour", cy.url)


async def test_an_admin_removes_a_member_with_what_it_wrote(window: Open, crew: Crew):
    owner, ada, bob = await window("owner"), await window("ada"), await window("bob")
    for each in (owner, ada, bob):
        await each.team.join("harbour", each.url)
    await ada.share("Of ada")
    await bob.share("Of bob")
    await ada.team.look()
    await bob.team.look()
    joined = await owner.store.replica.read_joined()
    assert joined is not None
    address = await owner.around.complete(ServerAddress(owner.url))
    administration = TeamAdministration(owner.around.engine, joined, address)
    ada_role = crew.role("ada")
    assert await administration.forget_all_of(ada_role) == 1
    await administration.remove(ada_role)
    assert ada_role not in await administration.members()
    await owner.team.look()
    assert [title for title, _ in await owner.titles()] == ["Of bob"]
    status = await ada.team.look()
    assert status.state is TeamState.REFUSED
    assert status.message is not None
    assert "or this role is no longer a member of it" in status.message
    address = await bob.around.complete(ServerAddress(bob.url))
    with pytest.raises(InvalidInput, match="is no admin of the project"):
        await TeamAdministration(bob.around.engine, joined, address).add(ada_role, "write")
