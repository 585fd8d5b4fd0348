"""Addresses: no password stays in them, and TLS is verified wherever the network is used."""

import pytest

from plimsoll.errors import InvalidInput
from plimsoll.team.addresses import (
    ServerAddress,
    is_local,
    read_address,
    secure_address,
    trusted_roots,
)


@pytest.mark.parametrize(
    ("given", "url", "password"),
    [
        ("postgresql://ada@db:5432/team", "postgresql://ada@db:5432/team", ""),
        ("postgres://ada:s%40il@db/team", "postgresql://ada@db/team", "s@il"),
        ("postgresql://ada:s@il@db/team", "postgresql://ada@db/team", "s@il"),
        ("postgresql://db/team?password=sail&x=1", "postgresql://db/team?x=1", "sail"),
        (" postgresql:///team?host=%2Frun%2Fpg ", "postgresql:///team?host=%2Frun%2Fpg", ""),
    ],
)
def test_a_password_is_taken_out_of_an_address(given: str, url: str, password: str):
    assert read_address(given) == ServerAddress(url, password)
    assert password not in repr(read_address(given)) or not password


@pytest.mark.parametrize(
    "given",
    ["db", "https://ada@db/team", "postgresql://ada:sail@db", "postgresql://ada:s#il@db/team"],
)
def test_what_is_no_address_is_refused_without_being_repeated(given: str):
    with pytest.raises(InvalidInput) as refused:
        read_address(given)
    assert (refused.value.message, refused.value.remedy) == (
        "That is not the address of a PostgreSQL with a database.",
        "Write it as postgresql://ROLE@HOST:PORT/DATABASE.",
    )


def test_another_secret_in_an_address_is_refused():
    with pytest.raises(InvalidInput, match=r"a secret other than the password: sslpassword\."):
        read_address("postgresql://db/team?sslpassword=sail")


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("postgresql://127.0.0.1:5432/t", True),
        ("postgresql://ada@localhost/t", True),
        ("postgresql://[::1]:5432/t", True),
        ("postgresql:///t?host=/run/postgresql", True),
        ("postgresql://%2Frun%2Fpostgresql/t", True),
        ("postgresql:///t", False),
        ("postgresql://127.0.0.1,db/t", False),
        ("postgresql://localhost/t?hostaddr=10.0.0.1", False),
        ("postgresql://127.0.0.1.example.org/t", False),
        ("postgresql://ada@localhost@db/t", False),
    ],
)
def test_only_a_loopback_address_or_a_socket_is_of_this_machine(url: str, local: bool):
    assert is_local(url) is local


def test_what_leaves_the_machine_is_verified_unless_the_address_says_otherwise():
    assert secure_address("postgresql://ada@db/t", "s@il", "/ca.pem") == (
        "postgresql://ada:s%40il@db/t?sslmode=verify-full&sslrootcert=%2Fca.pem"
    )
    own = "postgresql://ada@db/t?sslmode=require"
    assert secure_address(own, "", "/ca.pem") == own
    verified = "postgresql://ada@localhost/t?sslmode=verify-full"
    assert secure_address(verified, "", "/ca.pem") == f"{verified}&sslrootcert=%2Fca.pem"
    assert secure_address(verified, "", None) == verified
    pinned = f"{verified}&sslrootcert=%2Fown.pem"
    assert secure_address(pinned, "", "/ca.pem") == pinned
    named = "postgresql://db/t?sslrootcert=%2Fown.pem"
    assert secure_address(named, "", None) == f"{named}&sslmode=verify-full"
    assert (
        secure_address("postgresql://127.0.0.1/t", "sail", None) == "postgresql://:sail@127.0.0.1/t"
    )


def test_certificates_are_those_of_the_setting_else_of_the_system(monkeypatch, tmp_path):
    assert trusted_roots("/ca.pem") == "/ca.pem"
    bundle = tmp_path / "roots.pem"
    bundle.write_text("")
    monkeypatch.setenv("SSL_CERT_FILE", str(bundle))
    assert trusted_roots(None) == str(bundle)
