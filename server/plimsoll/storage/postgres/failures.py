"""What went wrong at a shared PostgreSQL, in the words of a person who can do something."""

from collections.abc import Mapping

import psycopg
from psycopg.conninfo import conninfo_to_dict

from plimsoll.errors import StoreError, StoreUnavailable

_REMEDIES: Mapping[str, tuple[str, str]] = {
    "28P01": ("refuses the password", "Check the password."),
    "28000": ("refuses the role", "Ask whoever runs it for a role that may log in."),
    "25006": ("can only be read", "Name the server that is written to, not a follower."),
    "53100": ("has no room left on its disk", "Ask whoever runs it to make room."),
    "53300": ("has no connection left", "Ask whoever runs it for more, or put a pooler before it."),
    "42501": ("gives this role no right to do this", "Ask whoever runs it for the right."),
    "3D000": ("has no such database", "Check the end of the address."),
    "42P01": (
        "has no tables of Plimsoll",
        "Make a project there first, with a role that may make tables.",
    ),
    "40001": ("is in use by too many at once", "Nothing was written; try again."),
    "40P01": ("is in use by too many at once", "Nothing was written; try again."),
    "57014": ("took too long to answer", "Nothing was written; try again."),
}
"""By SQLSTATE: what the server does, and what a person can do."""
_AWAY = ("cannot be reached", "Check the address, and whether it runs.")


def translated(error: psycopg.Error, url: str) -> StoreError:
    """Translate an error of the driver into an error of the store, without the password."""
    state = error.sqlstate or _state_told(error)
    does, remedy = _REMEDIES.get(state, _AWAY)
    return StoreUnavailable(
        f"The team's server at {place_of(url)} {does}.",
        remedy=remedy,
        data={"reason": state or "away"},
    )


def is_of_engine(error: psycopg.Error) -> bool:
    """Tell whether an error is the engine's; any other is a defect of a statement of ours."""
    return isinstance(error, psycopg.OperationalError) or error.sqlstate in _REMEDIES


def place_of(url: str) -> str:
    """Name a server by host, port and database, without user name and password."""
    given = conninfo_to_dict(url)
    host, port = given.get("host") or "localhost", given.get("port") or "5432"
    return f"{host}:{port}/{given.get('dbname') or ''}".rstrip("/")


def _state_told(error: psycopg.Error) -> str:
    """Read the SQLSTATE from the text of a connection error, which has it nowhere else."""
    said = str(error)
    if "password authentication failed" in said:
        return "28P01"
    if "does not exist" in said and "database" in said:
        return "3D000"
    return ""
