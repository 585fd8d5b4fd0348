"""Errors of a shared PostgreSQL, in words for a person who can do something about them."""

from collections.abc import Mapping, Sequence

import psycopg
from psycopg.conninfo import conninfo_to_dict

from plimsoll.errors import StoreError, StoreNewer, StoreUnavailable
from plimsoll.storage.shared.reasons import Reason

_TRY_AGAIN = "Nothing was written; try again."
_WORDS: Mapping[Reason, tuple[str, str]] = {
    Reason.AWAY: ("cannot be reached", "Check the address, and whether it runs."),
    Reason.TIMEOUT: ("took too long to answer", _TRY_AGAIN),
    Reason.CONNECTIONS: (
        "has no connection left",
        "Ask whoever runs it for more, or put a pooler before it.",
    ),
    Reason.CONTENTION: ("is in use by too many at once", _TRY_AGAIN),
    Reason.LOGIN: (
        "refuses the password",
        "Check it: PLIMSOLL_TEAM_PASSWORD, the address, the system's keyring, ~/.pgpass.",
    ),
    Reason.ROLE: ("refuses the role", "Ask whoever runs it for a role that may log in from here."),
    Reason.REFUSED: ("refuses the connection", "Ask whoever runs it why; its log says it."),
    Reason.CERTIFICATE: (
        "has no certificate that can be verified",
        (
            "Ask whoever runs it for the certificate of its authority, and name that file in the "
            "setting network.ca_file."
        ),
    ),
    Reason.DATABASE: ("has no such database", "Check the end of the address."),
    Reason.TABLES: (
        "has no tables of Plimsoll",
        "Make a project there first, with a role that may make tables.",
    ),
    Reason.READ_ONLY: (
        "can only be read",
        "Name the server that is written to, not a follower.",
    ),
    Reason.FULL: ("has no room left on its disk", "Ask whoever runs it to make room."),
    Reason.RIGHTS: (
        "gives this role no right to do this",
        "Ask an admin of the project, or whoever runs the server, for the right.",
    ),
}
"""By reason: what the server does, and what a person can do."""
_CLOSER: Sequence[tuple[str, str, str]] = (
    (
        "no password supplied",
        "asks for a password",
        "Give it: PLIMSOLL_TEAM_PASSWORD, the address, the system's keyring, ~/.pgpass.",
    ),
    (
        "does not support SSL",
        "does not encrypt",
        "Ask whoever runs it to switch TLS on: without it nothing is sent over a network.",
    ),
    (
        "does not match host name",
        "shows the certificate of another name",
        "Write the name of its certificate in the address, or ask whoever runs it for another one.",
    ),
    (
        "root certificate file",
        "cannot be verified, as there is no file of trusted certificates",
        "Name one that can be read in the setting network.ca_file.",
    ),
)
"""Where a reason has several causes: a part of the driver's text, what it means, what helps."""
_STATES: Mapping[str, Reason] = {
    "28P01": Reason.LOGIN,
    "28000": Reason.ROLE,
    "25006": Reason.READ_ONLY,
    "53100": Reason.FULL,
    "53300": Reason.CONNECTIONS,
    "42501": Reason.RIGHTS,
    "3D000": Reason.DATABASE,
    "42P01": Reason.TABLES,
    "3F000": Reason.TABLES,
    "40001": Reason.CONTENTION,
    "40P01": Reason.CONTENTION,
    "57014": Reason.TIMEOUT,
}
"""By SQLSTATE."""
_SAID: Sequence[tuple[str, Reason]] = (
    ("password authentication failed", Reason.LOGIN),
    ("no password supplied", Reason.LOGIN),
    ("no pg_hba.conf entry", Reason.ROLE),
    ("pg_hba.conf rejects", Reason.ROLE),
    ("is not permitted to log in", Reason.ROLE),
    ("certificate", Reason.CERTIFICATE),
    ("does not support SSL", Reason.CERTIFICATE),
    ("too many c", Reason.CONNECTIONS),
    ("connection slots are reserved", Reason.CONNECTIONS),
    ("no more connections allowed", Reason.CONNECTIONS),
    ("permission denied for database", Reason.ROLE),
    ("connection option", Reason.ADDRESS),
    ("invalid sslmode", Reason.ADDRESS),
    ("is starting up", Reason.AWAY),
    ("is shutting down", Reason.AWAY),
    ("not yet accepting connections", Reason.AWAY),
    ("timeout expired", Reason.AWAY),
    # A pooler whose server is away.
    ("server_login_retry", Reason.AWAY),
    ("server conn crashed", Reason.AWAY),
    ("cannot connect to server", Reason.AWAY),
    ("No space left on device", Reason.FULL),
    # What a new connection writes first; the engine names no cause up to version 16.
    ("could not write init file", Reason.FULL),
    ("FATAL", Reason.REFUSED),
)
"""What the text of a connection error says: it has no SQLSTATE."""


def translate(error: psycopg.Error, url: str) -> StoreError:
    """Translate an error of the driver into an error of the store, without the password."""
    reason = reason_of(error)
    if reason is Reason.ADDRESS:
        return malformed_address()
    said = str(error)
    closer = ((does, remedy) for text, does, remedy in _CLOSER if text in said)
    return _unavailable(reason, url, next(closer, _WORDS[reason]))


def unavailable(reason: Reason, url: str) -> StoreUnavailable:
    """Build the error for a server that does not do what it is asked."""
    return _unavailable(reason, url, _WORDS[reason])


def _unavailable(reason: Reason, url: str, words: tuple[str, str]) -> StoreUnavailable:
    does, remedy = words
    return StoreUnavailable(
        f"The team's server at {place_of(url)} {does}.", remedy=remedy, data={"reason": reason}
    )


def malformed_address() -> StoreUnavailable:
    """Build the error for an address that cannot be read, of which it repeats nothing."""
    return StoreUnavailable(
        "The address of the team's server cannot be read.",
        remedy="Write it as postgresql://ROLE@HOST/DATABASE, without the password.",
        data={"reason": Reason.ADDRESS},
    )


def older_tables(url: str, version: int, owner: str) -> StoreUnavailable:
    """Build the error for tables that this role may not update."""
    return StoreUnavailable(
        f"The tables at {place_of(url)} have version {version}, which is too old for this program.",
        remedy=f"Ask {owner}, whose tables they are, to use this version of Plimsoll there once.",
        data={"reason": Reason.OLDER},
    )


def newer_tables(url: str, version: int, known: int) -> StoreNewer:
    """Build the error for tables of a newer version."""
    return StoreNewer(
        f"The tables at {place_of(url)} have version {version}; this program knows up to {known}.",
        remedy="Update Plimsoll on this machine.",
    )


def reason_of(error: psycopg.Error) -> Reason:
    """Tell the reason for an error of the driver."""
    known = _STATES.get(error.sqlstate or "")
    if known is not None:
        return known
    said = str(error)
    if 'database "' in said and "does not exist" in said:
        return Reason.DATABASE
    if 'role "' in said and "does not exist" in said:
        return Reason.ROLE
    return next((reason for words, reason in _SAID if words in said), Reason.AWAY)


def is_of_engine(error: psycopg.Error) -> bool:
    """Tell whether an error is the engine's; any other is a defect of a statement of ours."""
    if isinstance(error, psycopg.InternalError) and error.sqlstate is None:
        # The driver's own: a pooler lost its server, and answered twice before it hung up.
        return True
    return isinstance(error, psycopg.OperationalError) or error.sqlstate in _STATES


def place_of(url: str) -> str:
    """Name a server by host, port and database, without user name and password.

    Raises:
        StoreUnavailable: The address cannot be read.
    """
    try:
        given = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        # The driver's error may quote the password.
        raise malformed_address() from None
    host, port = given.get("host") or "localhost", given.get("port") or "5432"
    return f"{host}:{port}/{given.get('dbname') or ''}".rstrip("/")
