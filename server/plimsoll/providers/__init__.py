"""Model providers: their port, a file for each dialect, and the registry of their names."""

import importlib
from typing import cast

from plimsoll.errors import ProviderModel
from plimsoll.providers.base import Provider, ProviderOptions

__all__ = ["REGISTRY", "ProviderOptions", "open_provider"]

REGISTRY = {
    "anthropic": "plimsoll.providers.anthropic:Anthropic",
    "embedded": "plimsoll.providers.embedded.provider:Embedded",
    "openai": "plimsoll.providers.openai:OpenAI",
    "scripted": "plimsoll.providers.scripted:Scripted",
}
"""Kind of provider to the class that is loaded when it is opened."""


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
