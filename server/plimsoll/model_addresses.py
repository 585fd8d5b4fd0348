"""Where models answer, as they are set: what a key is for, and where a session is held. Pure."""

from urllib.parse import urlsplit

from plimsoll.providers.http.address import comparable, is_loopback, is_of_each_machine, origin
from plimsoll.session.addresses.known import ModelAddress
from plimsoll.settings.shape import ModelSettings

OWN_PROVIDERS = ("embedded", "scripted")
"""They answer inside this process."""
OWN_ADDRESSES = {
    "anthropic": "https://api.anthropic.com",
    "openai": "https://api.openai.com",
    "openai-responses": "https://api.openai.com",
}
"""Where a key goes that was given for no address."""


def address_of(model: ModelSettings) -> str:
    """Return scheme, host and port of a model's server: what its key is for."""
    return origin(model.base_url or OWN_ADDRESSES.get(model.provider, ""))


def is_local(model: ModelSettings) -> bool:
    """Tell whether a model is served on this machine."""
    return is_loopback(urlsplit(origin(model.base_url or "")).hostname or "")


def model_address(model: ModelSettings) -> ModelAddress:
    """Return where requests to a model go."""
    if model.provider in OWN_PROVIDERS:
        return ModelAddress(model.provider, "process")
    address = comparable(model.base_url or OWN_ADDRESSES.get(model.provider, ""))
    # Of a provider that is not known here nothing is said about where it is.
    reach = "machine" if is_of_each_machine(urlsplit(address).hostname or "") else "network"
    return ModelAddress(address or model.provider, reach)
