"""A team's PostgreSQL passes what every team's server must pass."""

import pytest

from plimsoll.storage.conformance.base import hide_secret
from plimsoll.storage.conformance.exchange import EXCHANGE
from plimsoll.storage.conformance.teams import TeamCheck
from plimsoll.storage.conformance.travelling import TRAVELLING
from plimsoll.storage.shared.base import TeamServer
from storage.postgres.crew import Crew

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("check", [*EXCHANGE, *TRAVELLING], ids=lambda check: check.__name__)
async def test_it_passes(check: TeamCheck, crew: Crew):
    async def open_one(person: str, machine: str = "laptop") -> TeamServer:
        return crew.team(person, machine, hide_secret)

    await check(open_one)
