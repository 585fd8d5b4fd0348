"""Who takes part in a project, and who may say so."""

import asyncio

import pytest

from plimsoll.errors import InvalidInput, NotFound
from plimsoll.storage.conformance.teams import note, push, texts
from plimsoll.storage.postgres.opening import (
    add_member,
    create_shared,
    find_shared,
    list_members,
    name_shared,
    remove_member,
)
from plimsoll.storage.shared.base import Membership
from plimsoll.storage.shared.operations import ShareMemory

pytestmark = pytest.mark.slow


async def test_each_role_has_its_rights(crew):
    rights = {"owner": "admin", "ada": "write", "bob": "write", "cy": "read"}

    for name, expected in rights.items():
        assert await crew.team(name).membership() == Membership(crew.role(name), expected)
        told = await list_members(crew.url_of(name), "harbour")
        assert told == {crew.role(each): right for each, right in sorted(rights.items())}
    assert await find_shared(crew.url_of("cy"), "harbour") == crew.project
    assert await name_shared(crew.url_of("cy"), crew.project) == "harbour"


async def test_an_admin_adds_others_and_no_other_member_does(crew):
    crew.sign_on("dee", "eve")
    with pytest.raises(NotFound):
        await find_shared(crew.url_of("dee"), "harbour")

    for name in ("ada", "cy"):
        with pytest.raises(InvalidInput, match="is no admin"):
            await add_member(crew.url_of(name), "harbour", crew.role("dee"), "write")
    await add_member(crew.url_of("owner"), "harbour", crew.role("ada"), "admin")
    await asyncio.gather(
        add_member(crew.url_of("ada"), "harbour", crew.role("dee"), "write"),
        add_member(crew.url_of("owner"), "harbour", crew.role("eve"), "read"),
    )

    members = await list_members(crew.url_of("dee"), "harbour")
    assert members[crew.role("dee")] == "write"
    assert members[crew.role("eve")] == "read"
    with pytest.raises(InvalidInput, match="no role 'nobody'"):
        await add_member(crew.url_of("ada"), "harbour", "nobody", "write")


async def test_a_project_always_has_an_admin(crew):
    for change in (
        add_member(crew.url_of("owner"), "harbour", crew.role("owner"), "read"),
        remove_member(crew.url_of("owner"), "harbour", crew.role("owner")),
    ):
        with pytest.raises(InvalidInput, match="always has an admin"):
            await change


async def test_what_a_person_shared_stays_when_they_leave(crew):
    await push(crew.team("ada"), ShareMemory(note()))

    await remove_member(crew.url_of("owner"), "harbour", crew.role("ada"))

    assert set(await texts(crew.team("bob"))) == {"k1"}
    assert crew.role("ada") not in await list_members(crew.url_of("bob"), "harbour")
    with pytest.raises(NotFound):
        await crew.team("ada").news(0)


async def test_a_word_for_rights_that_nobody_knows_permits_reading(crew):
    crew.as_administrator(
        "UPDATE plimsoll.members SET rights = rights || jsonb_build_object(%(role)s::text, 'x')",
        role=crew.role("ada"),
    )

    assert (await crew.team("ada").membership()).rights == "read"


async def test_whom_the_owner_trusts_makes_projects_without_other_rights(crew):
    with pytest.raises(Exception, match="no right to do this"):
        await create_shared(crew.url_of("ada"), "lighthouse")
    role = crew.role("ada")
    crew.by_hand("owner", f"GRANT INSERT ON plimsoll.projects, plimsoll.members TO {role}")

    project = await create_shared(crew.url_of("ada"), "lighthouse")

    assert await find_shared(crew.url_of("ada"), "lighthouse") == project
    assert await list_members(crew.url_of("ada"), "lighthouse") == {role: "admin"}
    with pytest.raises(NotFound):
        await find_shared(crew.url_of("owner"), "lighthouse")


async def test_the_administrator_removes_a_person_and_what_they_wrote(crew):
    """The statements that `docs/team.md` gives: whoever runs the server has no other way."""
    ada = crew.team("ada")
    await push(ada, ShareMemory(note()))
    before = (await crew.team("bob").news(0)).position

    crew.as_administrator(
        "UPDATE plimsoll.members SET rights = rights - %(role)s::text",
        "UPDATE plimsoll.projects SET clock = clock + 1",
        "UPDATE plimsoll.memories SET gone = true, title = '', content = '', tags = '[]', "
        "fingerprint = '', expires_at = NULL, supersedes = NULL, changed = "
        "(SELECT clock FROM plimsoll.projects WHERE id = project) WHERE owner = %(role)s",
        "DELETE FROM plimsoll.sessions WHERE owner = %(role)s",
        role=crew.role("ada"),
    )

    assert (await crew.team("bob").news(before)).forgotten == ["k1"]
