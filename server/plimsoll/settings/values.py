"""Readers of the values of settings: each returns the value as it is kept, or ``REFUSED``."""

import os
import re
from collections.abc import Callable, Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

REFUSED = object()
PROXY_SCHEMES = frozenset({"http", "https", "socks", "socks5", "socks5h"})
SERVER_SCHEMES = frozenset({"postgresql", "postgres"})
_LABEL = r"[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?"
# An address ends in a number, of whatever base.
_HOST = re.compile(rf"(?:{_LABEL}\.)*(?![0-9]+$|0x[0-9a-f]*$){_LABEL}")


def read_boolean(text: str) -> bool:
    """Read true or false from a text; raises ValueError."""
    words = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    if text.lower() not in words:
        raise ValueError
    return words[text.lower()]


def take_boolean(value: object) -> object:
    """Take true or false."""
    return value if isinstance(value, bool) else REFUSED


def take_text(value: object) -> object:
    """Take any text."""
    return value if isinstance(value, str) else REFUSED


def take_variable(value: object) -> object:
    """Take the name of an environment variable."""
    # People paste the key itself here; a key never looks like a variable's name.
    named = isinstance(value, str) and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,99}", value)
    return value if named else REFUSED


def take_variables(value: object) -> object:
    """Take a list of names of environment variables."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return REFUSED
    names = [take_variable(one) for one in cast("Sequence[object]", value)]
    return REFUSED if REFUSED in names else tuple(names)


def take_address(value: object) -> object:
    """Take an http or https address without a user name in it."""
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


def take_proxy(value: object) -> object:
    """Take the address of a proxy without a password in it."""
    if not isinstance(value, str):
        return REFUSED
    try:
        parts = urlsplit(value if "://" in value else f"http://{value}")
        # Asked for, since a port that is none raises only then.
        good = parts.scheme in PROXY_SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return REFUSED
    return value if good and parts.password is None else REFUSED


def take_server(value: object) -> object:
    """Take the address of a PostgreSQL without a password in it."""
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


def take_file(value: object) -> object:
    """Take the path of a file from ``/`` or ``~/``."""
    return value if isinstance(value, str) and _is_folder(value) else REFUSED


def take_texts(value: object) -> object:
    """Take a list of texts."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return REFUSED
    texts = cast("Sequence[object]", value)
    return tuple(texts) if all(isinstance(one, str) for one in texts) else REFUSED


def taker_of(read: Callable[[object], object]) -> Callable[[object], object]:
    """Make a taker of a reader: a value for which it returns None is ``REFUSED``."""

    def take(value: object) -> object:
        found = read(value)
        return REFUSED if found is None else found

    return take


def take_folders(value: object) -> object:
    """Take a list of folders from ``/`` or ``~/``."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return REFUSED
    folders = cast("Sequence[object]", value)
    if not all(isinstance(one, str) and _is_folder(one) for one in folders):
        return REFUSED
    return tuple(folders)


def _is_folder(text: str) -> bool:
    # A relative one would mean another folder in each workspace.
    return Path(text).is_absolute() or text == "~" or text.startswith("~/")


def take_reach(value: object) -> object:
    """Take true, false or ``registries``."""
    return value if isinstance(value, bool) or value == "registries" else REFUSED


def read_reach(text: str) -> object:
    """Read true, false or ``registries`` from a text; raises ValueError."""
    return text if text == "registries" else read_boolean(text)


def take_hosts(value: object) -> object:
    """Take a list of names of hosts."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return REFUSED
    hosts = [_host(one) for one in cast("Sequence[object]", value)]
    return REFUSED if None in hosts else tuple(hosts)


def take_machines(value: object) -> object:
    """Take a list of names of hosts or IP addresses."""
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


def split_list(text: str) -> list[str]:
    """Split a text at its commas."""
    return [one.strip() for one in text.split(",")]


def split_folders(text: str) -> list[str]:
    """Split a text as the system separates folders."""
    return text.split(os.pathsep)
