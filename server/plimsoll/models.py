"""Models by name: their providers, windows and tokenizers, as the settings say."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Protocol
from weakref import WeakValueDictionary

from plimsoll.connections.facts import first_token_seconds, sees_images, window_of
from plimsoll.connections.ids import split_id
from plimsoll.connections.known import Connections, KeptRows, connection_of
from plimsoll.connections.network import PersonNetwork
from plimsoll.context.budget import WindowSource, budget_for
from plimsoll.context.view.ledger import Ledger
from plimsoll.errors import ProviderModel, VocabularyDamaged
from plimsoll.model_addresses import (
    OWN_PROVIDERS,
    address_of,
    is_local,
    model_address,
)
from plimsoll.model_keys import KEYRING_SECONDS, ModelKeys
from plimsoll.model_names import provider_and_name, refuse_key
from plimsoll.providers import ProviderOptions, model_server, open_provider
from plimsoll.providers.base import Chunk, Provider, Request, ServedWindow
from plimsoll.providers.mends.known import KnownMends, Rows
from plimsoll.redaction.secrets import Secrets
from plimsoll.session.ports.addresses import ModelAddress
from plimsoll.session.ports.model import Model
from plimsoll.settings.shape import ModelSettings, Settings
from plimsoll.tokens.correction import Correction, Weights
from plimsoll.tokens.counter import Counter, Counters


@dataclass(frozen=True, slots=True)
class ModelWarning:
    """Something about a model that a person should know, and what to do about it."""

    code: str
    message: str
    remedy: str | None = None


class KeptOfModels(Protocol):
    """The stores of facts about models for all folders; None: facts last as long as the process."""

    @property
    def mends(self) -> Rows | None:
        """The request fields that servers were found to refuse."""
        ...

    @property
    def connections(self) -> KeptRows | None:
        """The addresses that were connected."""
        ...


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
    """The models of a process; the ``Models`` port of sessions.

    One class, as whoever opens a model, gives it a key or changes the settings must meet the same
    providers and counters.
    """

    def __init__(
        self,
        settings: Settings,
        variables: Mapping[str, str],
        secrets: Secrets | None = None,
        counters: Counters | None = None,
        kept: KeptOfModels | None = None,
    ) -> None:
        """``variables`` hold the keys, ``secrets`` learns those used."""
        self.mends = KnownMends(None if kept is None else kept.mends, redact=secrets)
        rows = None if kept is None else kept.connections
        self.connections = Connections(rows, redact=secrets or str)
        self.network = PersonNetwork(settings.network, variables, secrets)
        self._settings = settings
        self._secrets = secrets
        self._counters = counters or Counters()
        self._ledgers: WeakValueDictionary[tuple[str, Weights], Ledger] = WeakValueDictionary()
        """Those in use: an estimating model learns another factor now and then, for ever."""
        self._providers: dict[tuple[str, ProviderOptions], Provider] = {}
        self._current: dict[str, Provider] = {}
        """The providers of models by the settings and keys of now; found anew when these change."""
        self.keys = ModelKeys(variables, secrets, self._current.clear, self._warn_of_key)
        self._warnings: dict[tuple[str, str], ModelWarning] = {}
        self._windows: dict[str, tuple[int, WindowSource]] = {}
        """What servers have said, by model."""

    @property
    def default(self) -> str:
        """The model that the settings name, ``provider/name``; no secret stands in it."""
        return self.without_secrets(self._settings.model.id)

    @property
    def settings(self) -> Settings:
        """The settings as they are now."""
        return self._settings

    @property
    def utility(self) -> str:
        """The model that writes summaries, ``provider/name``; no secret stands in it."""
        return self.without_secrets(self._settings.utility_model.id)

    @property
    def warnings(self) -> tuple[ModelWarning, ...]:
        """The warnings about the models that were opened."""
        return tuple(self._warnings.values())

    def settings_of(self, model: str) -> Settings:
        """Return the settings that hold for a model, with its address."""
        place = split_id(model)
        if place.label is None:
            return self._settings.of(model)
        known = self.connections.find(place.provider, place.label)
        if known is None:
            gone = ModelSettings(provider=f"{place.provider}@{place.label}", name=place.name)
            return replace(self._settings, model=gone)
        return self._settings.at(model, known.settings_for(place.name))

    async def open(self, model: str) -> Model:
        """Open a model, ready to count and to be asked.

        Raises:
            ProviderModel: There is no such provider or model, or none is named, or it is a key.
            SettingsInvalid: Its provider cannot be used as it is set.
        """
        refuse_key(model, self.without_secrets)
        provider, name = provider_and_name(model)
        model = f"{provider}/{name}"
        settings = self.settings_of(model)
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
            provider=_Current(lambda: self._provider_in_use(model)),
            budget=budget_for(window, settings.budget),
            settings=settings.settings,
            ledger=ledger,
            basis=counter.basis,
            margin=counter.margin,
            correction=counter.correction,
            raw=counter.raw,
            counter=counter,
            sees_images=sees_images(provider, name),
            window_source=source,
            set_window=settings.model.context_window,
            address=address_of(settings.model),
            local=is_local(settings.model),
        )

    def with_window(self, model: Model, window: int, source: WindowSource) -> Model:
        """Return the model with another window, which it has from now on whoever opens it."""
        self._windows[model.id] = window, source
        self._warnings.pop(("window", model.id), None)
        budget = budget_for(window, model.settings.budget)
        return replace(model, budget=budget, window_source=source)

    def as_set(self, model: Model) -> Model:
        """Return an open model with marks and stages as they are set now; its window stays."""
        settings = self.settings_of(model.id)
        budget = budget_for(model.budget.window, settings.budget)
        return replace(model, budget=budget, settings=settings.settings)

    async def ask_window(self, model: Model, *, keyed: bool = False) -> ServedWindow | None:
        """Ask the model's server how large the window is; none where it was or could not be asked.

        Only an address that was set is asked. ``keyed``: not without a key, but on this machine.
        """
        settings = self.settings_of(model.id).model
        kind, name = settings.provider, model.name
        if settings.base_url is None:
            return None
        await self.load_key(settings)
        options = self.options_of(name, settings)
        if keyed and not options.api_key and not is_local(settings):
            return None
        # On a thread: the HTTP library takes 110 ms to import.
        server = await asyncio.to_thread(model_server, kind, options)
        return await server.window(name) if server is not None else None

    def with_correction(self, model: Model, correction: Correction) -> Model:
        """Return the model with another correction of its counts; the same if they are exact."""
        if model.basis == "counted":
            return model
        provider = split_id(model.id).provider
        name = provider if provider in OWN_PROVIDERS else model.name
        counter = self._counters.of(name).with_correction(correction)
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
        found = model_address(self.settings_of(model).model)
        return replace(found, address=self.without_secrets(found.address))

    def without_secrets(self, text: str) -> str:
        """Replace the secrets known so far in a text."""
        return text if self._secrets is None else self._secrets(text)

    async def load_key(self, model: ModelSettings) -> None:
        """Read a model's key and the proxy's password from the system's keyring."""
        await self.network.load(KEYRING_SECONDS)
        await self.keys.load(model)

    async def has_key(self, model: ModelSettings) -> bool:
        """Tell whether there is a key for a model's address that may be sent there."""
        await self.load_key(model)
        return self.keys.find(model) is not None

    async def configure(self, settings: Settings) -> None:
        """Apply new settings: addresses and keys at once, windows and marks as models open."""
        if settings.model != self._settings.model:
            # What was set is not lost because something else is.
            self.keep_set()
        self._settings = settings
        self.network.configure(settings.network)
        self._current.clear()
        self._warnings.clear()
        self._windows.clear()

    def keep_set(self) -> None:
        """Add the addresses that the settings name now to the connected addresses."""
        for model in (self._settings.utility_model, self._settings.model):
            if model.provider not in OWN_PROVIDERS and model.name:
                self.connections.keep(connection_of(model))

    async def close(self) -> None:
        """Close every provider's connections, even if one fails to close."""
        async with AsyncExitStack() as ends:
            for provider in self._providers.values():
                ends.push_async_callback(provider.close)
            self._providers.clear()
            self._current.clear()

    def _provider_in_use(self, model: str) -> Provider:
        """Return the provider of a model about to be asked, and record the model's use."""
        self.connections.note_use(replace(self.settings_of(model).model, name=split_id(model).name))
        return self._provider(model)

    def _provider(self, model: str) -> Provider:
        """Return the provider of a model as it is set now; raises ProviderModel.

        One whose options have changed stays until the end: an answer may still come through it.
        """
        if model not in self._current:
            settings = self.settings_of(model).model
            kind, options = settings.provider, self.options_of(split_id(model).name, settings)
            if "@" in kind:
                raise ProviderModel(
                    f"There is no model {model!r}: its address is not connected.",
                    remedy="Connect a model there again, or choose another one.",
                )
            if (kind, options) not in self._providers:
                self._providers[kind, options] = open_provider(kind, options)
            self._current[model] = self._providers[kind, options]
        return self._current[model]

    def options_of(self, name: str, model: ModelSettings) -> ProviderOptions:
        """Return how a model is reached: its address, with the key that is for it alone."""
        return ProviderOptions(
            name=name,
            base_url=model.base_url,
            api_key=self.keys.find(model),
            api_key_env=model.api_key_env,
            first_token_seconds=first_token_seconds(model),
            idle_seconds=model.idle_seconds,
            answer_seconds=model.answer_seconds,
            cache_hour=model.cache_hour,
            mends=self.mends,
            network=self.network.now(),
        )

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
        """Return the ledger of a counter; counters with equal weights share one."""
        kept = (counter.name, counter.correction.weights)
        return self._ledgers.setdefault(
            kept, Ledger(counter.count, counter.count_schema, counter.plain)
        )

    def _warn_of_window(self, model: str, window: int) -> None:
        self._warnings["window", model] = ModelWarning(
            "windowUnknown",
            f"How much {model} can hold is not known: {window:,} tokens are assumed.",
            "Set model.context_window to the context length with which your server runs it.",
        )
