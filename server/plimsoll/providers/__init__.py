"""Model providers: their interface, a module for each dialect, and the registry of their names."""

import importlib
from typing import TYPE_CHECKING, cast

from plimsoll.errors import ProviderModel
from plimsoll.providers.base import Provider, ProviderOptions

if TYPE_CHECKING:
    from plimsoll.providers.http.questions import ModelServer

__all__ = ["REGISTRY", "ProviderOptions", "model_server", "open_provider"]

REGISTRY = {
    "anthropic": "plimsoll.providers.anthropic:Anthropic",
    "embedded": "plimsoll.providers.embedded.provider:Embedded",
    "openai": "plimsoll.providers.openai:OpenAI",
    "openai-responses": "plimsoll.providers.openai_responses:OpenAIResponses",
    "scripted": "plimsoll.providers.scripted:Scripted",
}
"""The class of each kind of provider, loaded when it is opened."""


def open_provider(kind: str, options: ProviderOptions) -> Provider:
    """Open a provider of this kind; nothing is sent yet.

    Raises:
        ProviderModel: There is no such kind, or no such script.
        SettingsInvalid: An option cannot be used.
    """
    if kind not in REGISTRY:
        raise ProviderModel(
            f"There is no provider {kind!r}.",
            remedy=f"Set model.provider to one of: {', '.join(sorted(REGISTRY))}.",
        )
    module, _, name = REGISTRY[kind].partition(":")
    return cast("Provider", getattr(importlib.import_module(module), name)(options))


def model_server(kind: str, options: ProviderOptions) -> "ModelServer | None":
    """Return a client for the model list of an address; None if the provider is no server.

    Imports httpx, which takes 110 ms.
    """
    vendor = getattr(importlib.import_module(REGISTRY[kind].partition(":")[0]), "VENDOR", None)
    if vendor is None:
        return None
    from plimsoll.providers.http.questions import ModelServer

    return ModelServer(vendor, options)
