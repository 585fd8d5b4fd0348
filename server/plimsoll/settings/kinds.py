"""The values that each setting accepts: their type, their range, and the words for them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from plimsoll.context.budget import LEAST_WINDOW
from plimsoll.redaction.variables import holds_secret
from plimsoll.settings.hooks import MOST_SECONDS, HookSettings, hooks_in
from plimsoll.settings.mcp import (
    McpSettings,
    arguments_in,
    headers_in,
    secret_in,
    texts_in,
    variables_in,
)
from plimsoll.settings.profiles import PROFILES
from plimsoll.settings.shape import ModelSettings, Settings
from plimsoll.settings.values import (
    REFUSED,
    read_boolean,
    read_reach,
    split_folders,
    split_list,
    take_address,
    take_boolean,
    take_file,
    take_folders,
    take_hosts,
    take_machines,
    take_proxy,
    take_reach,
    take_server,
    take_text,
    take_texts,
    take_variable,
    take_variables,
    taker_of,
)

SettingPath = tuple[str, ...]
"""The place of a setting, its names from the top: ``("budget", "warning_at")``."""

MOST = 1_000_000_000
"""The largest whole number that a setting accepts; a larger one is a slip of the keyboard."""


@dataclass(frozen=True, slots=True)
class SettingKind:
    """The values that a setting accepts; ``wanted`` describes them in messages."""

    wanted: str
    take: Callable[[object], object]
    """Returns the value as it is kept, or ``REFUSED``."""
    remedy: str | None = None
    """What to write; none: what is there is to be corrected."""
    parse: Callable[[str], object] = str
    """Reads the value from an environment variable's text; raises ValueError if it holds none."""


def whole(least: int = 0, most: int = MOST) -> SettingKind:
    """Accept whole numbers of a range; 3.0 is one too, since some clients know no others."""

    def take(value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return REFUSED
        if not least <= value <= most or value != int(value):
            return REFUSED
        return int(value)

    upper = "" if most == MOST else f" to {most:,}"
    return SettingKind(f"a whole number from {least:,}{upper}", take, parse=int)


def number(least: float, most: float) -> SettingKind:
    """Accept numbers of a range."""

    def take(value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return REFUSED
        return float(value) if least <= value <= most else REFUSED

    return SettingKind(f"a number from {least:g} to {most:g}", take, parse=float)


def one_of(*words: str) -> SettingKind:
    """Accept one of some words."""

    def take(value: object) -> object:
        return value if value in words else REFUSED

    return SettingKind(f"one of {', '.join(words)}", take)


BOOLEAN = SettingKind("true or false", take_boolean, parse=read_boolean)
TEXT = SettingKind("a text", take_text)
VARIABLE = SettingKind("the name of an environment variable, never a key itself", take_variable)
ADDRESS = SettingKind(
    "an http or https address without a user name in it",
    take_address,
    "Write scheme, host and port, such as http://127.0.0.1:11434/v1.",
)
FOLDERS = SettingKind("a list of folders, each from / or ~/", take_folders, parse=split_folders)
REACH = SettingKind("true, false or registries", take_reach, parse=read_reach)
HOSTS = SettingKind(
    "a list of hosts",
    take_hosts,
    "Write each by its name alone, without a scheme, a port or a star, such as pypi.example.org.",
    parse=split_list,
)
MACHINES = SettingKind(
    "a list of hosts or addresses",
    take_machines,
    "Write each by its name or its address alone, such as docs.example.org or 127.0.0.1.",
    parse=split_list,
)
VARIABLES = SettingKind("a list of environment variables", take_variables, parse=split_list)
PROXY = SettingKind(
    "the address of a proxy without a password in it",
    take_proxy,
    "Write scheme, host and port, such as http://user@proxy.example.org:8080; "
    "network.proxy_password_env names the variable that holds the password.",
)
SERVER = SettingKind(
    "the address of a PostgreSQL without a password in it",
    take_server,
    "Write role, host, port and database, such as postgresql://ada@db.example.org:5432/team; the "
    "variable PLIMSOLL_TEAM_PASSWORD, the system's keyring or ~/.pgpass has the password.",
)
FILE = SettingKind("a file, from / or ~/", take_file)
HOOKS = SettingKind(
    "a list of hooks",
    taker_of(hooks_in),
    "Write each as a table with command, and matcher or timeout (1 to "
    f"{MOST_SECONDS} seconds) where wanted: docs/hooks.md.",
)
TEXTS = SettingKind("a list of texts", taker_of(texts_in))
ARGUMENTS = SettingKind(
    "a list of texts without a secret in it",
    taker_of(arguments_in),
    'Write args = ["one", "two"]; a secret is named, as in "${TOKEN}", and stands in the '
    "environment: docs/mcp.md.",
)
SERVICE = SettingKind(
    "an http or https address without a secret in it",
    lambda value: REFUSED if holds_secret(str(value)) else take_address(value),
    "Write scheme, host, port and path, such as https://example.org/mcp.",
)
PASSED_VARIABLES = SettingKind(
    "a table of variables without a secret in it",
    taker_of(variables_in),
    'Write env = {NAME = "value"}; a secret is named, as in {TOKEN = "${TOKEN}"}, and stands in '
    "the environment: docs/mcp.md.",
)
HEADERS = SettingKind(
    "a table of headers without a secret in it",
    taker_of(headers_in),
    'Write headers = {Name = "value"}; a secret is named, as in {Authorization = "Bearer '
    '${TOKEN}"}, and stands in the environment: docs/mcp.md.',
)
SECRET = SettingKind(
    "the name of a variable as ${NAME}",
    taker_of(secret_in),
    'Write client_secret = "${WIKI_SECRET}"; the secret stands in the environment.',
)
HOST_FORMS = SettingKind("a list of hosts", take_texts, parse=split_list)
FRACTION = number(0, 1)
PRICE = number(0, 1_000)
WINDOW = whole(LEAST_WINDOW)
POSITIVE = whole(1)
WEIGHT = whole(0, 1_000)

BY_TYPE: Mapping[Any, SettingKind] = {bool: BOOLEAN, int: whole(), float: FRACTION, str: TEXT}
BY_NAME: Mapping[str, SettingKind] = {
    "api_key_env": VARIABLE,
    "base_url": ADDRESS,
    "otlp_endpoint": ADDRESS,
    "context_window": WINDOW,
    "first_token_seconds": whole(),
    "price_read": PRICE,
    "price_write": PRICE,
    "price_write_hour": PRICE,
    "max_lines": POSITIVE,
    "max_bytes": POSITIVE,
    "timeout_seconds": POSITIVE,
    "max_failures": POSITIVE,
    "max_steps": POSITIVE,
    "spend_limit_money": number(0, 100_000),
    "extraction": one_of("model", "phrases", "off"),
    "at_mark": one_of("model", "digest"),
    "readable": FOLDERS,
    "writable": FOLDERS,
    "network": REACH,
    "registries": HOSTS,
    "environment": VARIABLES,
    "ca_file": FILE,
    "proxy": PROXY,
    "proxy_password_env": VARIABLE,
    "no_proxy": HOST_FORMS,
    "allow_hosts": MACHINES,
    "search_url": ADDRESS,
    "search_key_env": VARIABLE,
    "url": SERVER,
    "project": TEXT,
    "accept": one_of("ask", "known", "all"),
    **{each.name: HOOKS for each in fields(HookSettings)},
}
"""The settings, by their last name, that accept less than their type."""

MCP_KINDS: Mapping[str, SettingKind] = {
    **{one.name: BY_TYPE.get(one.type, TEXT) for one in fields(McpSettings)},
    "args": ARGUMENTS,
    "env": PASSED_VARIABLES,
    "url": SERVICE,
    "headers": HEADERS,
    "client_secret": SECRET,
    "off_tools": TEXTS,
}
"""The settings of one MCP server."""

ELSEWHERE: Mapping[SettingPath, SettingPath] = {
    ("budget", "compact_at"): ("compaction", "threshold")
}
"""Fields of the core that people set under another name."""
FREE: Mapping[SettingPath, SettingKind] = {("pruning", "weights"): WEIGHT}
"""Tables whose keys are not ours: here the names of tools."""
MODEL_SECTIONS = ("model", "utility_model")
IDENTITY = ("provider", "name")
"""The fields that name a model; in a table of ``models`` its key already does."""


PROFILE: SettingPath = ("profile",)
"""The one setting that stands in no section."""


def _kinds() -> dict[SettingPath, SettingKind]:
    known: dict[SettingPath, SettingKind] = {PROFILE: one_of(*PROFILES)}
    for section, default in default_sections().items():
        for one in fields(default):
            path = (section, one.name)
            if path not in ELSEWHERE and path not in FREE:
                known[path] = BY_NAME[one.name] if one.name in BY_NAME else BY_TYPE[one.type]
    return known


def default_sections() -> dict[str, Any]:
    """Return the settings' sections with their defaults, without the tables of single models."""
    defaults = Settings()
    names = [
        one.name
        for one in fields(defaults)
        if one.name not in ("profile", "given", "mcp", "models")
    ]
    return {name: getattr(defaults, name) for name in names}


KINDS: Mapping[SettingPath, SettingKind] = _kinds()
"""Every setting, with the values that it accepts."""
SECTIONS = (*default_sections(), "mcp")
MODEL_KEYS = frozenset(one.name for one in fields(ModelSettings)) - frozenset(IDENTITY)
_FOR_ALL = (
    "permission",
    "sandbox",
    "shell",
    "turn",
    "session",
    "telemetry",
    "network",
    "team",
    "web",
    "hooks",
    "mcp",
)
"""Sections that say what holds whichever model answers."""
OVERRIDABLE = tuple(name for name in SECTIONS if name not in (*MODEL_SECTIONS, *_FOR_ALL))
"""Sections that a table of ``models`` may hold."""


def kind_of(path: SettingPath) -> SettingKind | None:
    """Return the values that a setting accepts; None if there is no such setting."""
    if path[:1] == ("models",) and len(path) > 2:
        return kind_of(path[2:]) if _overridable(path[2:]) else None
    if path[:-1] in FREE:
        return FREE[path[:-1]]
    if len(path) == 3 and path[0] == "mcp":
        return MCP_KINDS.get(path[2])
    return KINDS.get(path)


def _overridable(path: SettingPath) -> bool:
    return path[0] in OVERRIDABLE or (path[0] == "model" and path[-1] in MODEL_KEYS)
