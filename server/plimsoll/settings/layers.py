"""One source of settings, checked setting by setting; every complaint names the source."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

from plimsoll.errors import SettingsInvalid
from plimsoll.settings.kinds import (
    FREE,
    KINDS,
    MODEL_KEYS,
    OVERRIDABLE,
    REFUSED,
    SECTIONS,
    Path,
    SettingKind,
    kind_of,
)
from plimsoll.settings.names import PREFIX, SECRETS, Style, nearest, spelled, to_snake

Tree = Mapping[str, object]

CLIENTS_OWN = frozenset({("server",), ("trace",)})
"""Sections of an editor's settings that are meant for its extension."""
OTHER_VARIABLES = frozenset({"PLIMSOLL_DATA_DIR"})


@dataclass(frozen=True, slots=True)
class Layer:
    """The settings of one source."""

    name: str
    """For messages: a file's path, ``the environment``, ``the editor's settings``."""
    tree: Tree = field(default_factory=dict[str, object])
    """In the environment flat, elsewhere a table a section."""
    style: Style = "toml"


def checked(layer: Layer) -> dict[Path, object]:
    """The settings of a layer by their paths, each of the right type and within its range.

    Raises:
        SettingsInvalid: A setting is unknown, of another type, out of range, or a key.
    """
    flat = _variables(layer.tree) if layer.style == "environment" else _leaves(layer)
    return {path: _accepted(path, value, layer) for path, value in flat}


def _variables(variables: Tree) -> Iterator[tuple[Path, object]]:
    """Only names with ``__`` are settings, and a section's bare name is an attempt at one."""
    for name, value in variables.items():
        words = tuple(name.removeprefix(PREFIX).lower().split("__"))
        ours = name.startswith(PREFIX) and name not in OTHER_VARIABLES
        if ours and value and (len(words) > 1 or "".join(words) in SECTIONS):
            yield words, value


def _leaves(layer: Layer) -> Iterator[tuple[Path, object]]:
    for path, value in _walk(layer.tree, (), layer.style):
        ignored = layer.style == "client" and (value in (None, "") or path[:1] in CLIENTS_OWN)
        if not ignored:
            yield _normal(path), value


def _walk(tree: Tree, above: Path, style: Style) -> Iterator[tuple[Path, object]]:
    for key, value in tree.items():
        foreign = above == ("models",) or above in FREE or above[2:] in FREE
        path = (*above, key if style != "client" or foreign else to_snake(key))
        if isinstance(value, Mapping) and _is_table(path):
            yield from _walk(cast("Tree", value), path, style)
        else:
            yield path, value


def _is_table(path: Path) -> bool:
    """Whether a table belongs there; anywhere else it is a value of the wrong type."""
    if path[:1] == ("models",):
        return len(path) < 3 or _is_table(path[2:])
    return kind_of(path) is None


def _normal(path: Path) -> Path:
    """A setting of a model without its section is one of ``model``."""
    if path[:1] == ("models",) and len(path) == 3 and path[2] in MODEL_KEYS:
        return (*path[:2], "model", path[2])
    return path


def _accepted(path: Path, value: object, layer: Layer) -> object:
    if path[-1] in SECRETS:
        raise _key_written_down(path, layer)
    if path[0] == "models" and (len(path) < 3 or not re.fullmatch(r"[^/]+/.+", path[1])):
        raise _no_model(path, layer)
    kind = kind_of(path)
    if kind is None:
        raise _unknown(path, value, layer)
    if value == "" and path[-1] in {"base_url", "api_key_env"}:
        return None
    taken = kind.take(_parsed(kind, value) if layer.style == "environment" else value)
    if taken is REFUSED:
        raise _refused(path, value, kind, layer)
    return taken


def _parsed(kind: SettingKind, value: object) -> object:
    try:
        return kind.parse(str(value))
    except ValueError:
        return REFUSED


def _unknown(path: Path, value: object, layer: Layer) -> SettingsInvalid:
    name = spelled(path, layer.style)
    if path in FREE or path in {(section,) for section in SECTIONS}:
        return _section_as_value(path, value, layer)
    meant = nearest(path)
    hint = f" Did you mean {spelled(meant, layer.style)}?" if meant else ""
    return SettingsInvalid(
        f"{layer.name}: there is no setting {name}.{hint}",
        remedy="Correct or remove it; docs/settings.md lists every setting.",
        data={"source": layer.name, "setting": name},
    )


def _section_as_value(path: Path, value: object, layer: Layer) -> SettingsInvalid:
    name = spelled(path, layer.style)
    inside = next((known for known in KINDS if known[: len(path)] == path), (*path, "shell"))
    example = spelled(inside, layer.style)
    return SettingsInvalid(
        f"{layer.name}: {name} is {_told(value)}, but it is a section with settings of its own.",
        remedy=f"Set one of them, such as {example}.",
        data={"source": layer.name, "setting": name},
    )


def _refused(path: Path, value: object, kind: SettingKind, layer: Layer) -> SettingsInvalid:
    name = spelled(path, layer.style)
    return SettingsInvalid(
        f"{layer.name}: {name} is {_told(value)}; wanted is {kind.wanted}.",
        remedy=f"Correct {name} there.",
        data={"source": layer.name, "setting": name},
    )


def _key_written_down(path: Path, layer: Layer) -> SettingsInvalid:
    name = spelled(path, layer.style)
    variable = spelled(("model", "api_key_env"), layer.style)
    return SettingsInvalid(
        f"{layer.name}: {name} would hold a key, and no key stands in a setting.",
        remedy=f"Take it out, put the key in an environment variable and its name in {variable}, "
        "or give it in the editor, which has a secret store.",
        data={"source": layer.name, "setting": name},
    )


def _no_model(path: Path, layer: Layer) -> SettingsInvalid:
    return SettingsInvalid(
        f"{layer.name}: {spelled(path[:2], layer.style)} names no model with settings of its own.",
        remedy=f'Write [models."openai/gpt-4o"]: provider/name, and in it settings of a model or '
        f"tables such as {', '.join(OVERRIDABLE[:3])}.",
        data={"source": layer.name, "setting": spelled(path[:2], layer.style)},
    )


def _told(value: object) -> str:
    """A value in a message: a number as it is, a text never, since it may be a secret."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"{value:g}" if isinstance(value, float) else str(value)
    kinds = {str: "a text", Mapping: "a table", list: "a list"}
    return next((said for kind, said in kinds.items() if isinstance(value, kind)), "no such value")
