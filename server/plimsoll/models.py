"""Models by name: their providers, keys, windows and tokenizers, as the settings say."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from weakref import WeakValueDictionary

from plimsoll.catalog.models import model_facts
from plimsoll.context.budget import LOCAL_WINDOW, UNKNOWN_WINDOW, WindowSource, budget_for
from plimsoll.context.view.ledger import Ledger
from plimsoll.errors import InvalidInput, VocabularyDamaged
from plimsoll.model_addresses import (
    OWN_ADDRESSES,
    OWN_PROVIDERS,
    address_of,
    is_local,
    model_address,
)
from plimsoll.model_names import provider_and_name, refuse_key
from plimsoll.providers import ProviderOptions, model_server, open_provider
from plimsoll.providers.base import Chunk, Provider, Request, ServedWindow
from plimsoll.providers.http.address import is_open_to_all, origin
from plimsoll.providers.mends.known import KnownMends, Rows
from plimsoll.redaction.secrets import Secrets
from plimsoll.session.addresses.known import ModelAddress
from plimsoll.session.environment import Model
from plimsoll.settings.shape import ModelSettings, Settings
from plimsoll.tokens.correction import Correction, Weights
from plimsoll.tokens.counter import Counter, Counters

OWN_WINDOW = 128_000
"""The window of providers that read no tokens: a number of ours, as for most hosted models."""


def window_of(model: ModelSettings) -> tuple[int, WindowSource]:
    """Return the tokens that a model holds: as set, else as known, else as assumed."""
    if model.context_window is not None:
        return model.context_window, "setting"
    if model.provider in OWN_PROVIDERS:
        return OWN_WINDOW, "table"
    facts = model_facts(model.name)
    if facts is not None:
        return facts.window, "table"
    return (LOCAL_WINDOW if is_local(model) else UNKNOWN_WINDOW), "assumed"


KEY_VARIABLES = {
    "anthropic": "ANTHROPIC_API_KEY",
    "openai": "OPENAI_API_KEY",
    "openai-responses": "OPENAI_API_KEY",
}
"""Where each vendor's own tools look for a key."""
KEYRING_SECONDS = 10.0
"""How long the system's keyring is waited for: it may ask the person to unlock it."""


@dataclass(frozen=True, slots=True)
class ModelWarning:
    """Something about a model that a person should know, and what to do about it."""

    code: str
    message: str
    remedy: str | None = None


class _Current:
    """A model's provider as it is configured at each request, so that a new key takes effect."""

    def __init__(self, provider: Callable[[], Provider]) -> None:
        self._provider = provider

    def stream(self, request: Request) -> AsyncIterator[Chunk]:
        """Stream the answer of the provider of this moment; see ``Provider``."""
        return self._provider().stream(request)

    async def close(self) -> None:
        """Do nothing: whoever opened the provider closes it."""


class OpenModels:
    """The models of a process; the ``Models`` port of sessions."""

    def __init__(
        self,
        settings: Settings,
        variables: Mapping[str, str],
        secrets: Secrets | None = None,
        counters: Counters | None = None,
        mends: Rows | None = None,
    ) -> None:
        """``variables`` hold the keys, ``secrets`` learns those used, ``mends`` keeps."""
        self.mends = KnownMends(mends, redact=secrets)
        self._settings = settings
        self._variables = variables
        self._secrets = secrets
        self._keys: dict[tuple[str, str], str] = {}
        """API keys by provider and address."""
        self._keyring: dict[tuple[str, str], str] = {}
        """Those of the system's keyring that were read; empty: it gave none."""
        self._counters = counters or Counters()
        self._ledgers: WeakValueDictionary[tuple[str, Weights], Ledger] = WeakValueDictionary()
        """Those in use: an estimating model learns another factor now and then, for ever."""
        self._providers: dict[tuple[str, ProviderOptions], Provider] = {}
        self._current: dict[str, Provider] = {}
        """The providers of models by the settings and keys of now; found anew when these change."""
        self._warnings: dict[tuple[str, str], ModelWarning] = {}
        self._windows: dict[str, tuple[int, WindowSource]] = {}
        """What servers have said, by model."""

    @property
    def default(self) -> str:
        """The model that the settings name, ``provider/name``; no secret stands in it."""
        return self.without_secrets(self._settings.model.id)

    @property
    def utility(self) -> str:
        """The model that writes summaries, ``provider/name``; no secret stands in it."""
        return self.without_secrets(self._settings.utility_model.id)

    @property
    def warnings(self) -> tuple[ModelWarning, ...]:
        """The warnings about the models that were opened."""
        return tuple(self._warnings.values())

    async def open(self, model: str) -> Model:
        """Open a model, ready to count and to be asked.

        Raises:
            ProviderModel: There is no such provider or model, or none is named, or it is a key.
            SettingsInvalid: Its provider cannot be used as it is set.
        """
        refuse_key(model, self.without_secrets)
        provider, name = provider_and_name(model)
        model = f"{provider}/{name}"
        settings = self._settings.of(model)
        await self.load_key(settings.model)
        # Now, so that what cannot be opened is told before anything is said.
        self._provider(model)
        # Now the key of its address is known too.
        refuse_key(model, self.without_secrets)
        own = provider if provider in OWN_PROVIDERS else name
        counter, ledger = await asyncio.to_thread(self._counting, own)
        window, source = self._windows.get(model) or window_of(settings.model)
        if source == "assumed":
            self._warn_of_window(model, window)
        return Model(
            id=model,
            name=name,
            provider=_Current(lambda: self._provider(model)),
            budget=budget_for(window, settings.budget),
            settings=settings.settings,
            ledger=ledger,
            basis=counter.basis,
            margin=counter.margin,
            correction=counter.correction,
            raw=counter.raw,
            sees_images=_sees_images(provider, name),
            window_source=source,
            set_window=settings.model.context_window,
            address=address_of(settings.model),
            local=is_local(settings.model),
        )

    def sized(self, model: Model, window: int, source: WindowSource) -> Model:
        """Return the model with another window, which it has from now on whoever opens it."""
        self._windows[model.id] = window, source
        self._warnings.pop(("window", model.id), None)
        budget = budget_for(window, model.settings.budget)
        return replace(model, budget=budget, window_source=source)

    def as_set(self, model: Model) -> Model:
        """Return an open model with the marks and stages that are set now; its window stays."""
        settings = self._settings.of(model.id)
        budget = budget_for(model.budget.window, settings.budget)
        return replace(model, budget=budget, settings=settings.settings)

    async def served(self, model: Model, *, keyed: bool = False) -> ServedWindow | None:
        """Ask the model's server how large the window is; none where it was or could not be asked.

        Only an address that was set is asked. ``keyed``: not without a key, but on this machine.
        """
        kind, _, name = model.id.partition("/")
        settings = self._settings.of(model.id).model
        if settings.base_url is None:
            return None
        await self.load_key(settings)
        options = self.options_of(name, settings)
        if keyed and not options.api_key and not is_local(settings):
            return None
        # On a thread: the HTTP library takes 110 ms to import.
        server = await asyncio.to_thread(model_server, kind, options)
        return await server.window(name) if server is not None else None

    def corrected(self, model: Model, correction: Correction) -> Model:
        """Return the model with another correction of its counts; the same if they are exact."""
        if model.basis == "counted":
            return model
        provider = model.id.partition("/")[0]
        name = provider if provider in OWN_PROVIDERS else model.name
        counter = self._counters.of(name).corrected(correction)
        ledger = self._ledger(counter)
        return replace(model, ledger=ledger, margin=counter.margin, correction=correction)

    async def utility_for(self, model: str) -> Model:
        """Return the utility model of the settings; if none is named, the session's own model."""
        return await self.open(self.utility_of(model))

    def utility_of(self, model: str) -> str:
        """Name the utility model of the settings; if none is named, the session's own model."""
        named = self._settings.utility_model
        own = named == self._settings.model or not named.name
        return model if own else named.id

    def address(self, model: str) -> ModelAddress:
        """Tell where requests to a model go as it is set now; no secret stands in it."""
        found = model_address(self._settings.of(model).model)
        return replace(found, address=self.without_secrets(found.address))

    def without_secrets(self, text: str) -> str:
        """Replace in a text what is known as a secret by now."""
        return text if self._secrets is None else self._secrets(text)

    async def load_key(self, model: ModelSettings) -> None:
        """Read the key for a model's address from the system's keyring, where it is said to be."""
        place = (model.provider, address_of(model))
        if not model.api_key_keyring or place in self._keys or self._keyring.get(place):
            return
        # Loaded late: nobody else needs it, and it asks the system for its service.
        from plimsoll.system_keyring import read_key

        # Nothing came in time: it waits for a password that nobody types, and is asked anew.
        self._keyring[place] = await read_key(*place, KEYRING_SECONDS) or ""
        self._current.clear()

    async def has_key(self, model: ModelSettings) -> bool:
        """Tell whether there is a key for a model's address that may be sent there."""
        await self.load_key(model)
        return self._key_for(model) is not None

    def set_key(self, provider: str, key: str, base_url: str | None = None) -> None:
        """Take a key for an address, before any of the environment; an empty one takes it back.

        Without an address it is for the vendor's own. It goes nowhere else.

        Raises:
            InvalidInput: It is no http or https address, or plain http to another machine.
        """
        address = origin(base_url or OWN_ADDRESSES.get(provider, ""))
        if base_url and not address:
            raise InvalidInput(
                f"{base_url[:200]!r} is no http or https address.",
                remedy="Give an address such as https://api.example.org/v1.",
            )
        if is_open_to_all(address):
            raise InvalidInput(
                f"A key for {address} would go over plain http, where anybody may read it.",
                remedy="Use https, or a tunnel that ends at 127.0.0.1.",
            )
        if key.strip():
            self._keys[provider, address] = key.strip()
        else:
            self._keys.pop((provider, address), None)
        self._current.clear()

    async def configure(self, settings: Settings) -> None:
        """Take other settings: addresses and keys at once, windows and marks as models open."""
        self._settings = settings
        self._current.clear()
        self._warnings.clear()
        self._windows.clear()

    async def close(self) -> None:
        """Give back every connection, also where one fails to close."""
        async with AsyncExitStack() as ends:
            for provider in self._providers.values():
                ends.push_async_callback(provider.close)
            self._providers.clear()
            self._current.clear()

    def _provider(self, model: str) -> Provider:
        """Return the provider of a model as it is set now.

        One whose options have changed stays until the end: an answer may still come through it.
        """
        if model not in self._current:
            kind, _, name = model.partition("/")
            options = self.options_of(name, self._settings.of(model).model)
            if (kind, options) not in self._providers:
                self._providers[kind, options] = open_provider(kind, options)
            self._current[model] = self._providers[kind, options]
        return self._current[model]

    def options_of(self, name: str, model: ModelSettings) -> ProviderOptions:
        """Return how a model is reached: its address, with the key that is for it alone."""
        key = self._key_for(model)
        return ProviderOptions(
            name=name,
            base_url=model.base_url,
            api_key=key,
            api_key_env=model.api_key_env,
            first_token_seconds=_first_token_seconds(model),
            idle_seconds=model.idle_seconds,
            answer_seconds=model.answer_seconds,
            cache_hour=model.cache_hour,
            mends=self.mends,
        )

    def _key_for(self, model: ModelSettings) -> str | None:
        """Find the key for a model's address; none over plain http to another machine."""
        variable, address = key_variable(model), address_of(model)
        place = (model.provider, address)
        kept = self._keyring.get(place) if model.api_key_keyring else None
        key = self._keys.get(place) or kept or self._variables.get(variable or "", "").strip()
        if not key:
            return None
        if is_open_to_all(address):
            self._warn_of_key(model, address)
            return None
        if self._secrets is not None:
            self._secrets.add(variable or f"{model.provider} key", key)
        return key

    def _warn_of_key(self, model: ModelSettings, address: str) -> None:
        self._warnings["key", model.id] = ModelWarning(
            "keyWithheld",
            f"The key for {model.provider} is not sent to {address}: over plain http anybody may "
            "read it.",
            "Set model.base_url to an https address, or to a tunnel that ends at 127.0.0.1.",
        )

    def _counting(self, name: str) -> tuple[Counter, Ledger]:
        """Make a model's counter and ledger; loads the vocabulary, so off the event loop."""
        counter = self._counters.of(name)
        try:
            self._counters.load(name)
        except VocabularyDamaged as error:
            warning = ModelWarning("vocabularyDamaged", error.message, error.remedy)
            self._warnings["vocabulary", ""] = warning
            counter = self._counters.without_vocabulary()
        # Equal counts share a ledger: a change between two such models recounts nothing.
        return counter, self._ledger(counter)

    def _ledger(self, counter: Counter) -> Ledger:
        """Return the ledger of a count; equal weights share one, whatever their bands."""
        kept = (counter.name, counter.correction.weights)
        return self._ledgers.setdefault(
            kept, Ledger(counter.count, counter.count_schema, counter.plain)
        )

    def _warn_of_window(self, model: str, window: int) -> None:
        self._warnings["window", model] = ModelWarning(
            "windowUnknown",
            f"The window of {model} is not known: {window:,} tokens are assumed.",
            "Set model.context_window to the tokens that the model, as it is served, can hold.",
        )


def _sees_images(provider: str, name: str) -> bool | None:
    """Tell whether a model takes images; none where the table does not know."""
    if provider in OWN_PROVIDERS:
        return provider == "scripted"
    facts = model_facts(name)
    return None if facts is None else facts.vision


FIRST_TOKEN_SECONDS = 600
LOCAL_FIRST_TOKEN_SECONDS = 1_800
"""On this machine, where a model may run on the processor and a prompt is read for minutes."""


def _first_token_seconds(model: ModelSettings) -> int:
    """Return how long an answer's first token is waited for: as set, else by the address."""
    if model.first_token_seconds is not None:
        return model.first_token_seconds
    return LOCAL_FIRST_TOKEN_SECONDS if is_local(model) else FIRST_TOKEN_SECONDS


def key_variable(model: ModelSettings) -> str | None:
    """Return the variable that may hold a model's key; the vendor's usual one if nothing is set."""
    usual = None if model.api_key_keyring else KEY_VARIABLES.get(model.provider)
    return model.api_key_env or usual
