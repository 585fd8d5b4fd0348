"""How large the window of a model is, where that is known.

As of 2026, from the vendors' own model pages, in tokens of prompt and answer together (gpt-5: of
the prompt, which has a limit of its own). Models that people run on their own machines are left
out: there the server's configuration decides, not the model.
"""

import re
from collections.abc import Mapping

from plimsoll.settings.shape import ModelSettings

OWN_WINDOW = 128_000
"""Of the providers that read no tokens: a number of ours, like that of most hosted models."""
OWN_PROVIDERS = ("embedded", "scripted")

KNOWN_WINDOWS: Mapping[str, int] = {
    "chatgpt-4o": 128_000,
    "claude": 200_000,
    "codestral": 256_000,
    "command-r": 128_000,
    "deepseek-chat": 128_000,
    "deepseek-reasoner": 128_000,
    "gemini-2.0": 1_048_576,
    "gemini-2.5": 1_048_576,
    "gemini-3": 1_048_576,
    "gpt-3.5-turbo": 16_385,
    "gpt-4": 8_192,
    "gpt-4-32k": 32_768,
    "gpt-4-turbo": 128_000,
    "gpt-4.1": 1_047_576,
    "gpt-4o": 128_000,
    "gpt-5": 272_000,
    "gpt-5.1": 272_000,
    "gpt-5.2": 272_000,
    "grok-4": 256_000,
    "kimi-k2": 262_144,
    "mistral-large": 128_000,
    "o1": 200_000,
    "o1-mini": 128_000,
    "o1-preview": 128_000,
    "o3": 200_000,
    "o4-mini": 200_000,
}
"""By the start of a model's name: a whole word of it, and the longest one decides."""


def window_of(model: ModelSettings) -> int | None:
    """Tokens that a model holds: as set, else as known; none when nobody knows."""
    if model.context_window is not None:
        return model.context_window
    if model.provider in OWN_PROVIDERS:
        return OWN_WINDOW
    name = model.name.lower().rpartition("/")[2].removeprefix("ft:")
    starts = [one for one in KNOWN_WINDOWS if re.match(rf"{re.escape(one)}(?![a-z0-9.])", name)]
    return KNOWN_WINDOWS[max(starts, key=len)] if starts else None
