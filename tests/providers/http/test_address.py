"""Wrong addresses are told with the one that was meant, and what is wrong in a field."""

import asyncio

import pytest

from plimsoll.errors import Fix, ProviderAuth, ProviderUnavailable
from plimsoll.providers.http.address import (
    comparable,
    correct_address,
    is_loopback,
    is_near,
    is_of_each_machine,
    with_scheme,
)
from plimsoll.providers.http.client import refusal_error
from plimsoll.providers.http.connecting.connections import Unconnected, no_connection
from plimsoll.providers.http.site import Site
from providers.fault_server import document, fault_server
from providers.support import openai, outcome

HOST = "http://127.0.0.1:8080"


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (f"{HOST}/v1/chat/completions", f"{HOST}/v1"),
        (f"{HOST}/v1/chat/completions/chat/completions", f"{HOST}/v1"),
        (f"{HOST}/v1/messages/", f"{HOST}/v1"),
        (HOST, f"{HOST}/v1"),
        (f"{HOST}/", f"{HOST}/v1"),
        (f"{HOST}/api", f"{HOST}/v1"),
        (f"{HOST}/v1/v1", f"{HOST}/v1"),
        ("https://openrouter.ai", "https://openrouter.ai/api/v1"),
        ("https://me:secret@example.org", "https://example.org/v1"),
        (f"{HOST}/v1", None),
        ("https://example.org/gateway/v2", None),
    ],
)
def test_the_address_that_was_meant(given: str, meant: str | None):
    assert correct_address(given) == meant


def test_hosts():
    assert is_loopback("127.0.0.9")
    assert is_loopback("::1")
    assert is_loopback("localhost")
    assert not is_loopback("10.0.0.1")
    assert is_near("10.0.0.1")
    assert is_near("gpu-box")
    assert not is_near("api.openai.com")
    assert with_scheme("http://u:p@h:1/v1/?q", "https") == "https://h:1/v1"


async def test_a_path_twice_is_told_with_the_right_one():
    async with fault_server(document(404, {"error": {"message": "File Not Found"}})) as server:
        provider = openai(f"{server.url}/chat/completions")
        _, error = await outcome(provider)
        await provider.close()
    assert isinstance(error, ProviderUnavailable)
    assert error.fix == Fix(kind="address", address=server.url, setting="model.base_url")
    assert server.url in (error.remedy or "")


async def test_a_key_is_named_by_its_variable():
    async with fault_server(document(401, {})) as server:
        provider = openai(server.url, key=None)
        _, error = await outcome(provider)
        await provider.close()
    assert isinstance(error, ProviderAuth)
    assert "was given no key" in error.message
    assert error.fix == Fix(kind="key", variable="OPENAI_API_KEY")
    assert "plimsoll/" not in (error.remedy or "")


async def test_https_where_plain_http_is_spoken():
    """A server that waits for the end of a line says nothing to the greeting of TLS."""
    held: list[asyncio.StreamWriter] = []

    async def hold(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        held.append(writer)

    async with await asyncio.start_server(hold, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        provider = openai(f"https://127.0.0.1:{port}/v1", connect_seconds=5)
        _, error = await outcome(provider)
        await provider.close()
        for writer in held:
            writer.close()
    assert len(held) == 1
    assert isinstance(error, ProviderUnavailable)
    assert "plain http" in error.message
    assert error.fix == Fix(
        kind="address", address=f"http://127.0.0.1:{port}/v1", setting="model.base_url"
    )


NOBODY = Unconnected("nobody listens there", starting=True)


def test_no_port_is_told_with_the_usual_ones():
    site = Site(url="http://localhost/v1/chat/completions", model="m", key_env="K")
    remedy = no_connection(NOBODY, site).remedy or ""
    assert "No port is named, so 80 was tried" in remedy
    assert "11434" in remedy
    named = Site(url="http://localhost:8080/v1/chat/completions", model="m", key_env="K")
    assert "No port" not in (no_connection(NOBODY, named).remedy or "")


def test_a_list_of_models_is_not_called_a_model_without_a_name():
    site = Site(url="https://api.example.com/v1/models", model="", key_env="K")
    error = no_connection(NOBODY, site)
    assert "for its list of models: nobody" in error.message
    assert "Ollama" not in (error.remedy or "")
    nowhere = refusal_error(b'{"error": "Not Found"}', 404, site)
    assert isinstance(nowhere, ProviderUnavailable)
    assert "Nothing is served at this address" in nowhere.message


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("https://api.example.org/v1", "https://API.example.org:443/v1/", True),
        ("https://api.example.org", "https://api.example.org/v1/chat/completions", True),
        ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8081/v1", False),
        ("http://127.0.0.1:80/v1", "http://127.0.0.1/v1", True),
        ("https://gateway.example.org/one/v1", "https://gateway.example.org/two/v1", False),
        ("https://api.example.org/v1", "http://api.example.org/v1", False),
        ("https://me:word@api.example.org/v1?key=1", "https://api.example.org/v1", True),
    ],
)
def test_two_ways_to_write_an_address_are_one(one: str, other: str, equal: bool):
    assert (comparable(one) == comparable(other)) is equal


@pytest.mark.parametrize("wrong", ["", "ftp://x", "127.0.0.1:80", "http://[::1"])
def test_what_is_no_address_compares_as_nothing(wrong: str):
    assert comparable(wrong) == ""


@pytest.mark.parametrize(
    ("host", "found"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("::", True),
        ("localhost", True),
        ("model.localhost.", True),
        ("127.1", True),
        ("0x7f000001", True),
        ("2130706433", True),
        ("10.1", False),
        ("", False),
        ("192.168.1.7", False),
        ("localhost.example.org", False),
        ("api.example.org", False),
    ],
)
def test_a_host_that_each_machine_has_is_known(host: str, found: bool):
    assert is_of_each_machine(host) is found
