"""Which addresses a registry may have, so that its name leads into no private network."""

import ipaddress
from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

_GLOBAL = IPv6Network("2000::/3")
# Each holds an address of version 4 in its last bits, and leads to that.
_EMBEDDING = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))
# Tunnels whose ends anybody names; the relays of one of them.
_TUNNELS_6 = (IPv6Network("2002::/16"), IPv6Network("2001::/32"))
_TUNNELS_4 = IPv4Network("192.88.99.0/24")
_SITE_LOCAL = IPv6Network("fec0::/10")
_THIS_NETWORK = IPv4Network("0.0.0.0/8")
_BROADCAST = IPv4Address("255.255.255.255")


def is_public(address: str) -> bool:
    """Tell whether an address is one of the public Internet."""
    return _holds(address, _is_public)


def is_machine(address: str) -> bool:
    """Tell whether an address is that of a single machine, also in a private network.

    Link-local addresses do not count: there clouds tell a machine its credentials.
    """
    return _holds(address, _is_machine)


def _holds(address: str, test: Callable[[IPv4Address | IPv6Address], bool]) -> bool:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        if found.scope_id is not None:
            return False
        if any(found in network for network in _EMBEDDING):
            return test(IPv4Address(int(found) & 0xFFFF_FFFF))
    return test(found)


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    if not address.is_global or address.is_multicast or address.is_reserved:
        return False
    if isinstance(address, IPv4Address):
        return address not in _TUNNELS_4
    return address in _GLOBAL and not any(address in network for network in _TUNNELS_6)


def _is_machine(address: IPv4Address | IPv6Address) -> bool:
    if address.is_multicast or address.is_link_local or address.is_unspecified:
        return False
    if isinstance(address, IPv4Address):
        return address not in _THIS_NETWORK and address != _BROADCAST
    plain = address.is_loopback or int(address) >> 32 != 0
    tunnel = any(address in network for network in _TUNNELS_6)
    return plain and not tunnel and address not in _SITE_LOCAL
