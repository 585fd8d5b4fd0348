"""What `plimsoll doctor` and `plimsoll team doctor` find out about a folder's team."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Literal
from urllib.parse import parse_qsl, urlsplit

from plimsoll.errors import PlimsollError
from plimsoll.storage.shared.base import Joined
from plimsoll.storage.shared.project_file import read_suggestion
from plimsoll.team.addresses import ServerAddress, is_local, trusted_roots
from plimsoll.team.passwords import VARIABLE, find_password
from plimsoll.team.surroundings import TeamSurroundings
from plimsoll.team.troubles import SLOW_SECONDS, trouble_of
from plimsoll.text.wording import how_to_install, plural

LIBRARIES = ("psycopg", "psycopg-pool")
RIGHTS: Mapping[str, str] = {
    "admin": "may write and change the members",
    "write": "may write",
    "read": "may only read",
}


@dataclass(frozen=True, slots=True)
class Checked:
    """The finding of one check."""

    name: str
    state: Literal["ok", "note", "wrong"]
    told: str


async def check_team(around: TeamSurroundings) -> AsyncIterator[Checked]:
    """Look at the driver, the project, the way to its server, and what the server answers."""
    yield _driver()
    joined = await around.replica.read_joined()
    if joined is None:
        suggested = await asyncio.to_thread(read_suggestion, around.root)
        hint = f"; it suggests {suggested.name!r}" if suggested else ""
        yield Checked("project", "note", f"this folder takes part in none{hint}")
        return
    yield Checked("project", "ok", f"{joined.name}, joined on {joined.joined_at[:10]}")
    yield _way(joined.url, around.settings().network.ca_file)
    yield await _password(joined.url, around)
    yield await check_server(joined, around)
    yield await check_waiting(around)
    heard = joined.seen_at or "never"
    yield Checked("last heard", "ok" if joined.seen_at else "note", heard)


async def check_server(joined: Joined, around: TeamSurroundings) -> Checked:
    """Read the role and the news at the server, and measure how long that takes."""
    name = "team's server"
    try:
        way = await around.complete(ServerAddress(joined.url))
        server = await around.engine.open(way, joined.project)
        try:
            membership = await server.membership()
            begun = around.clock.seconds()
            await server.news(joined.position, 1)
            seconds = around.clock.seconds() - begun
        finally:
            await server.close()
    except PlimsollError as error:
        return Checked(name, "wrong", trouble_of(error, joined).words)
    rights = RIGHTS[membership.rights]
    told = (
        f"{joined.name} at {joined.url}: the role {membership.role} {rights}; "
        f"answered in {seconds * 1000:,.0f} ms"
    )
    is_good = membership.rights != "read" and seconds <= SLOW_SECONDS
    return Checked(name, "ok" if is_good else "note", told)


async def check_waiting(around: TeamSurroundings) -> Checked:
    """Count the changes that wait to be sent; nothing is sent by it."""
    name = "waiting to be sent"
    queued = await around.replica.count_queued()
    if not queued:
        return Checked(name, "ok", "0")
    changes = plural(queued, "change")
    hint = "`plimsoll team status` sends what waits, or says why it cannot"
    return Checked(name, "note", f"{changes}: {hint}")


def _driver() -> Checked:
    try:
        told = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    except PackageNotFoundError:
        return Checked("driver", "wrong", f"not installed. Install it: {how_to_install('team')}")
    return Checked("driver", "ok", told)


def _way(url: str, ca_file: str | None) -> Checked:
    named = dict(parse_qsl(urlsplit(url).query)).get("sslmode")
    if named is not None:
        state = "ok" if named == "verify-full" else "note"
        return Checked("encryption", state, f"sslmode {named}, as the address says")
    if is_local(url):
        return Checked("encryption", "ok", "none asked for: the address is of this machine")
    return Checked("encryption", "ok", f"verified by {trusted_roots(ca_file)}")


async def _password(url: str, around: TeamSurroundings) -> Checked:
    if around.variables.get(VARIABLE):
        return Checked("password", "ok", f"in {VARIABLE}")
    if await find_password(url, around.variables, around.secrets):
        return Checked("password", "ok", "in the system's keyring")
    told = f"neither in {VARIABLE} nor in the keyring: PGPASSWORD or ~/.pgpass may have it"
    return Checked("password", "note", told)
