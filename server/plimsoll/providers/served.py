"""Parses a server's report of its own models: their names, and the windows it serves.

Pure. Only the served window counts, not the one a model was trained for; of two numbers the smaller
one.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

MOST_WINDOW = 2**31
"""Tokens; a larger number is ignored."""
WINDOWS = (
    "max_model_len",
    "loaded_context_length",
    "context_length",
    "context_window",
    "max_context_length",
    "max_input_tokens",
)
"""Fields of a listed model with its window: of vLLM, LM Studio, OpenRouter, Groq, Mistral,
Anthropic."""
NUM_CTX = re.compile(r"^\s*num_ctx\s+(\d+)\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model of a server, and its window there, if reported."""

    name: str
    window: int | None = None


@dataclass(frozen=True, slots=True)
class ModelList:
    """The models of a server."""

    models: tuple[ServedModel, ...]
    llama_cpp: bool = False
    """Whether it is llama.cpp's own server, which has one model and accepts any name."""

    def find(self, name: str) -> ServedModel | None:
        """Find a model by its name, ignoring case; for Ollama also without ``:latest``."""
        wanted = {name.lower(), f"{name.lower()}:latest"}
        found = next((one for one in self.models if one.name.lower() in wanted), None)
        if found is None and self.llama_cpp and len(self.models) == 1:
            return self.models[0]
        return found

    def instead_of(self, name: str) -> str | None:
        """Return the only model of a server, if another one was asked for.

        A name that contains the other means the same: lists name files and packings, settings often
        the model.
        """
        if len(self.models) != 1 or "*" in self.models[0].name:
            return None
        served, wanted = self.models[0].name, name.lower()
        return None if wanted in served.lower() or served.lower() in wanted else served

    def with_windows(self, windows: Mapping[str, int]) -> "ModelList":
        """Return the list with these windows by name, if they are smaller or new."""
        models = tuple(
            replace(one, window=_least(one.window, windows.get(one.name.lower())))
            for one in self.models
        )
        return replace(self, models=models)


def models_in(payload: object) -> ModelList:
    """Parse the answer to ``GET /v1/models`` of any server; empty for anything else."""
    entries = _list(_object(payload).get("data", payload))
    models: list[ServedModel] = []
    for entry in map(_object, entries):
        name = entry.get("id") or entry.get("name") or entry.get("model")
        if isinstance(name, str):
            models.append(ServedModel(name.removeprefix("models/"), _window(entry)))
    llama_cpp = any(_object(entry).get("owned_by") == "llamacpp" for entry in entries)
    return ModelList(tuple(models), llama_cpp=llama_cpp)


def window_in_props(payload: object) -> int | None:
    """Parse the answer of llama.cpp to ``GET /props``: the window of one slot."""
    props = _object(payload)
    settings = _object(props.get("default_generation_settings"))
    return _least(_tokens(settings.get("n_ctx")), _tokens(props.get("n_ctx")))


def windows_in_ps(payload: object) -> dict[str, int]:
    """Parse the answer of Ollama to ``GET /api/ps``: windows of the loaded models, by name."""
    found: dict[str, int] = {}
    for entry in map(_object, _list(_object(payload).get("models"))):
        window = _tokens(entry.get("context_length"))
        for name in (entry.get("name"), entry.get("model")):
            if isinstance(name, str) and window is not None:
                found[name.lower()] = window
    return found


def window_in_show(payload: object) -> int | None:
    """Parse the answer of Ollama to ``POST /api/show``: the window that its Modelfile sets."""
    parameters = _object(payload).get("parameters")
    found = NUM_CTX.search(parameters) if isinstance(parameters, str) else None
    return _tokens(int(found[1])) if found and len(found[1]) < 12 else None


def is_of_ollama(payload: object) -> bool:
    """Tell whether an answer to ``GET /api/ps`` is Ollama's."""
    return isinstance(_object(payload).get("models"), list)


def _window(entry: Mapping[str, object]) -> int | None:
    meta, provider = _object(entry.get("meta")), _object(entry.get("top_provider"))
    said = [_tokens(entry.get(name)) for name in WINDOWS]
    return _least(*said, _tokens(meta.get("n_ctx")), _tokens(provider.get("context_length")))


def _least(*windows: int | None) -> int | None:
    return min((one for one in windows if one is not None), default=None)


def _tokens(value: object) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 < value <= MOST_WINDOW else None


def _object(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def _list(value: object) -> Sequence[object]:
    return cast("Sequence[object]", value) if isinstance(value, list) else ()
