"""The sources of settings (files, the environment, the client), merged into one value.

No source lies inside a workspace: a repository can set nothing. The last that says something wins.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from platformdirs import user_config_dir

from plimsoll.errors import SettingsInvalid
from plimsoll.settings.kinds import FREE, MODEL_SECTIONS, PROFILE, SettingPath, default_sections
from plimsoll.settings.layers import Layer, Tree, check_layer
from plimsoll.settings.mcp import MOST_SERVERS, McpSettings
from plimsoll.settings.profiles import DEFAULT_PROFILE, PROFILES
from plimsoll.settings.shape import DEFAULT_NAMES, ModelSettings, Settings

CONFIG_FILE = "config.toml"


def config_path() -> Path:
    """Return the user's own settings file, whether it exists or not."""
    return Path(user_config_dir("plimsoll", appauthor=False)) / CONFIG_FILE


def local_layers(
    config: Path | None, environment: Mapping[str, str], profile: str | None = None
) -> tuple[Layer, ...]:
    """Return the layers of the user's file, ``--config``, environment, ``--profile``, in order.

    Raises:
        SettingsInvalid: A file cannot be read or is not valid TOML.
    """
    named = () if config is None else (file_layer(config, required=True),)
    chosen = () if profile is None else (Layer("--profile", {"profile": profile}),)
    return (file_layer(config_path()), *named, environment_layer(environment), *chosen)


def file_layer(path: Path, *, required: bool = False) -> Layer:
    """Read the settings of a TOML file; the user's own file may be missing.

    Raises:
        SettingsInvalid: The file cannot be read or is not valid TOML.
    """
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError as error:
        if required:
            raise _unreadable(path, "there is no such file") from error
        return Layer(str(path))
    except OSError as error:
        raise _unreadable(path, error.strerror or type(error).__name__) from error
    except UnicodeDecodeError as error:
        raise _unreadable(path, f"byte {error.start} is not UTF-8") from error
    return Layer(str(path), _parse_toml(path, text))


def environment_layer(environment: Mapping[str, str]) -> Layer:
    """Read settings such as ``PLIMSOLL_MODEL__PROVIDER``."""
    return Layer("the environment", dict(environment), "environment")


def client_layer(tree: Tree | None, name: str = "the editor's settings") -> Layer:
    """Read settings of ``initializationOptions`` or ``workspace/configuration``, in camelCase.

    A value that is None or an empty text counts as not set.
    """
    return Layer(name, tree or {}, "client")


def _parse_toml(path: Path, text: str) -> Tree:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason = str(error)
        found = re.search(r" \(at line (\d+), column (\d+)\)$", reason)
        end = text.count("\n") + 1, len(text.rpartition("\n")[2]) + 1
        line, column = (int(found[1]), int(found[2])) if found else end
        reason = re.sub(r" \(at [^()]*\)$", "", reason)
        raise SettingsInvalid(
            f"{path}:{line}:{column}: this is not valid TOML: {reason}.",
            remedy=f"Correct line {line} of the file.",
            data={"source": str(path), "line": line, "column": column},
        ) from error


def _unreadable(path: Path, reason: str) -> SettingsInvalid:
    return SettingsInvalid(
        f"The settings file {path} cannot be read: {reason}.",
        remedy="Name a file that exists and that you may read.",
        data={"source": str(path)},
    )


Given = Mapping[SettingPath, object]


def merge(layers: Sequence[Layer]) -> Settings:
    """Merge the settings of all layers, later ones winning, over the defaults.

    A layer that names another provider starts the model's section anew, so that the address and
    the key of one vendor never reach another.

    Raises:
        SettingsInvalid: A layer holds something that is no setting, or no value of one.
    """
    given: dict[SettingPath, object] = {}
    for layer in layers:
        fresh = check_layer(layer)
        for section in MODEL_SECTIONS:
            _forget_other_provider(given, fresh, section)
        given.update(fresh)
    return _merge(given)


def with_profile(settings: Settings, name: str) -> Settings:
    """Return the settings as they would be in another profile.

    Raises:
        SettingsInvalid: There is no such profile.
    """
    chosen = check_layer(Layer("/profile", {"profile": name}))
    return _merge({**settings.given, **chosen})


def _merge(given: Given) -> Settings:
    profile = str(given.get(PROFILE, DEFAULT_PROFILE))
    held = {**{one.path: one.value for one in PROFILES[profile].values}, **given}
    settings = replace(_build(held), profile=profile, given=given, mcp=_servers(given))
    tables = {path[1] for path in held if path[0] == "models"}
    return replace(
        settings, models={model: _own(settings, held, model) for model in sorted(tables)}
    )


def _servers(given: Given) -> Mapping[str, McpSettings]:
    """Return the MCP servers in order of names; raises SettingsInvalid for one without a way."""
    tables: dict[str, dict[str, Any]] = {}
    for path, value in given.items():
        if path[0] == "mcp":
            tables.setdefault(path[1], {})[path[2]] = value
    if len(tables) > MOST_SERVERS:
        raise SettingsInvalid(
            f"There are {len(tables)} MCP servers; at most {MOST_SERVERS} may be configured.",
            remedy="Take out those that you do not use: plimsoll mcp remove NAME.",
        )
    servers = {name: McpSettings(**tables[name]) for name in sorted(tables)}
    for name, server in servers.items():
        if bool(server.command.strip()) == bool(server.url):
            both = "both command and url" if server.url else "neither command nor url"
            raise SettingsInvalid(
                f"The MCP server [mcp.{name}] has {both}.",
                remedy="Write one: the program to start, or the address to reach it at.",
                data={"setting": f"mcp.{name}"},
            )
        _check_registration(name, server)
    return servers


def _check_registration(name: str, server: McpSettings) -> None:
    if server.client_id and not server.url:
        lone = "client_id without url"
    elif server.client_secret and not server.client_id:
        lone = "client_secret without client_id"
    else:
        return
    raise SettingsInvalid(
        f"The MCP server [mcp.{name}] has {lone}.",
        remedy="Write url, client_id, and client_secret where the app has one.",
        data={"setting": f"mcp.{name}"},
    )


def _forget_other_provider(given: dict[SettingPath, object], fresh: Given, section: str) -> None:
    before, after = (layer.get((section, "provider")) for layer in (given, fresh))
    if before is not None and after is not None and before != after:
        for path in [path for path in given if path[0] == section]:
            del given[path]


def _build(given: Given) -> Settings:
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
    """Merge the settings of one model: the common ones, then those of its own table."""
    table = {path[2:]: value for path, value in given.items() if path[:2] == ("models", model)}
    base = settings.of(model)
    sections = {
        name: _section(getattr(base, name), name, table)
        for name in default_sections()
        if name != "utility_model"
    }
    return _with_mark(replace(base, **sections))
