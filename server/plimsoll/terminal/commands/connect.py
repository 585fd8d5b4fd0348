"""`plimsoll connect`: picks a model of a server, tries it, and writes it into the settings."""

import asyncio
import getpass
import os
import re
import sys
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass, replace

from plimsoll.connections.known import connection_of
from plimsoll.errors import InvalidInput, PlimsollError
from plimsoll.model_addresses import KEY_VARIABLES, address_of
from plimsoll.model_servers import check_model, offered_models
from plimsoll.models import OpenModels
from plimsoll.settings import Layer, Settings, config_path
from plimsoll.settings.layers import check_layer
from plimsoll.settings.shape import ModelSettings
from plimsoll.settings.writing import Value, write_config
from plimsoll.storage.rows_file import kept_files
from plimsoll.system_keyring import keep_key, why_no_keyring
from plimsoll.terminal.checked import check_lines, offered_label
from plimsoll.terminal.keyboard import Choice, Keyboard, PlainKeyboard
from plimsoll.terminal.lines import Lines
from plimsoll.terminal.opening import settings_of, tell_error
from plimsoll.terminal.screen import Screen

OTHER, IN_KEYRING, IN_VARIABLE, NO_KEY = "other", "keyring", "variable", "none"


@dataclass(frozen=True, slots=True)
class ModelHost:
    """A place that serves models, as people know it."""

    label: str
    provider: str
    base_url: str | None
    """None: the vendor's own."""
    key_variable: str | None
    """Where its key is usually kept; none: it asks for no key."""


MODEL_HOSTS = (
    ModelHost("OpenAI", "openai", None, "OPENAI_API_KEY"),
    ModelHost("Anthropic", "anthropic", None, "ANTHROPIC_API_KEY"),
    ModelHost("OpenRouter", "openai", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    ModelHost("Ollama on this machine", "openai", "http://127.0.0.1:11434/v1", None),
    ModelHost("llama.cpp on this machine", "openai", "http://127.0.0.1:8080/v1", None),
    ModelHost("LM Studio on this machine", "openai", "http://127.0.0.1:1234/v1", None),
)


class Connecting:
    """Connects one model: asks for missing options, tests it, and writes the settings."""

    def __init__(self, options: Namespace, screen: Screen, keyboard: Keyboard | None) -> None:
        """``keyboard`` is None if no person can be asked."""
        self._options = options
        self._screen = screen
        self._keyboard = keyboard
        self._key = ""

    async def run(self) -> int:
        """Ask for missing options, test the model, write the settings; 0 if they were written."""
        model = usable(await self._with_key(usable(await self._place())))
        models = self._models(model)
        model = replace(model, name=self._options.model or await self._pick(models, model))
        if not self._options.no_test and not await self._answers(models, model):
            return 1
        self._write(models, model)
        return 0

    async def _place(self) -> ModelSettings:
        given = self._options
        window = given.context_window
        if given.provider is None and self._keyboard is None:
            raise InvalidInput(
                "There is no terminal to ask on.",
                remedy="Name all of it: plimsoll connect --provider openai --base-url https://… "
                "--model NAME --key-env VARIABLE.",
            )
        if given.provider is not None:
            return ModelSettings(
                provider=given.provider, base_url=given.base_url, context_window=window
            )
        choices = [Choice(host.label, _host_label(host)) for host in MODEL_HOSTS]
        choices.append(Choice(OTHER, "Another server of chat completions, by its address"))
        picked = await self._require_keyboard().pick("Which models?", choices)
        host = next((one for one in MODEL_HOSTS if one.label == picked), None)
        if picked is None:
            raise InvalidInput("Nothing was picked.", remedy="plimsoll connect begins again.")
        if host is not None:
            address = given.base_url or host.base_url
            return ModelSettings(
                provider=host.provider,
                base_url=address,
                api_key_env=host.key_variable if address else None,
                context_window=window,
            )
        address = given.base_url or await self._line("Address, up to and with /v1: ")
        return ModelSettings(provider="openai", base_url=address, context_window=window)

    async def _with_key(self, model: ModelSettings) -> ModelSettings:
        """Return the model with the place of its key; a key for the keyring is asked for."""
        if self._options.key_env:
            return replace(model, api_key_env=self._options.key_env)
        if self._options.keyring:
            self._key = await self._secret()
            return replace(model, api_key_keyring=True, api_key_env=None)
        if self._keyboard is None or self._options.provider is not None:
            return model
        variable = model.api_key_env or KEY_VARIABLES[model.provider]
        places = [Choice(IN_VARIABLE, _variable_label(variable))]
        missing = await asyncio.to_thread(why_no_keyring)
        if missing is None:
            places.insert(0, Choice(IN_KEYRING, "Type it now; it is kept in the system's keyring"))
        else:
            self._screen.note(f"A key cannot be kept in the system's keyring: {missing}.")
        none = Choice(NO_KEY, "It needs no key")
        places = [none, *places] if _is_plain(model) else [*places, none]
        return await self._choose_key(
            model, await self._require_keyboard().pick("Where is the key?", places)
        )

    async def _choose_key(self, model: ModelSettings, place: str | None) -> ModelSettings:
        if place == IN_KEYRING:
            self._key = await self._secret()
            return replace(model, api_key_keyring=True, api_key_env=None)
        if place != IN_VARIABLE:
            return replace(model, api_key_env=None)
        usual = model.api_key_env or KEY_VARIABLES[model.provider]
        named = await self._line(f"Variable [{usual}]: ", usual)
        return replace(model, api_key_env=named)

    def _models(self, model: ModelSettings) -> OpenModels:
        kept = kept_files(os.environ, "sqlite", lambda _: None)
        # Of what is set, the way there holds: the certificates that are trusted, the proxy.
        settings = Settings(model=model, network=settings_of(self._options).network)
        models = OpenModels(settings, os.environ, self._options.secrets, kept=kept)
        if self._key:
            models.keys.set(model.provider, self._key, model.base_url)
        return models

    async def _pick(self, models: OpenModels, model: ModelSettings) -> str:
        try:
            offered = await offered_models(models, model)
        except PlimsollError as error:
            if self._keyboard is None:
                raise
            tell_error(error, self._screen)
            return await self._line("The model's name: ")
        if self._keyboard is None:
            names = ", ".join(one.name for one in offered[:20])
            raise InvalidInput("No model is named.", remedy=f"--model takes one of: {names}.")
        choices = [Choice(one.name, offered_label(one)) for one in offered]
        picked = await self._keyboard.pick("Which model?", choices) if choices else None
        return picked or await self._line("The model's name: ")

    async def _answers(self, models: OpenModels, model: ModelSettings) -> bool:
        self._screen.note(f"· asking {model.id} for a word")
        check = await check_model(models, model)
        for line, style in check_lines(check):
            self._screen.note(line, style)
        if check.error is None:
            return True
        tell_error(check.error, self._screen)
        if self._keyboard is None or self._options.provider is not None:
            self._screen.note("Nothing was saved. --no-test saves it untried.", "yellow")
            return False
        answer = await self._keyboard.answer("Save it all the same? [y/N] ")
        return (answer or "").strip().lower() in {"y", "yes"}

    def _write(self, models: OpenModels, model: ModelSettings) -> None:
        if self._key:
            keep_key(model.provider, address_of(model), self._key)
        path = config_path()
        write_config(path, "model", settings_values(model))
        models.connections.keep(connection_of(model), used=model.name)
        self._screen.line(f"{model.id} is written into {path}. `plimsoll chat` asks it.")

    async def _line(self, question: str, usual: str = "") -> str:
        answer = (await self._require_keyboard().answer(question) or "").strip() or usual
        if not answer:
            raise InvalidInput("Nothing was typed.", remedy="plimsoll connect begins again.")
        return answer

    async def _secret(self) -> str:
        """Read a key that nobody sees: typed, or from a pipe."""
        typed = sys.stdin.isatty()
        ask = (lambda: getpass.getpass("Key (not shown): ")) if typed else sys.stdin.readline
        key = (await asyncio.to_thread(ask)).strip()
        if not re.fullmatch(r"[\x21-\x7e]+", key):
            raise InvalidInput(
                "That is not a key: it is empty, or has characters that no key has.",
                remedy="Copy it once more.",
            )
        self._options.secrets.add("key", key)
        return key

    def _require_keyboard(self) -> Keyboard:
        assert self._keyboard is not None, "only a person is asked"
        return self._keyboard


def connect(options: Namespace, screen: Screen) -> int:
    """Connect a model; 0 when it is written into the user's settings."""
    return asyncio.run(Connecting(options, screen, _keyboard(screen)).run())


def usable(model: ModelSettings) -> ModelSettings:
    """Check that a model can be set, and return it; raises SettingsInvalid if it cannot."""
    given = {name: value for name, value in settings_values(model).items() if value is not None}
    check_layer(Layer("what was named", {"model": given}))
    return model


def settings_values(model: ModelSettings) -> Mapping[str, Value]:
    """Return the values to write for a model; None removes one that held for another model."""
    return {
        "provider": model.provider,
        "name": model.name,
        "base_url": model.base_url,
        "api_key_env": model.api_key_env,
        "api_key_keyring": model.api_key_keyring or None,
        "context_window": model.context_window,
    }


def _keyboard(screen: Screen) -> Keyboard | None:
    if not sys.stdin.isatty():
        return None
    if not screen.watched or os.environ.get("TERM", "dumb") == "dumb":
        return PlainKeyboard(screen, Lines(sys.stdin.fileno()), person=True)
    # Loaded late: only a person at a terminal needs it.
    from plimsoll.terminal.line_editing.line_editor import LineEditor

    return LineEditor()


def _host_label(host: ModelHost) -> str:
    return f"{host.label}  {host.base_url}" if host.base_url else host.label


def _variable_label(variable: str) -> str:
    state = "is set" if os.environ.get(variable) else "is not set now"
    return f"In an environment variable, such as {variable}, which {state}"


def _is_plain(model: ModelSettings) -> bool:
    return address_of(model).startswith("http:")
