"""Tells public addresses from others, so that no name leads into a private network.

`ipaddress.is_global` alone does not: it takes an address of IPv6 that leads to one of IPv4 for a
public one, and differs between the versions of Python.
"""

import ipaddress
from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

_GLOBAL = IPv6Network("2000::/3")
# Each holds an address of version 4 in its last bits, and leads to that.
_EMBEDDING = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))
# Tunnels whose ends anybody names; the relays of one of them.
_TUNNELS_6 = (IPv6Network("2002::/16"), IPv6Network("2001::/32"))
_TUNNELS_4 = IPv4Network("192.88.99.0/24")
# A tunnel within any network: after it the address of version 4 at which it ends (ISATAP).
_ISATAP = frozenset({0x0000_5EFE, 0x0200_5EFE})
# For protocols and for examples; of these Python 3.11 takes a part for public.
_NOT_PUBLIC_4 = (IPv4Network("192.0.0.0/24"), _TUNNELS_4)
_NOT_PUBLIC_6 = (*_TUNNELS_6, IPv6Network("2001::/23"), IPv6Network("3fff::/20"))
# In every machine of a cloud it leads to the cloud's own services, and to nobody elsewhere.
_METADATA = IPv4Address("168.63.129.16")
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
        return address != _METADATA and not any(address in each for each in _NOT_PUBLIC_4)
    in_tunnel = int(address) >> 32 & 0xFFFF_FFFF in _ISATAP
    return address in _GLOBAL and not in_tunnel and not any(address in n for n in _NOT_PUBLIC_6)


def _is_machine(address: IPv4Address | IPv6Address) -> bool:
    if address.is_multicast or address.is_link_local or address.is_unspecified:
        return False
    if isinstance(address, IPv4Address):
        return address not in _THIS_NETWORK and address != _BROADCAST
    plain = address.is_loopback or int(address) >> 32 != 0
    tunnel = any(address in network for network in _TUNNELS_6)
    return plain and not tunnel and address not in _SITE_LOCAL
