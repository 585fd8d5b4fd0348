"""The values that each setting accepts: their type, their range, and the words for them."""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from ipaddress import ip_address
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from plimsoll.context.budget import LEAST_WINDOW
from plimsoll.settings.hooks import MOST_SECONDS, HookSettings, hooks_in
from plimsoll.settings.profiles import PROFILES
from plimsoll.settings.shape import ModelSettings, Settings

SettingPath = tuple[str, ...]
"""The place of a setting, its names from the top: ``("budget", "warning_at")``."""

MOST = 1_000_000_000
"""The largest whole number that a setting accepts; a larger one is a slip of the keyboard."""
REFUSED = object()
PROXY_SCHEMES = frozenset({"http", "https", "socks", "socks5", "socks5h"})
SERVER_SCHEMES = frozenset({"postgresql", "postgres"})
_LABEL = r"[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?"
# An address ends in a number, of whatever base.
_HOST = re.compile(rf"(?:{_LABEL}\.)*(?![0-9]+$|0x[0-9a-f]*$){_LABEL}")


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


def _boolean(text: str) -> bool:
    words = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    if text.lower() not in words:
        raise ValueError
    return words[text.lower()]


def _take_boolean(value: object) -> object:
    return value if isinstance(value, bool) else REFUSED


def _take_text(value: object) -> object:
    return value if isinstance(value, str) else REFUSED


def _take_variable(value: object) -> object:
    # People paste the key itself here; a key never looks like a variable's name.
    named = isinstance(value, str) and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,99}", value)
    return value if named else REFUSED


def _take_variables(value: object) -> object:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return REFUSED
    names = [_take_variable(one) for one in cast("Sequence[object]", value)]
    return REFUSED if REFUSED in names else tuple(names)


def _take_address(value: object) -> object:
    if not isinstance(value, str):
        return REFUSED
    try:
        parts = urlsplit(value)
        good = (
            parts.scheme in {"http", "https"}
            and bool(parts.hostname)
            and "@" not in parts.netloc
            # Asked for, since a port that is none raises only then.
            and parts.port != 0
        )
    except ValueError:
        return REFUSED
    return value if good else REFUSED


def _take_proxy(value: object) -> object:
    if not isinstance(value, str):
        return REFUSED
    try:
        parts = urlsplit(value if "://" in value else f"http://{value}")
        # Asked for, since a port that is none raises only then.
        good = parts.scheme in PROXY_SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return REFUSED
    return value if good and parts.password is None else REFUSED


def _take_server(value: object) -> object:
    if not isinstance(value, str):
        return REFUSED
    try:
        parts = urlsplit(value)
        # Asked for, since a port that is none raises only then.
        good = parts.scheme in SERVER_SCHEMES and parts.port != 0 and bool(parts.path.strip("/"))
    except ValueError:
        return REFUSED
    secret = parts.password is not None or "password=" in parts.query.lower()
    return value if good and not secret else REFUSED


def _take_file(value: object) -> object:
    return value if isinstance(value, str) and _is_folder(value) else REFUSED


def _take_texts(value: object) -> object:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return REFUSED
    texts = cast("Sequence[object]", value)
    return tuple(texts) if all(isinstance(one, str) for one in texts) else REFUSED


def _take_hooks(value: object) -> object:
    hooks = hooks_in(value)
    return REFUSED if hooks is None else hooks


def _take_folders(value: object) -> object:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return REFUSED
    folders = cast("Sequence[object]", value)
    if not all(isinstance(one, str) and _is_folder(one) for one in folders):
        return REFUSED
    return tuple(folders)


def _is_folder(text: str) -> bool:
    # A relative one would mean another folder in each workspace.
    return Path(text).is_absolute() or text == "~" or text.startswith("~/")


def _take_reach(value: object) -> object:
    return value if isinstance(value, bool) or value == "registries" else REFUSED


def _reach(text: str) -> object:
    return text if text == "registries" else _boolean(text)


def _take_hosts(value: object) -> object:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return REFUSED
    hosts = [_host(one) for one in cast("Sequence[object]", value)]
    return REFUSED if None in hosts else tuple(hosts)


def _take_machines(value: object) -> object:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return REFUSED
    machines = [_host(one) or _address(one) for one in cast("Sequence[object]", value)]
    return REFUSED if None in machines else tuple(machines)


def _address(value: object) -> str | None:
    """Return an IP address in its usual form; None if it is another text."""
    try:
        return str(ip_address(value)) if isinstance(value, str) else None
    except ValueError:
        return None


def _host(value: object) -> str | None:
    """Return a host's name in lower case; None if it is an IP address or a pattern."""
    name = value.lower().removesuffix(".") if isinstance(value, str) and value.isascii() else ""
    return name if len(name) <= 253 and _HOST.fullmatch(name) else None


def _split_list(text: str) -> list[str]:
    return [one.strip() for one in text.split(",")]


def _folders(text: str) -> list[str]:
    return text.split(os.pathsep)


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


BOOLEAN = SettingKind("true or false", _take_boolean, parse=_boolean)
TEXT = SettingKind("a text", _take_text)
VARIABLE = SettingKind("the name of an environment variable, never a key itself", _take_variable)
ADDRESS = SettingKind(
    "an http or https address without a user name in it",
    _take_address,
    "Write scheme, host and port, such as http://127.0.0.1:11434/v1.",
)
FOLDERS = SettingKind("a list of folders, each from / or ~/", _take_folders, parse=_folders)
REACH = SettingKind("true, false or registries", _take_reach, parse=_reach)
HOSTS = SettingKind(
    "a list of hosts",
    _take_hosts,
    "Write each by its name alone, without a scheme, a port or a star, such as pypi.example.org.",
    parse=_split_list,
)
MACHINES = SettingKind(
    "a list of hosts or addresses",
    _take_machines,
    "Write each by its name or its address alone, such as docs.example.org or 127.0.0.1.",
    parse=_split_list,
)
VARIABLES = SettingKind("a list of environment variables", _take_variables, parse=_split_list)
PROXY = SettingKind(
    "the address of a proxy without a password in it",
    _take_proxy,
    "Write scheme, host and port, such as http://user@proxy.example.org:8080; "
    "network.proxy_password_env names the variable that holds the password.",
)
SERVER = SettingKind(
    "the address of a PostgreSQL without a password in it",
    _take_server,
    "Write role, host, port and database, such as postgresql://ada@db.example.org:5432/team; the "
    "variable PLIMSOLL_TEAM_PASSWORD, the system's keyring or ~/.pgpass has the password.",
)
FILE = SettingKind("a file, from / or ~/", _take_file)
HOOKS = SettingKind(
    "a list of hooks",
    _take_hooks,
    "Write each as a table with command, and matcher or timeout (1 to "
    f"{MOST_SECONDS} seconds) where wanted: docs/hooks.md.",
)
HOST_FORMS = SettingKind("a list of hosts", _take_texts, parse=_split_list)
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
    names = [one.name for one in fields(defaults) if one.name not in ("profile", "given", "models")]
    return {name: getattr(defaults, name) for name in names}


KINDS: Mapping[SettingPath, SettingKind] = _kinds()
"""Every setting, with the values that it accepts."""
SECTIONS = tuple(default_sections())
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
    return KINDS.get(path)


def _overridable(path: SettingPath) -> bool:
    return path[0] in OVERRIDABLE or (path[0] == "model" and path[-1] in MODEL_KEYS)
