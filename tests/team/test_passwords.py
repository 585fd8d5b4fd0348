"""The password of a team's server: from a variable, from the keyring, never from our own files."""

import sys
import types
from pathlib import Path

import pytest

from plimsoll.errors import InvalidInput
from plimsoll.redaction.secrets import Secrets
from plimsoll.team.addresses import ServerAddress
from plimsoll.team.passwords import find_password, keep_password, refuse_unkept
from team.ends import URL

PASSWORD = "anchors aweigh"
ADDRESS = ServerAddress(URL, PASSWORD)


class Keyring:
    """The keyring of a test, in the place of the library."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    def get_keyring(self) -> object:
        return self

    def get_password(self, service_name: str, username: str) -> str | None:
        return self.kept.get((service_name, username))

    def set_password(self, service_name: str, username: str, password: str) -> None:
        self.kept[service_name, username] = password


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> Keyring:
    kept = Keyring()
    monkeypatch.setitem(sys.modules, "keyring", kept)
    monkeypatch.setitem(sys.modules, "keyring.errors", types.ModuleType("keyring.errors"))
    return kept


async def test_what_was_written_in_an_address_is_kept_in_the_keyring_and_found_there(keyring):
    secrets = Secrets({})
    await refuse_unkept(ADDRESS)
    await keep_password(ADDRESS, secrets)
    assert keyring.kept == {("plimsoll", f"team {URL}"): PASSWORD}
    assert secrets(PASSWORD) == "[redacted: team-password]"
    assert await find_password(URL, {}, Secrets({})) == PASSWORD
    assert await find_password("postgresql://other/team", {}, Secrets({})) == ""


async def test_the_variable_comes_first_and_is_a_secret(keyring):
    keyring.kept["plimsoll", f"team {URL}"] = "another one"
    secrets = Secrets({})
    assert await find_password(URL, {"PLIMSOLL_TEAM_PASSWORD": PASSWORD}, secrets) == PASSWORD
    assert secrets(PASSWORD) == "[redacted: team-password]"


async def test_without_a_keyring_a_written_password_is_refused(monkeypatch, tmp_path: Path):
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(InvalidInput) as refused:
        await refuse_unkept(ADDRESS)
    assert refused.value.message.startswith(
        "The password in the address cannot be kept in the system's keyring: the library for it is "
        "not installed"
    )
    assert refused.value.remedy == (
        "Take it out of the address, and set PLIMSOLL_TEAM_PASSWORD or write it into ~/.pgpass."
    )
    await refuse_unkept(ServerAddress(URL))
    await keep_password(ServerAddress(URL), Secrets({}))
