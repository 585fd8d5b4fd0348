"""Joining, making and leaving a project, and what of it is refused."""

from pathlib import Path

import pytest

from plimsoll.errors import InvalidInput, NotFound
from plimsoll.settings import Settings
from plimsoll.settings.shape import TeamSettings
from plimsoll.storage.shared.base import Joined
from plimsoll.storage.shared.status import SuggestedProject, TeamState, TeamStatus
from team.ends import (
    AT,
    HARBOUR,
    PROJECT,
    URL,
    Replica,
)
from team.folders import folder


async def test_joining_by_name_and_address(tmp_path: Path):
    async with folder(tmp_path, Replica()) as opened:
        status = await opened.team.join("harbour", URL)
        assert (status.state, status.project, status.url) == (TeamState.OK, "harbour", URL)
        assert opened.replica.now == Joined(project=PROJECT, name="harbour", url=URL, joined_at=AT)
        await opened.at_rest()
        assert opened.team.status().role == "ada"


async def test_joining_what_the_folder_suggests_at_the_server_of_the_settings(tmp_path: Path):
    (tmp_path / ".plimsoll").mkdir()
    (tmp_path / ".plimsoll/project").write_text(f'id = "{PROJECT}"\nname = "any"\n')
    async with folder(tmp_path, Replica()) as opened:
        opened.around.settings = Settings(team=TeamSettings(url=URL, project="another"))
        await opened.team.begin()
        assert opened.team.status() == TeamStatus(
            suggested=SuggestedProject(project=PROJECT, name="any")
        )
        assert (await opened.team.join()).project == "harbour"


async def test_joining_the_project_of_the_settings(tmp_path: Path):
    async with folder(tmp_path, Replica()) as opened:
        opened.around.settings = Settings(team=TeamSettings(url=URL, project="harbour"))
        assert (await opened.team.join()).project == "harbour"


@pytest.mark.parametrize(
    ("name", "url", "error", "message"),
    [
        ("harbour", None, InvalidInput, "No server is named."),
        (None, URL, InvalidInput, "No project is named, and this folder suggests none."),
        ("a\nb", URL, InvalidInput, "That cannot be the name of a project."),
        ("harbour", "db", InvalidInput, "That is not the address of a PostgreSQL with a database."),
        ("quay", URL, NotFound, "No project 'quay'."),
    ],
)
async def test_what_cannot_be_joined_is_refused(tmp_path: Path, name, url, error, message):
    async with folder(tmp_path, Replica()) as opened:
        with pytest.raises(error) as refused:
            await opened.team.join(name, url)
        assert refused.value.message == message
        assert opened.replica.now is None


async def test_a_folder_takes_part_in_one_project(tmp_path: Path):
    async with folder(tmp_path) as opened:
        with pytest.raises(InvalidInput) as refused:
            await opened.team.join("quay", URL)
        assert (refused.value.message, refused.value.remedy) == (
            "This folder takes part in 'harbour' already.",
            "Leave it first: `plimsoll team leave`.",
        )


async def test_the_same_project_at_another_address_is_gone_on_with(tmp_path: Path):
    async with folder(tmp_path) as opened:
        await opened.team.begin()
        await opened.at_rest()
        await opened.team.join("harbour", "postgresql://ada@localhost/team")
        assert opened.server.closed == 1


async def test_making_a_project_and_suggesting_it(tmp_path: Path):
    async with folder(tmp_path, Replica()) as opened:
        status = await opened.team.create("quay", URL, write_file=True)
        assert status.project == "quay"
        text = (tmp_path / ".plimsoll/project").read_text()
        assert text == f'id = "{opened.around.engine.projects["quay"].project}"\nname = "quay"\n'
        await opened.team.leave()
        with pytest.raises(InvalidInput, match=r"This folder has a file \.plimsoll/project"):
            await opened.team.create("pier", URL, write_file=True)
        assert set(opened.around.engine.projects) == {HARBOUR.name, "quay"}


async def test_leaving_ends_the_exchange_and_says_so(tmp_path: Path):
    async with folder(tmp_path) as opened:
        await opened.team.begin()
        await opened.at_rest()
        assert await opened.team.leave() == TeamStatus()
        assert (opened.replica.now, opened.server.closed) == (None, 1)
        assert opened.around.arrivals == [True]


async def test_accepting_a_colleague(tmp_path: Path):
    async with folder(tmp_path) as opened:
        await opened.team.accept("bob")
        assert (opened.replica.authors, opened.around.arrivals) == ({"bob"}, [False])
    async with folder(tmp_path, Replica()) as opened:
        with pytest.raises(InvalidInput, match=r"takes part in no team"):
            await opened.team.accept("bob")


async def test_the_password_of_the_variable_goes_to_the_driver_alone(tmp_path: Path):
    async with folder(tmp_path, Replica()) as opened:
        opened.around.variables["PLIMSOLL_TEAM_PASSWORD"] = "anchors aweigh"
        await opened.team.join("harbour", URL)
        await opened.at_rest()
        complete = "postgresql://ada:anchors%20aweigh@127.0.0.1:5432/team"
        assert opened.around.engine.addresses == [complete, complete]
        assert "anchors" not in repr((opened.replica.now, opened.around.shown))
        assert opened.around.secrets("anchors aweigh") == "[redacted: team-password]"


async def test_the_password_of_a_client_goes_to_its_own_address(tmp_path: Path):
    async with folder(tmp_path, Replica()) as opened:
        opened.around.passwords[URL] = "knots"
        await opened.team.join("harbour", URL)
        await opened.at_rest()
        assert set(opened.around.engine.addresses) == {URL.replace("@", ":knots@")}
        await opened.team.join("harbour", "postgresql://ada@localhost/team")
        assert opened.around.engine.addresses[-1] == "postgresql://ada@localhost/team"
