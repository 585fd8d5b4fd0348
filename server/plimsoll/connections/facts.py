"""What is known of a model: its window, what it takes and costs, how slow it may be.

Pure.
"""

from urllib.parse import urlsplit

from plimsoll.catalog.models import model_facts
from plimsoll.context.budget import LOCAL_WINDOW, UNKNOWN_WINDOW, WindowSource
from plimsoll.model_addresses import OWN_ADDRESSES, OWN_PROVIDERS, is_local
from plimsoll.settings.shape import ModelSettings

OWN_WINDOW = 128_000
"""The window of providers that read no tokens: a number of ours, as for most hosted models."""
FIRST_TOKEN_SECONDS = 600
LOCAL_FIRST_TOKEN_SECONDS = 1_800
"""On this machine, where a model may run on the processor and a prompt is read for minutes."""


def window_of(model: ModelSettings) -> tuple[int, WindowSource]:
    """Return the size of a model's window in tokens: as set, else as known, else as assumed."""
    if model.context_window is not None:
        return model.context_window, "setting"
    if model.provider in OWN_PROVIDERS:
        return OWN_WINDOW, "table"
    facts = model_facts(model.name)
    if facts is not None:
        return facts.window, "table"
    return (LOCAL_WINDOW if is_local(model) else UNKNOWN_WINDOW), "assumed"


def sees_images(provider: str, name: str) -> bool | None:
    """Tell whether a model takes images; None if the table of models does not say."""
    if provider in OWN_PROVIDERS:
        return provider == "scripted"
    facts = model_facts(name)
    return None if facts is None else facts.vision


def first_token_seconds(model: ModelSettings) -> int:
    """Return the seconds to wait for an answer's first token: as set, else by the address."""
    if model.first_token_seconds is not None:
        return model.first_token_seconds
    return LOCAL_FIRST_TOKEN_SECONDS if is_local(model) else FIRST_TOKEN_SECONDS


def is_of_vendor(model: ModelSettings) -> bool:
    """Tell whether a model is served by its own vendor, whose prices are known."""
    address = model.base_url or OWN_ADDRESSES.get(model.provider, "")
    facts = model_facts(model.name)
    vendor = facts.vendor if facts else None
    return vendor is not None and urlsplit(address).hostname == vendor
