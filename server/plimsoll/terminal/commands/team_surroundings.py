"""The services that the terminal's commands give to a folder's part in a team."""

import os
import platform
from pathlib import Path

from plimsoll.app.app import known_tools
from plimsoll.redaction.secrets import Secrets
from plimsoll.rules import this_machine
from plimsoll.session.ports.clock import SystemClock
from plimsoll.settings import Settings
from plimsoll.storage.locate import data_folder
from plimsoll.storage.shared.base import TeamReplica
from plimsoll.storage.shared.status import TeamStatus
from plimsoll.team.engine import PostgresEngine
from plimsoll.team.surroundings import TeamSurroundings


def surroundings_of(
    root: Path, replica: TeamReplica, secrets: Secrets, settings: Settings
) -> TeamSurroundings:
    """Make the surroundings of a folder in which no session is open; reads the machine's id."""
    engine = PostgresEngine(
        redact=secrets,
        machine_id=this_machine(data_folder(os.environ)).id,
        machine_name=platform.node(),
        tools=known_tools(),
    )
    return TeamSurroundings(
        root=root,
        replica=replica,
        engine=engine,
        clock=SystemClock(),
        secrets=secrets,
        variables=os.environ,
        passwords={},
        settings=lambda: settings,
        changed=_ignore_status,
        say=_ignore_words,
        arrived=_ignore_arrival,
    )


def _ignore_status(_status: TeamStatus) -> None:
    """Do nothing: the command itself shows how it stands."""


def _ignore_words(_words: str) -> None:
    """Do nothing: the command itself says what is wrong."""


async def _ignore_arrival(_removed: bool) -> None:
    """Do nothing: no session is open in this process."""
