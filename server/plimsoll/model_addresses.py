"""Where models answer, as they are set: what a key is for, and where a session is held. Pure."""

from urllib.parse import urlsplit

from plimsoll.providers.http.address import comparable, is_loopback, is_of_each_machine, origin
from plimsoll.session.ports.addresses import ModelAddress
from plimsoll.settings.shape import ModelSettings

OWN_PROVIDERS = ("embedded", "scripted")
"""They answer inside this process."""
OWN_ADDRESSES = {
    "anthropic": "https://api.anthropic.com",
    "openai": "https://api.openai.com",
    "openai-responses": "https://api.openai.com",
}
"""Where a key goes that was given for no address."""

KEY_VARIABLES = {
    "anthropic": "ANTHROPIC_API_KEY",
    "openai": "OPENAI_API_KEY",
    "openai-responses": "OPENAI_API_KEY",
}
"""Where each vendor's own tools look for a key."""


def address_of(model: ModelSettings) -> str:
    """Return scheme, host and port of a model's server, to which alone its key is sent."""
    return origin(model.base_url or OWN_ADDRESSES.get(model.provider, ""))


def is_local(model: ModelSettings) -> bool:
    """Tell whether a model is served on this machine."""
    return is_loopback(urlsplit(origin(model.base_url or "")).hostname or "")


def model_address(model: ModelSettings) -> ModelAddress:
    """Return the address to which requests to a model go."""
    if model.provider in OWN_PROVIDERS:
        return ModelAddress(model.provider, "process")
    address = comparable(model.base_url or OWN_ADDRESSES.get(model.provider, ""))
    # Of a provider that is not known here nothing is said about where it is.
    reach = "machine" if is_of_each_machine(urlsplit(address).hostname or "") else "network"
    return ModelAddress(address or model.provider, reach)


def key_variable(model: ModelSettings) -> str | None:
    """Return the variable that may hold a model's key; the vendor's usual one if nothing is set."""
    usual = None if model.api_key_keyring else KEY_VARIABLES.get(model.provider)
    return model.api_key_env or usual
