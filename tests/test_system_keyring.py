"""Keys in the system's keyring: for one address each, read late, and never waited for for ever."""

import asyncio
import sys
import threading
import types

import pytest

from plimsoll import system_keyring
from plimsoll.errors import InvalidInput
from plimsoll.models import OpenModels
from plimsoll.redaction.secrets import Secrets
from plimsoll.settings.shape import ModelSettings, Settings

KEY = "sk-of-the-keyring-1234567890"


class KeyringError(Exception):
    """The error of the library."""


class Store:
    """A keyring as the library has it, of one test."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.asked: list[str] = []
        self.locked = False

    def get_keyring(self) -> object:
        return self

    def get_password(self, service_name: str, username: str) -> str | None:
        self.asked.append(username)
        if self.locked:
            raise KeyringError("locked")
        return self.kept.get((service_name, username))

    def set_password(self, service_name: str, username: str, password: str) -> None:
        if self.locked:
            raise KeyringError("locked")
        self.kept[service_name, username] = password


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Store:
    """The library is no part of the product: its place is taken by a keyring of the test's own."""
    kept = Store()
    errors = types.ModuleType("keyring.errors")
    errors.KeyringError = KeyringError
    monkeypatch.setitem(sys.modules, "keyring", kept)
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)
    return kept


def model(**more) -> ModelSettings:
    return ModelSettings(
        provider="openai", name="m", base_url="https://one.example/v1", api_key_keyring=True, **more
    )


async def key_of(settings: ModelSettings, variables: dict[str, str] | None = None) -> str | None:
    models = OpenModels(Settings(model=settings), variables or {}, Secrets({}))
    await models.load_key(settings)
    return models.options_of("m", settings).api_key


async def test_a_key_is_found_for_its_own_address_alone(store: Store):
    system_keyring.keep_key("openai", "https://one.example:443", KEY)
    assert await key_of(model()) == KEY
    other = ModelSettings(
        provider="openai", name="m", base_url="https://two.example/v1", api_key_keyring=True
    )
    assert await key_of(other) is None


async def test_it_is_not_asked_unless_the_settings_say_so(store: Store):
    plain = ModelSettings(provider="openai", name="m")
    assert await key_of(plain, {"OPENAI_API_KEY": "sk-of-the-variable"}) == "sk-of-the-variable"
    assert store.asked == []


async def test_the_usual_variable_of_the_vendor_does_not_take_its_place(store: Store):
    variables = {"OPENAI_API_KEY": "sk-for-openai-itself", "MINE": "sk-for-this-address"}
    assert await key_of(model(), variables) is None
    assert await key_of(model(api_key_env="MINE"), variables) == "sk-for-this-address"


async def test_it_is_a_known_secret_once_it_is_used(store: Store):
    system_keyring.keep_key("openai", "https://one.example:443", KEY)
    secrets = Secrets({})
    models = OpenModels(Settings(model=model()), {}, secrets)
    await models.load_key(model())
    models.options_of("m", model())
    assert KEY not in secrets(f"key {KEY}")


async def test_a_keyring_that_is_locked_or_hangs_gives_no_key(store: Store):
    store.locked = True
    assert await key_of(model()) is None
    with pytest.raises(InvalidInput, match="locked") as refused:
        system_keyring.keep_key("openai", "https://one.example:443", KEY)
    assert "--key-env" in (refused.value.remedy or "")
    answered = threading.Event()
    store.get_password = lambda *_: answered.wait(60) and None
    assert await system_keyring.read_key("openai", "https://one.example:443", 0.01) is None
    answered.set()


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert "'.[keyring]'" in (system_keyring.why_no_keyring() or "")
    assert system_keyring.kept_key("openai", "https://one.example:443") is None


class Stranger(Exception):
    """An error that only one backend knows."""


RAISED = (
    KeyringError, OSError, RuntimeError, ValueError, TypeError, KeyError, AttributeError, Stranger,
    AssertionError, UnicodeError, LookupError, EOFError, MemoryError, RecursionError, TimeoutError,
    NotImplementedError, ImportError, ArithmeticError, BufferError, ConnectionResetError,
)  # fmt: skip
JUNK = (
    b"bytes", 7, 0, True, False, 1.5, [KEY], (KEY,), {"key": KEY}, object(), KEY.encode(), set(),
    "x" * 1_000_000, "", " ", "\n\t ", "\0" * 20_000, range(3), Ellipsis, Exception(KEY),
)  # fmt: skip


@pytest.mark.parametrize("error", RAISED)
async def test_whatever_a_backend_raises_there_is_no_key_at_once(
    store: Store, error, caplog, capsys
):
    def fails(*_: str) -> None:
        raise error(f"the key {KEY} is locked")

    store.get_password = store.set_password = fails
    assert await asyncio.wait_for(key_of(model()), 30) is None
    with pytest.raises(InvalidInput, match="was not kept") as refused:
        system_keyring.keep_key("openai", "https://one.example", KEY)
    # Its words may hold what it was given.
    assert KEY not in caplog.text + refused.value.message + capsys.readouterr().err


@pytest.mark.parametrize("junk", JUNK, ids=range(len(JUNK)))
async def test_what_is_no_key_is_none(store: Store, junk, caplog):
    store.get_password = lambda *_: junk
    assert await asyncio.wait_for(key_of(model()), 30) is None
    assert KEY not in caplog.text


@pytest.mark.parametrize("error", RAISED)
def test_a_keyring_that_does_not_say_what_it_is_keeps_nothing(store: Store, error):
    def fails() -> None:
        raise error("no bus")

    store.get_keyring = fails
    assert "failed" in (system_keyring.why_no_keyring() or "")
