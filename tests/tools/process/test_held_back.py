"""Whether a command may have failed because of its sandbox, by what it wrote; told as a guess."""

from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.tools.process.confinement.base import Access
from plimsoll.tools.process.confinement.registries.hosts import Registries
from plimsoll.tools.process.confinement.registries.record import RefusalKind, RegistryRefusal
from plimsoll.tools.process.held_back import guess_text, held_back, is_kept_out, refusal_text

ACCESS = Access(
    root=Path("/w"), home=Path("/h"), caches=Path("/c"), readable=(Path("/r"),), writable=()
)


@pytest.mark.parametrize(
    "output",
    [
        *("connect: Network is unreachable", "Error: ENETUNREACH", "Could not resolve host: x"),
        *("couldn't resolve proxy", "unable to resolve x", "Temporary failure in name resolution"),
        *("Name or service not known", "getaddrinfo failed", "EAI_AGAIN", "ENOTFOUND x"),
        "No route to host\nPermission denied",
    ],
)
def test_a_command_without_network_may_have_failed_by_that(output: str):
    assert held_back(output, 1, ACCESS) == "network"
    with_network = held_back(output, 1, replace(ACCESS, network=True))
    assert with_network == ("files" if "denied" in output else None)
    assert held_back(output, 0, ACCESS) is held_back(output, 1, None) is None


@pytest.mark.parametrize(
    ("output", "held"),
    [
        ("Read-only file system", "files"),
        ("mkdir: Permission denied", "files"),
        ("EPERM", "files"),
        ("Device or resource busy", "files"),
        ("Invalid cross-device link", "files"),
        ("Address family not supported by protocol", "files"),
        ("cat: /srv/x: No such file or directory", "files"),
        ("/h/tool: not found", "files"),
        ("ENOENT, open '/data/a b'", "files"),
        ("cat: /w/x /c/y /r/z /tmp/a /usr/b: No such file or directory", None),
        ("cat: src/srv/x ~/y ./z: No such file or directory", None),
        ("/srv/x is there\nyours was not found", None),
        ("1 test failed", None),
        ("", None),
    ],
)
def test_a_command_may_have_failed_by_what_it_could_not_write_or_see(output: str, held: str | None):
    assert held_back(output, 2, ACCESS) == held


def test_the_guess_says_what_would_help():
    proxied = replace(ACCESS, registries=Registries(("packages.example.org",)))
    network, files = guess_text("network", ACCESS), guess_text("files", proxied)
    assert network == guess_text("network", None)
    assert "has no network in the sandbox. With network: true" in network
    assert "lets it reach package registries alone" in guess_text("network", proxied)
    assert "With unconfined: true it runs outside" in files
    assert all(told.startswith("It may have failed because") for told in (network, files))


@pytest.mark.parametrize(
    ("kind", "told", "kept_out"),
    [
        ("unlisted", "x.example is none of them; with network: true", True),
        ("port", "lets it reach x.example by https on port 443 alone", True),
        ("address", "x.example was not reached: its name leads to an address that is not", True),
        ("server", "a connection to x.example was cut", False),
        ("malformed", "refused a request: x.example", False),
        ("volume", "sent or fetched more than", False),
        ("unheard", "the proxy could not listen", False),
    ],
)
def test_what_the_proxy_refused_is_known_and_told(kind: RefusalKind, told: str, kept_out: bool):
    refusal = RegistryRefusal(kind, "x.example")
    assert told in refusal_text(refusal)
    assert is_kept_out(refusal) is kept_out


def test_a_host_is_told_on_one_line_and_not_at_any_length():
    told = refusal_text(RegistryRefusal("malformed", "a\nb" + "c" * 500))
    assert "\n" not in told
    assert len(told) < 200
