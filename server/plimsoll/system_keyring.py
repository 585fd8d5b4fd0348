"""Keys in the system's keyring, each for one provider at one address.

The library ``keyring`` is an extra of the package; it is loaded when a key is asked for.
"""

import asyncio
import importlib
import logging
from collections.abc import Generator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Protocol, cast

from plimsoll.errors import InvalidInput
from plimsoll.text.wording import how_to_install

log = logging.getLogger(__name__)

SERVICE = "plimsoll"
LONGEST_KEY = 16_384
"""Characters; what is longer no header takes."""
_UNUSABLE = ("keyring.backends.fail", "keyring.backends.null")


class _Library(Protocol):
    """The functions of the library ``keyring`` that are used."""

    def get_keyring(self) -> object: ...
    def get_password(self, service_name: str, username: str) -> object: ...
    def set_password(self, service_name: str, username: str, password: str) -> None: ...


class _KeyringFailed(Exception):
    """The keyring raised something; said by its kind, since its words could hold the key."""


def why_no_keyring() -> str | None:
    """Say why the system's keyring can keep no key; None if it can."""
    try:
        library = _library()
        if library is None:
            return f"the library for it is not installed ({how_to_install('keyring')})"
        with _translate_errors():
            backend = type(library.get_keyring()).__module__
    except _KeyringFailed as error:
        return f"it failed ({error})"
    return "this system has none that is running" if backend in _UNUSABLE else None


async def read_key(provider: str, address: str, seconds: float) -> str | None:
    """Return the key kept for an address; None if there is none, or it did not come in time.

    The thread that asks may wait for a password for ever: nobody waits for its end.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[str | None] = loop.create_future()

    def set_answer(key: str | None) -> None:
        if not answer.done():
            answer.set_result(key)

    def ask_keyring() -> None:
        key = kept_key(provider, address)
        # A loop that has closed meanwhile has nobody left who waits for it.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(set_answer, key)

    Thread(target=ask_keyring, daemon=True).start()
    try:
        async with asyncio.timeout(seconds):
            return await answer
    except TimeoutError:
        log.warning("the keyring did not answer in %.0f s", seconds)
        return None


def kept_key(provider: str, address: str) -> str | None:
    """Return the key kept for an address; None if there is none, or it cannot be read."""
    try:
        library = _library()
        if library is None:
            return None
        with _translate_errors():
            key = library.get_password(SERVICE, f"{provider} {address}")
    except _KeyringFailed as error:
        log.warning("the key for %s is not read from the keyring: %s", address, error)
        return None
    if key is None:
        return None
    if isinstance(key, str) and len(key) <= LONGEST_KEY:
        return key.strip() or None
    log.warning("what the keyring has for %s is no key", address)
    return None


def keep_key(provider: str, address: str, key: str) -> None:
    """Keep a key for an address.

    Raises:
        InvalidInput: The keyring does not take it.
    """
    why = why_no_keyring()
    library = _library() if why is None else None
    if library is None:
        raise _not_kept(why or "there is none")
    try:
        with _translate_errors():
            library.set_password(SERVICE, f"{provider} {address}", key)
    except _KeyringFailed as error:
        words = str(error.__cause__).replace(key, "…")
        raise _not_kept(f"it failed ({words or error})") from error


def _not_kept(why: str) -> InvalidInput:
    return InvalidInput(
        f"The key was not kept in the system's keyring: {why}.",
        remedy="Put it into an environment variable, and name that: --key-env NAME.",
    )


@contextmanager
def _translate_errors() -> Generator[None]:
    """Translate whatever a backend raises: each brings errors of its own."""
    try:
        yield
    except Exception as error:
        raise _KeyringFailed(type(error).__name__) from error


def _library() -> _Library | None:
    with _translate_errors():
        try:
            return cast("_Library", importlib.import_module("keyring"))
        except ImportError:
            return None
