"""All layers into one value: the last that says something wins."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from plimsoll.settings.kinds import FREE, MODEL_SECTIONS, Path, default_sections
from plimsoll.settings.layers import Layer, checked
from plimsoll.settings.shape import DEFAULT_NAMES, ModelSettings, Settings

Given = Mapping[Path, object]


def merge(layers: Sequence[Layer]) -> Settings:
    """The settings of all layers, later ones winning, over the defaults.

    A layer that names another provider starts the model's section anew, so that the address and
    the key of one vendor never reach another.

    Raises:
        SettingsInvalid: A layer holds something that is no setting, or no value of one.
    """
    given: dict[Path, object] = {}
    for layer in layers:
        fresh = checked(layer)
        for section in MODEL_SECTIONS:
            _forget_other_provider(given, fresh, section)
        given.update(fresh)
    settings = _built(given)
    tables = {path[1] for path in given if path[0] == "models"}
    return replace(
        settings, models={model: _own(settings, given, model) for model in sorted(tables)}
    )


def _forget_other_provider(given: dict[Path, object], fresh: Given, section: str) -> None:
    before, after = (layer.get((section, "provider")) for layer in (given, fresh))
    if before is not None and after is not None and before != after:
        for path in [path for path in given if path[0] == section]:
            del given[path]


def _built(given: Given) -> Settings:
    sections = {
        name: _section(default, name, given)
        for name, default in default_sections().items()
        if name != "utility_model"
    }
    settings = Settings(**sections)
    utility = _utility(settings.model, _of_section("utility_model", given))
    return _with_mark(replace(settings, utility_model=utility))


def _with_mark(settings: Settings) -> Settings:
    budget = replace(settings.budget, compact_at=settings.compaction.threshold)
    return replace(settings, budget=budget)


def _section(default: Any, name: str, given: Given) -> Any:
    values = _of_section(name, given)
    for table in (path for path in FREE if path[0] == name):
        own = {p[-1]: value for p, value in given.items() if p[:-1] == table}
        values[table[-1]] = {**getattr(default, table[-1]), **own}
    return replace(default, **values)


def _of_section(name: str, given: Given) -> dict[str, Any]:
    return {path[1]: value for path, value in given.items() if path[0] == name and len(path) == 2}


def _utility(model: ModelSettings, own: Mapping[str, Any]) -> ModelSettings:
    provider = str(own.get("provider", model.provider))
    if provider != model.provider:
        return replace(
            ModelSettings(provider=provider, name=DEFAULT_NAMES.get(provider, "")), **own
        )
    renamed = own.get("name", model.name) != model.name
    base = replace(model, context_window=None) if renamed else model
    return replace(base, **own)


def _own(settings: Settings, given: Given, model: str) -> Settings:
    """The settings of one model: those of all, and those of its table."""
    table = {path[2:]: value for path, value in given.items() if path[:2] == ("models", model)}
    base = settings.of(model)
    sections = {
        name: _section(getattr(base, name), name, table)
        for name in default_sections()
        if name != "utility_model"
    }
    return _with_mark(replace(base, **sections))
