"""The API keys of models by address: given, of the environment, or of the system's keyring."""

from collections.abc import Callable, Mapping

from plimsoll.errors import InvalidInput
from plimsoll.model_addresses import OWN_ADDRESSES, address_of, key_variable
from plimsoll.providers.http.address import is_open_to_all, origin
from plimsoll.redaction.secrets import Secrets
from plimsoll.settings.shape import ModelSettings

KEYRING_SECONDS = 10.0
"""How long the system's keyring is waited for: it may ask the person to unlock it."""


class ModelKeys:
    """The keys of a process; each goes to the address that it was given for, and nowhere else."""

    def __init__(
        self,
        variables: Mapping[str, str],
        secrets: Secrets | None,
        on_change: Callable[[], None],
        on_withheld: Callable[[ModelSettings, str], None],
    ) -> None:
        """``secrets`` learns each key used; ``on_withheld`` gets the address of a key held back."""
        self._variables = variables
        self._secrets = secrets
        self._on_change = on_change
        self._on_withheld = on_withheld
        self._keys: dict[tuple[str, str], str] = {}
        """API keys by provider and address."""
        self._keyring: dict[tuple[str, str], str] = {}
        """Those of the system's keyring that were read; empty: it gave none."""

    async def load(self, model: ModelSettings) -> None:
        """Read the key for a model's address from the system's keyring, if the settings say so."""
        place = (model.provider, address_of(model))
        if not model.api_key_keyring or place in self._keys or self._keyring.get(place):
            return
        # Loaded late: nobody else needs it, and it asks the system for its service.
        from plimsoll.system_keyring import read_key

        # Nothing came in time: it waits for a password that nobody types, and is asked anew.
        self._keyring[place] = await read_key(*place, KEYRING_SECONDS) or ""
        self._on_change()

    def set(self, provider: str, key: str, base_url: str | None = None) -> None:
        """Use this key for an address, before any of the environment; an empty one removes it.

        Without an address it is for the vendor's own. It goes nowhere else.

        Raises:
            InvalidInput: It is not an http or https address, or plain http to another machine.
        """
        address = origin(base_url or OWN_ADDRESSES.get(provider, ""))
        if base_url and not address:
            raise InvalidInput(
                f"{base_url[:200]!r} is not an http or https address.",
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
        self._on_change()

    def find(self, model: ModelSettings) -> str | None:
        """Return the key for a model's address; None over plain http to another machine."""
        variable, address = key_variable(model), address_of(model)
        place = (model.provider, address)
        kept = self._keyring.get(place) if model.api_key_keyring else None
        key = self._keys.get(place) or kept or self._variables.get(variable or "", "").strip()
        if not key:
            return None
        if is_open_to_all(address):
            self._on_withheld(model, address)
            return None
        if self._secrets is not None:
            self._secrets.add(variable or f"{model.provider} key", key)
        return key
