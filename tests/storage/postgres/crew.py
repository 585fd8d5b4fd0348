"""People at a shared project: roles of their own at the server, and what they do there by hand."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, LiteralString
from uuid import uuid4

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier, Literal

from plimsoll.redaction.secrets import Secrets
from plimsoll.storage.base import Redactor
from plimsoll.storage.postgres.opening import add_member, create_shared, open_team
from plimsoll.storage.postgres.team.server import PostgresTeam
from plimsoll.storage.postgres.team.sessions import MachineName
from plimsoll.storage.shared.base import Rights
from storage.postgres.engine import Engine

_KNOTS = "knots"
_SECRETS = Secrets({"SHIP_KEY": "four-leaf-anchor"})


@dataclass
class Crew:
    """A database with a project, its admin, and the roles that were made for others.

    Roles are the whole server's: their names have an ending that no other test gives them.
    """

    url: str
    """With the role that may do everything."""
    project: str = ""
    ending: str = field(default_factory=lambda: uuid4().hex[:8])
    teams: list[PostgresTeam] = field(default_factory=list)

    def role(self, name: str) -> str:
        return f"{name}_{self.ending}"

    def url_of(self, name: str) -> str:
        return make_conninfo(self.url, user=self.role(name), password=_KNOTS)

    def sign_on(self, *names: str) -> None:
        """Make roles that may log in, and nothing else."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            for name in names:
                statement = SQL("CREATE ROLE {} LOGIN PASSWORD {}")
                connection.execute(statement.format(Identifier(self.role(name)), Literal(_KNOTS)))

    async def enlist(self, name: str, rights: Rights = "write") -> None:
        """Make a role and a member of the project."""
        self.sign_on(name)
        await add_member(self.url_of("owner"), "harbour", self.role(name), rights)

    def team(self, name: str, machine: str = "laptop", redact: Redactor = _SECRETS) -> PostgresTeam:
        """The project as a person's machine sees it."""
        here = MachineName(machine, f"{machine} of {name}")
        self.teams.append(open_team(self.url_of(name), self.project, redact, machine=here))
        return self.teams[-1]

    def by_hand(self, name: str, *statements: LiteralString, **values: object) -> list[Any]:
        """Run statements as a person who knows SQL; return the rows of the last one."""
        with psycopg.connect(self.url_of(name)) as connection:
            return self._run(connection, statements, values)

    def as_administrator(self, *statements: LiteralString, **values: object) -> list[Any]:
        """Run statements as whoever runs the server."""
        with psycopg.connect(self.url) as connection:
            return self._run(connection, statements, values)

    def _run(
        self,
        connection: psycopg.Connection[Any],
        statements: Sequence[LiteralString],
        values: dict[str, object],
    ) -> list[Any]:
        given = {"project": self.project, **values}
        for statement in statements:
            found = connection.execute(statement, given)
        return found.fetchall() if found.description else [found.rowcount]


async def crew_of(engine: Engine) -> Crew:
    """Have a project that a role without any other right has made."""
    crew = Crew(engine.new_database())
    crew.sign_on("owner")
    with psycopg.connect(crew.url, autocommit=True) as connection:
        name = connection.info.dbname
        grant = SQL("GRANT CREATE ON DATABASE {} TO {}")
        connection.execute(grant.format(Identifier(name), Identifier(crew.role("owner"))))
    crew.project = await create_shared(crew.url_of("owner"), "harbour")
    return crew
