"""What a person is told of each trouble with a real server, in whole sentences."""

from dataclasses import replace
from urllib.parse import urlsplit

import pytest

from plimsoll.settings import Settings
from plimsoll.settings.shape import NetworkSettings
from plimsoll.storage.postgres import migrations
from plimsoll.storage.shared.status import TeamState
from providers.networks.certificates import make_authority
from storage.postgres.crew import Crew
from storage.postgres.engine import Engine
from storage.postgres.rig.follower import catch_up, following
from storage.postgres.rig.tls import tls_door
from team.conftest import Open
from team.windows import Window

pytestmark = pytest.mark.slow
GONE = (
    "The project 'harbour' is no longer at the team's server, or this role is no longer a "
    "member of it."
)
LATER = " What you share meanwhile is sent later."


async def joined(window: Open, name: str = "ada") -> Window:
    opened = await window(name)
    await opened.team.join("harbour", opened.url)
    await opened.team.look()
    return opened


async def at(opened: Window, url: str) -> None:
    """Let the folder have the project at another address."""
    await opened.team.close()
    known = await opened.store.replica.read_joined()
    assert known is not None
    await opened.store.replica.join(replace(known, url=url))


async def told(opened: Window) -> tuple[str, str, str]:
    """State, sentence and remedy; the server's place is written PLACE."""
    status = await opened.team.look()
    known = await opened.store.replica.read_joined()
    assert known is not None
    parts = urlsplit(known.url)
    place = f"{parts.netloc.rpartition('@')[2]}{parts.path}"
    words = ((status.message or "").replace(place, "PLACE"), status.remedy or "")
    assert opened.said[-1] == f"{status.message} {status.remedy}"
    assert not any("knots" in each for each in words)
    return (status.state.value, *words)


async def test_nobody_answers(window: Open):
    ada = await joined(window)
    await at(ada, ada.url.replace(f":{urlsplit(ada.url).port}/", ":1/"))
    assert await told(ada) == (
        "away",
        "The team's server at PLACE cannot be reached.",
        f"Check the address, and whether it runs.{LATER}",
    )


async def test_the_password_is_wrong(window: Open):
    ada = await joined(window)
    await at(ada, ada.url)
    ada.around.variables["PLIMSOLL_TEAM_PASSWORD"] = "anything else"
    state, message, remedy = await told(ada)
    assert (state, message) == ("refused", "The team's server at PLACE refuses the password.")
    assert "Elsewhere set PLIMSOLL_TEAM_PASSWORD, or join once more" in remedy


async def test_the_certificate_does_not_verify(window: Open, tmp_path):
    ada = await joined(window)
    authority = make_authority(tmp_path)
    async with tls_door(authority.context("itself")) as port:
        ada.settings = Settings(network=NetworkSettings(ca_file=str(authority.root)))
        await at(ada, f"postgresql://ada@localhost:{port}/team?sslmode=verify-full")
        state, message, remedy = await told(ada)
    assert (state, message) == (
        "refused",
        "The team's server at PLACE has no certificate that can be verified.",
    )
    assert remedy.startswith("Ask whoever runs it for the certificate of its authority")


async def test_the_server_can_only_be_read(window: Open, crew: Crew, engine: Engine):
    ada = await joined(window)
    with following(engine) as follower:
        catch_up(engine, follower)
        await at(ada, ada.url.replace(f":{engine.port}/", f":{follower.port}/"))
        await ada.share("It waits")
        assert await told(ada) == (
            "readOnly",
            "The team's server at PLACE can only be read.",
            "Name the server that is written to, not a follower.",
        )
        assert ada.team.status().queued == 1
        await ada.team.close()


async def test_the_tables_are_newer(window: Open, crew: Crew):
    ada = await joined(window)
    crew.as_administrator("INSERT INTO plimsoll.versions (version) VALUES (99)")
    known = len(migrations.STEPS)
    assert await told(ada) == (
        "refused",
        f"The tables at PLACE have version 99; this program knows up to {known}.",
        "Update Plimsoll on this machine.",
    )


async def test_the_tables_are_older(window: Open, crew: Crew, monkeypatch):
    ada = await joined(window)
    await at(ada, ada.url)
    step = ("ALTER TABLE plimsoll.projects ADD COLUMN flag text",)
    monkeypatch.setattr(migrations, "STEPS", (*migrations.STEPS, step))
    version = len(migrations.STEPS) - 1
    owner = crew.role("owner")
    remedy = f"Ask {owner}, whose tables they are, to use this version of Plimsoll there once."
    assert await told(ada) == (
        "refused",
        f"The tables at PLACE have version {version}, which is too old for this program.",
        remedy,
    )


async def test_the_role_may_not(window: Open, crew: Crew):
    ada = await joined(window)
    crew.as_administrator("REVOKE USAGE ON SCHEMA plimsoll FROM PUBLIC")
    assert await told(ada) == (
        "refused",
        "The team's server at PLACE gives this role no right to do this.",
        "Ask an admin of the project, or whoever runs the server, for the right.",
    )


async def test_the_role_may_only_read(window: Open, crew: Crew):
    cy = await joined(window, "cy")
    reads = f"The role {crew.role('cy')!r} may only read the project 'harbour'"
    assert await told(cy) == (
        "readOnly",
        f"{reads}: what you share stays on this machine.",
        "Ask who administers it: `plimsoll team members add ROLE` lets a role write.",
    )


async def test_the_project_is_gone(window: Open, crew: Crew):
    ada = await joined(window)
    crew.as_administrator("DELETE FROM plimsoll.projects")
    assert await told(ada) == (
        "refused",
        GONE,
        "Ask whoever runs it. `plimsoll team leave` ends it here and keeps what is your own.",
    )
    assert ada.team.status().state is TeamState.REFUSED
