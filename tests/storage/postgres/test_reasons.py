"""What a person is told of an error of the driver: one reason each, and never the password."""

import psycopg
import pytest
from psycopg import errors

from plimsoll.errors import StoreNewer, StoreUnavailable
from plimsoll.storage.postgres.failures import (
    is_of_engine,
    newer_tables,
    older_tables,
    place_of,
    reason_of,
    translate,
    unavailable,
)
from plimsoll.storage.shared.reasons import Reason

URL = "postgresql://ada:knots@db.example:6543/team"
AT = "The team's server at db.example:6543/team"


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        ("28P01", Reason.LOGIN),
        ("28000", Reason.ROLE),
        ("25006", Reason.READ_ONLY),
        ("53100", Reason.FULL),
        ("53300", Reason.CONNECTIONS),
        ("42501", Reason.RIGHTS),
        ("3D000", Reason.DATABASE),
        ("42P01", Reason.TABLES),
        ("3F000", Reason.TABLES),
        ("40001", Reason.CONTENTION),
        ("40P01", Reason.CONTENTION),
        ("57014", Reason.TIMEOUT),
    ],
)
def test_a_state_of_the_engine_is_one_reason_whatever_it_says(state: str, reason: Reason):
    error = errors.lookup(state)("FATAL: whatever")
    assert reason_of(error) is reason
    assert is_of_engine(error)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ('FATAL: database "x" does not exist', Reason.DATABASE),
        ('FATAL: role "x" does not exist', Reason.ROLE),
        ('FATAL: password authentication failed for user "x"', Reason.LOGIN),
        ("fe_sendauth: no password supplied", Reason.LOGIN),
        ("FATAL: no pg_hba.conf entry for host", Reason.ROLE),
        ("FATAL: pg_hba.conf rejects connection", Reason.ROLE),
        ('FATAL: role "x" is not permitted to log in', Reason.ROLE),
        ('FATAL: permission denied for database "x"', Reason.ROLE),
        ("SSL error: certificate verify failed", Reason.CERTIFICATE),
        ("server does not support SSL, but SSL was required", Reason.CERTIFICATE),
        ("FATAL: sorry, too many clients already", Reason.CONNECTIONS),
        ("FATAL: too many connections for role", Reason.CONNECTIONS),
        ("FATAL: remaining connection slots are reserved", Reason.CONNECTIONS),
        ("FATAL: no more connections allowed", Reason.CONNECTIONS),
        ('invalid connection option "x"', Reason.ADDRESS),
        ('invalid sslmode value: "x"', Reason.ADDRESS),
        ("FATAL: the database system is starting up", Reason.AWAY),
        ("FATAL: the database system is shutting down", Reason.AWAY),
        ("FATAL: the database system is not yet accepting connections", Reason.AWAY),
        ("connection timeout expired", Reason.AWAY),
        ("FATAL: server login has been failing (server_login_retry)", Reason.AWAY),
        ("FATAL: server conn crashed?", Reason.AWAY),
        ("FATAL: cannot connect to server", Reason.AWAY),
        ("FATAL: No space left on device", Reason.FULL),
        ("FATAL: could not write init file", Reason.FULL),
        ("FATAL: something new", Reason.REFUSED),
        ("connection refused", Reason.AWAY),
        ('database "x" was lost', Reason.AWAY),
        ('role "x" was lost', Reason.AWAY),
    ],
)
def test_what_a_connection_error_says_is_one_reason(said: str, reason: Reason):
    assert reason_of(psycopg.OperationalError(said)) is reason


@pytest.mark.parametrize(
    ("error", "ours"),
    [
        (psycopg.OperationalError("away"), False),
        (psycopg.InternalError("lost"), False),
        (errors.lookup("XX000")("broken"), True),
        (errors.lookup("42601")("a comma"), True),
        (psycopg.ProgrammingError("a comma"), True),
        (errors.lookup("42501")("no right"), False),
    ],
)
def test_a_defect_of_a_statement_is_not_told_as_trouble_of_the_server(
    error: psycopg.Error, ours: bool
):
    assert is_of_engine(error) is not ours


@pytest.mark.parametrize(
    ("said", "told", "remedy"),
    [
        ("password authentication failed", "refuses the password", "Check it: PLIMSOLL_TEAM_"),
        ("no password supplied", "asks for a password", "Give it: PLIMSOLL_TEAM_PASSWORD"),
        ("does not support SSL", "does not encrypt", "switch TLS on"),
        (
            "server certificate does not match host name",
            "shows the certificate of another name",
            "Write the name of its certificate",
        ),
        (
            "root certificate file is missing",
            "cannot be verified, as there is no file of trusted certificates",
            "network.ca_file",
        ),
        ("certificate", "has no certificate that can be verified", "network.ca_file"),
        ("refused", "cannot be reached", "Check the address, and whether it runs."),
    ],
)
def test_the_cause_is_told_as_closely_as_it_is_known(said: str, told: str, remedy: str):
    error = translate(psycopg.OperationalError(f"{said} knots"), URL)
    assert error.message == f"{AT} {told}."
    assert remedy in (error.remedy or "")
    assert "knots" not in f"{error.message}{error.remedy}"


def test_each_reason_has_words_and_says_what_to_do():
    spoken = set(Reason) - {Reason.ADDRESS, Reason.OLDER}
    told = {reason: unavailable(reason, URL) for reason in spoken}
    assert len({error.message for error in told.values()}) == len(spoken)
    for reason, error in told.items():
        assert error.message.startswith(f"{AT} ")
        assert (error.data, bool(error.remedy)) == ({"reason": reason}, True)


@pytest.mark.parametrize(
    ("url", "place"),
    [
        (URL, "db.example:6543/team"),
        ("postgresql://ada:knots@db.example", "db.example:5432"),
        ("dbname=team", "localhost:5432/team"),
        ("host=/run/postgresql user=ada", "/run/postgresql:5432"),
    ],
)
def test_a_server_is_named_without_user_and_password(url: str, place: str):
    assert place_of(url) == place


@pytest.mark.parametrize("url", ["postgresql://ada:knots@[db", "knots", "knots = 1"])
def test_of_an_address_that_cannot_be_read_nothing_is_repeated(url: str):
    with pytest.raises(StoreUnavailable) as raised:
        place_of(url)
    assert raised.value.message == "The address of the team's server cannot be read."
    assert raised.value.data == {"reason": Reason.ADDRESS}
    told = translate(psycopg.OperationalError("invalid connection option knots"), URL)
    assert (told.message, told.data) == (raised.value.message, raised.value.data)


def test_tables_of_another_version_say_who_has_to_do_what():
    older, newer = older_tables(URL, 3, "captain"), newer_tables(URL, 9, 5)
    assert older.message == (
        "The tables at db.example:6543/team have version 3, which is too old for this program."
    )
    assert "Ask captain, whose tables they are" in (older.remedy or "")
    assert older.data == {"reason": Reason.OLDER}
    assert isinstance(newer, StoreNewer)
    assert newer.message == (
        "The tables at db.example:6543/team have version 9; this program knows up to 5."
    )
