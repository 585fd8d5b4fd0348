"""Logins at MCP servers are kept as keys are, and stand in no text."""

import sys
from types import ModuleType

import pytest

from plimsoll.app.mcp_logins import KeyringLogins
from plimsoll.redaction.secrets import Secrets
from plimsoll.tools.mcp.logins import Login

LOGIN = Login(
    issuer="https://as.example",
    token_endpoint="https://as.example/token",
    client_id="c",
    redirect="http://127.0.0.1:33519/callback",
    access="access-token-of-ada",
).encode()


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The library is no part of the product: its place is taken by one of the test's own."""
    kept: dict[str, str] = {}
    library = ModuleType("keyring")
    library.get_keyring = lambda: kept
    library.get_password = lambda _, name: kept.get(name)
    library.set_password = lambda _, name, key: kept.__setitem__(name, key)
    monkeypatch.setitem(sys.modules, "keyring", library)
    return kept


async def test_a_login_is_kept_in_the_keyring_and_its_token_hidden(keyring: dict[str, str]):
    secrets = Secrets({})
    await KeyringLogins(secrets).keep("https://far.example/mcp", LOGIN)
    assert keyring == {"mcp https://far.example/mcp": LOGIN}
    assert secrets("it is access-token-of-ada") == "it is [redacted: MCP_LOGIN]"

    later = Secrets({})
    assert await KeyringLogins(later).read("https://far.example/mcp") == LOGIN
    assert secrets("access-token-of-ada") == later("access-token-of-ada")


async def test_without_a_keyring_it_holds_while_the_process_lives(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "keyring", None)
    logins = KeyringLogins(Secrets({}))
    await logins.keep("https://far.example/mcp", LOGIN)
    assert await logins.read("https://far.example/mcp") == LOGIN
    assert await KeyringLogins(Secrets({})).read("https://far.example/mcp") is None
