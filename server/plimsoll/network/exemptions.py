"""Hosts that are reached without a proxy, in the forms of ``NO_PROXY``. Pure."""

import re
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

_WITH_PORT = re.compile(r"(?P<host>\[[^\]]*\]|[^:]*)(?::(?P<port>\d{1,5}))?")


def is_exempt(host: str, port: int, forms: Iterable[str]) -> bool:
    """Tell whether a host matches one of the forms.

    A name matches itself and all its subdomains, with or without ``.`` or ``*.`` before it; further
    forms: an address, a network such as ``10.0.0.0/8``, ``<local>`` for names without a dot, and
    ``*`` for every host. ``:port`` after a form limits it to that port.
    """
    named = host.lower().strip("[]").rstrip(".")
    return any(_matches(named, port, form.strip().lower()) for form in forms)


def is_this_machine(host: str) -> bool:
    """Tell whether a host is a loopback address, or a name that always resolves to one."""
    name = host.lower().strip("[]").rstrip(".")
    address = _address(name)
    if address is None:
        return name == "localhost" or name.endswith(".localhost")
    inner = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return address.is_loopback or (inner is not None and inner.is_loopback)


def _matches(host: str, port: int, form: str) -> bool:
    if form == "*":
        return True
    if form == "<local>":
        return "." not in host and ":" not in host
    address = _address(host)
    if "/" in form:
        return address is not None and _is_in(address, form)
    if (whole := _address(form)) is not None:
        return address == whole
    parts = _WITH_PORT.fullmatch(form)
    if parts is None or (parts["port"] and int(parts["port"]) != port):
        return False
    name = parts["host"].strip("[]").removeprefix("*").strip(".")
    if name == "":
        return parts["host"] == "*"
    if (inner := _address(name)) is not None:
        return address == inner
    return address is None and (host == name or host.endswith(f".{name}"))


def _is_in(address: IPv4Address | IPv6Address, form: str) -> bool:
    try:
        return address in ip_network(form, strict=False)
    except ValueError:
        return False


def _address(name: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(name)
    except ValueError:
        return None
