"""A host is a registry by its whole name, and by no other way of writing one."""

import pytest

from plimsoll.settings.kinds import HOSTS, REFUSED
from plimsoll.tools.process.confinement.registries.hosts import Registries, host_name

REGISTRIES = Registries(("packages.example.org",))


@pytest.mark.parametrize(
    ("text", "ports"),
    [
        ("pypi.org", (443,)),
        ("PyPI.org.", (443,)),
        ("deb.debian.org", (443, 80)),
        ("packages.example.org", (443, 80)),
        ("example.org", ()),
        ("evil.packages.example.org", ()),
        ("pypi.org.example.org", ()),
        ("xpypi.org", ()),
    ],
)
def test_what_is_reached_by_which_port(text, ports):
    name = host_name(text)
    assert name is not None
    assert REGISTRIES.ports(name) == ports


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "pypi.org..",
        ".pypi.org",
        "pypi..org",
        "pypi.org:443",
        "user@pypi.org",
        "pypi.org/x",
        "pypi.org\0.example.org",
        "pypi.org\n",
        " pypi.org",
        "*.pypi.org",
        "pyp\u0456.org",
        "p\u212aypi.org",
        "127.0.0.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "127.1",
        "::1",
        "[::1]",
        "fe80::1%eth0",
        "a" * 64 + ".org",
        "a." * 127 + "org",
        "-pypi.org",
        "pypi-.org",
    ],
)
def test_what_is_no_name(text):
    assert host_name(text) is None
    assert HOSTS.take([text]) is REFUSED


def test_a_person_s_hosts_are_taken_as_they_are_compared():
    assert HOSTS.take(["Packages.Example.org.", "nexus"]) == ("packages.example.org", "nexus")
    assert HOSTS.take("packages.example.org") is REFUSED
    assert HOSTS.take(HOSTS.parse("a.example.org, b.example.org")) == (
        "a.example.org",
        "b.example.org",
    )
