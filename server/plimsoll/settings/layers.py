"""A source of settings: the spelling of names in it, and the check of each setting.

Every complaint names the source.
"""

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, cast

from plimsoll.errors import SettingsInvalid
from plimsoll.settings.kinds import (
    ELSEWHERE,
    FREE,
    KINDS,
    MCP_KINDS,
    MODEL_KEYS,
    OVERRIDABLE,
    SECTIONS,
    SettingKind,
    SettingPath,
    kind_of,
)
from plimsoll.settings.mcp import SERVER_NAME
from plimsoll.settings.values import REFUSED

Style = Literal["toml", "environment", "client"]

PREFIX = "PLIMSOLL_"
SECRETS = frozenset(
    {
        *("api_key", "apikey", "key", "token", "api_token", "auth_token", "secret"),
        *("password", "proxy_password"),
    }
)
"""Names under which people might write an API key."""
EMPTY_IS_UNSET = frozenset(
    {
        *("base_url", "api_key_env", "ca_file", "proxy", "proxy_password_env", "url", "project"),
        *("search_url", "search_key_env"),
    }
)


def to_camel(name: str) -> str:
    """Spell ``keep_turns`` as ``keepTurns``."""
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


def to_snake(name: str) -> str:
    """Spell ``keepTurns`` as ``keep_turns``; a name that is snake case already stays."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def spell_setting(path: SettingPath, style: Style) -> str:
    """Spell a setting as people write it there."""
    if style == "environment":
        return PREFIX + "__".join(path).upper()
    if style == "client":
        keep = len(path) - 1 if path[:-1] in FREE else len(path)
        return ".".join(
            _quote(to_camel(word) if i < keep and "/" not in word else word)
            for i, word in enumerate(path)
        )
    return ".".join(_quote(word) for word in path)


def _quote(word: str) -> str:
    return word if re.fullmatch(r"[A-Za-z0-9_-]+", word) else f'"{word}"'


def nearest(path: SettingPath) -> SettingPath | None:
    """Return the known setting whose name is nearest to a misspelt one."""
    if path[:1] == ("models",) and len(path) > 2:
        if path[2:] in KINDS:
            # It is one for all models, in the wrong place.
            return path[2:]
        meant = nearest(path[2:] if len(path) > 3 else ("model", *path[2:]))
        return (*path[:2], *_short(meant)) if meant else None
    if len(path) > 2 and path[0] == "mcp":
        close = difflib.get_close_matches(path[2], MCP_KINDS, 1, 0.6)
        return (*path[:2], close[0]) if close else None
    if path in ELSEWHERE:
        return ELSEWHERE[path]
    moved = [known for known in KINDS if known[-1:] == path[-1:]]
    if moved:
        return min(moved, key=lambda known: -_likeness(known, path))
    known = {".".join(one): one for one in [*KINDS, *((name,) for name in SECTIONS)]}
    same_length = [name for name, one in known.items() if len(one) == min(len(path), 2)]
    close = difflib.get_close_matches(".".join(path), same_length, 1, 0.7)
    return known[close[0]] if close else None


def _short(path: SettingPath) -> SettingPath:
    return path[1:] if path[0] == "model" else path


def _likeness(one: SettingPath, other: SettingPath) -> float:
    return difflib.SequenceMatcher(None, ".".join(one), ".".join(other)).ratio()


Tree = Mapping[str, object]

CLIENTS_OWN = frozenset({("server",), ("trace",)})
"""Sections of an editor's settings that are meant for its extension."""
RUN_PROGRAMS = {"hooks": "hooks", "mcp": "MCP servers"}
"""Sections that set programs to run, with the words for them: they stand in a file alone."""
OTHER_VARIABLES = frozenset({"PLIMSOLL_DATA_DIR"})


@dataclass(frozen=True, slots=True)
class Layer:
    """The settings of one source."""

    name: str
    """Its name in messages: a file's path, ``the environment``, ``the editor's settings``."""
    tree: Tree = field(default_factory=dict[str, object])
    """The settings as written: flat for the environment, otherwise one table for each section."""
    style: Style = "toml"


def check_layer(layer: Layer) -> dict[SettingPath, object]:
    """Check a layer; return its settings by path, each of the right type and in range.

    Raises:
        SettingsInvalid: A setting is unknown, of another type, out of range, or a key.
    """
    flat = _variables(layer.tree) if layer.style == "environment" else _leaves(layer)
    return {path: _check_value(path, value, layer) for path, value in flat}


def _variables(variables: Tree) -> Iterator[tuple[SettingPath, object]]:
    """Yield the settings among variables: names with ``__``, or the bare name of a section."""
    for name, value in variables.items():
        words = tuple(name.removeprefix(PREFIX).lower().split("__"))
        ours = name.startswith(PREFIX) and name not in OTHER_VARIABLES
        if ours and value and (len(words) > 1 or words in KINDS or "".join(words) in SECTIONS):
            yield words, value


def _leaves(layer: Layer) -> Iterator[tuple[SettingPath, object]]:
    for path, value in _walk(layer.tree, (), layer.style):
        ignored = layer.style == "client" and (value in (None, "") or path[:1] in CLIENTS_OWN)
        if not ignored:
            yield _normal(path), value


def _walk(tree: Tree, above: SettingPath, style: Style) -> Iterator[tuple[SettingPath, object]]:
    for key, value in tree.items():
        foreign = above == ("models",) or above in FREE or above[2:] in FREE
        path = (*above, key if style != "client" or foreign else to_snake(key))
        if isinstance(value, Mapping) and _is_table(path):
            yield from _walk(cast("Tree", value), path, style)
        else:
            yield path, value


def _is_table(path: SettingPath) -> bool:
    """Tell whether the setting at a path is a table; elsewhere a table is of the wrong type."""
    if path[:1] == ("models",):
        return len(path) < 3 or _is_table(path[2:])
    return kind_of(path) is None


def _normal(path: SettingPath) -> SettingPath:
    """Complete a setting's path: in a model's table, a key without a section is in ``model``."""
    if path[:1] == ("models",) and len(path) == 3 and path[2] in MODEL_KEYS:
        return (*path[:2], "model", path[2])
    return path


def _check_value(path: SettingPath, value: object, layer: Layer) -> object:
    if path[-1] in SECRETS:
        raise _key_written_down(path, layer)
    if path[0] == "models" and (len(path) < 3 or not re.fullmatch(r"[^/]+/.+", path[1])):
        raise _no_model(path, layer)
    if path[0] == "models" and path[-1] == "base_url" and "@" in path[1].partition("/")[0]:
        raise _address_named_twice(path, layer)
    if path[0] in RUN_PROGRAMS and layer.style != "toml":
        raise _program_elsewhere(path, layer)
    if path[0] == "mcp" and not all(SERVER_NAME.fullmatch(name) for name in path[1:2]):
        raise _no_server_name(path, layer)
    kind = kind_of(path)
    if kind is None:
        raise _unknown(path, value, layer)
    if value == "" and path[-1] in EMPTY_IS_UNSET:
        return None
    taken = kind.take(_parse(kind, value) if layer.style == "environment" else value)
    if taken is REFUSED:
        raise _not_accepted(path, value, kind, layer)
    return taken


def _parse(kind: SettingKind, value: object) -> object:
    try:
        return kind.parse(str(value))
    except ValueError:
        return REFUSED


def _unknown(path: SettingPath, value: object, layer: Layer) -> SettingsInvalid:
    name = spell_setting(path, layer.style)
    is_server = len(path) == 2 and path[0] == "mcp"
    if is_server or path in FREE or path in {(section,) for section in SECTIONS}:
        return _section_as_value(path, value, layer)
    meant = nearest(path)
    hint = f" Did you mean {spell_setting(meant, layer.style)}?" if meant else ""
    return SettingsInvalid(
        f"{layer.name}: there is no setting {name}.{hint}",
        remedy="Correct or remove it; docs/settings.md lists every setting.",
        data={"source": layer.name, "setting": name},
    )


def _section_as_value(path: SettingPath, value: object, layer: Layer) -> SettingsInvalid:
    name = spell_setting(path, layer.style)
    inside = next((known for known in KINDS if known[: len(path)] == path), (*path, "shell"))
    if path[0] == "mcp":
        inside = ("mcp", *(path[1:] or ("git",)), "command")
    example = spell_setting(inside, layer.style)
    return SettingsInvalid(
        f"{layer.name}: {name} is {_describe_value(value)}, but it is a section with settings of "
        "its own.",
        remedy=f"Set one of them, such as {example}.",
        data={"source": layer.name, "setting": name},
    )


def _not_accepted(
    path: SettingPath, value: object, kind: SettingKind, layer: Layer
) -> SettingsInvalid:
    name = spell_setting(path, layer.style)
    return SettingsInvalid(
        f"{layer.name}: {name} is {_describe_value(value)}; wanted is {kind.wanted}.",
        remedy=kind.remedy or f"Correct {name} there.",
        data={"source": layer.name, "setting": name},
    )


def _key_written_down(path: SettingPath, layer: Layer) -> SettingsInvalid:
    name = spell_setting(path, layer.style)
    variable = spell_setting(("model", "api_key_env"), layer.style)
    return SettingsInvalid(
        f"{layer.name}: {name} would hold a key, and no key stands in a setting.",
        remedy=f"Take it out, put the key in an environment variable and its name in {variable}, "
        "or give it in the editor, which has a secret store.",
        data={"source": layer.name, "setting": name},
    )


def _program_elsewhere(path: SettingPath, layer: Layer) -> SettingsInvalid:
    name, what = spell_setting(path, layer.style), RUN_PROGRAMS[path[0]]
    return SettingsInvalid(
        f"{layer.name}: {name} would set a program to run, and {what} stand in config.toml alone.",
        remedy=f"Write it in your own config.toml: docs/{path[0]}.md. A folder's settings set "
        f"no {what.removesuffix('s')}.",
        data={"source": layer.name, "setting": name},
    )


def _no_server_name(path: SettingPath, layer: Layer) -> SettingsInvalid:
    name = spell_setting(path[:2], layer.style)
    return SettingsInvalid(
        f"{layer.name}: {name} is no name of an MCP server.",
        remedy="Write one of letters, digits, - and _, such as [mcp.git].",
        data={"source": layer.name, "setting": name},
    )


def _no_model(path: SettingPath, layer: Layer) -> SettingsInvalid:
    return SettingsInvalid(
        f"{layer.name}: {spell_setting(path[:2], layer.style)} names no model with settings of "
        "its own.",
        remedy=f'Write [models."openai/gpt-4o"]: provider/name, and in it settings of a model or '
        f"tables such as {', '.join(OVERRIDABLE[:3])}.",
        data={"source": layer.name, "setting": spell_setting(path[:2], layer.style)},
    )


def _address_named_twice(path: SettingPath, layer: Layer) -> SettingsInvalid:
    name = spell_setting(path, layer.style)
    return SettingsInvalid(
        f"{layer.name}: {name} gives an address to a model whose id names one already.",
        remedy="Take it out there, or take the address out of the id.",
        data={"source": layer.name, "setting": name},
    )


def _describe_value(value: object) -> str:
    """Write a value in a message: a number as it is, a text never, since it may be secret."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"{value:g}" if isinstance(value, float) else str(value)
    kinds = {str: "a text", Mapping: "a table", list: "a list"}
    return next((said for kind, said in kinds.items() if isinstance(value, kind)), "no such value")
