"""A model behind TLS of a private authority and behind a proxy: what comes, and what is said."""

import asyncio
import socket
from collections.abc import Mapping
from pathlib import Path

import pytest

from plimsoll.errors import PlimsollError, ProviderUnavailable
from plimsoll.network.proxies import Network
from providers.networks.certificates import Authority, make_authority
from providers.networks.proxy_server import FakeProxy, Manner, fake_proxy, model_over
from providers.support import GOOD, openai, outcome

pytestmark = pytest.mark.slow

AWAY = "https://model.example.invalid/v1"
PASSWORD = "correct-horse-7"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return make_authority(tmp_path_factory.mktemp("authority"))


async def said(url: str, network: Network, **limits: float) -> PlimsollError:
    provider = openai(url, tries=2, network=network, **limits)
    chunks, error = await outcome(provider)
    await provider.close()
    assert chunks == []
    assert isinstance(error, ProviderUnavailable), error
    assert error.remedy
    assert PASSWORD not in f"{error.message} {error.remedy} {error.data} {error.__cause__!r}"
    assert "Ollama" not in f"{error.message} {error.remedy}"
    return error


@pytest.mark.parametrize("way", ["ca_file", "store", "folder"])
async def test_a_private_authority_is_trusted_where_it_is_named(
    way: str, authority: Authority, tmp_path: Path
):
    hashed = tmp_path / "hashed"
    hashed.mkdir()
    named = {
        "ca_file": Network(ca_files=(authority.root,)),
        "store": Network(store=(authority.root, None)),
        "folder": Network(store=(authority.root, str(hashed))),
    }
    async with model_over(authority.context("good")) as port:
        provider = openai(f"https://127.0.0.1:{port}/v1", network=named[way])
        assert await outcome(provider) == (GOOD, None)
        await provider.close()


WRONG: Mapping[str, tuple[str, str, str]] = {
    "good": ("authority that is not trusted", "network.ca_file", "network.ca_file"),
    "itself": ("signed by itself", "network.ca_file", "network.ca_file"),
    "expired": ("it has expired", "clock", "model.base_url"),
    "name": ("it is for another host", "host", "model.base_url"),
}


@pytest.mark.parametrize("kind", WRONG)
async def test_what_is_wrong_with_a_certificate_is_said(kind: str, authority: Authority):
    told, advice, setting = WRONG[kind]
    trusted = () if kind in ("good", "itself") else (authority.root,)
    async with model_over(authority.context(kind)) as port:
        error = await said(f"https://127.0.0.1:{port}/v1", Network(ca_files=trusted))
    assert told in error.message
    assert advice in (error.remedy or "")
    assert error.fix is not None
    assert error.fix.setting == setting


async def test_plain_http_where_tls_is_asked_for():
    async with model_over(None) as port:
        error = await said(f"https://127.0.0.1:{port}/v1", Network())
    assert "it may be a server of plain http" in error.message


@pytest.mark.parametrize("text", [None, "no certificate"])
async def test_certificates_that_cannot_be_read(text: str | None, tmp_path: Path):
    file = tmp_path / "ca.pem"
    if text is not None:
        file.write_text(text)
    provider = openai_late(Network(ca_files=(str(file),)))
    _, error = await outcome(provider)
    assert isinstance(error, ProviderUnavailable)
    assert str(file) in error.message
    assert "network.ca_file" in (error.remedy or "")


def openai_late(network: Network):
    from plimsoll.providers.base import ProviderOptions
    from plimsoll.providers.openai import OpenAI

    return OpenAI(ProviderOptions(name="m", base_url=AWAY, network=network))


def through(proxy: FakeProxy, authority: Authority, login: str = "") -> Network:
    user, _, password = login.partition(":")
    address = proxy.url.replace("//", f"//{user}@") if user else proxy.url
    return Network(proxy=address, password=password, ca_files=(authority.root,))


@pytest.mark.parametrize("login", [None, f"ada:{PASSWORD}"])
async def test_a_model_is_asked_through_a_proxy(login: str | None, authority: Authority):
    async with (
        model_over(authority.context("good")) as port,
        fake_proxy(port, login=login) as proxy,
    ):
        network = through(proxy, authority, login or "")
        provider = openai(AWAY, network=network)
        assert await outcome(provider) == (GOOD, None)
        assert await outcome(provider) == (GOOD, None)
        await provider.close()
        plain = openai(AWAY.replace("https", "http"), network=network)
        assert await outcome(plain) == (GOOD, None)
        await plain.close()
    assert proxy.asked == [
        "CONNECT model.example.invalid:443 HTTP/1.1",
        "POST http://model.example.invalid/v1/chat/completions HTTP/1.1",
    ]
    assert "sk-test" not in proxy.heads[0]


async def test_a_certificate_behind_a_proxy(authority: Authority):
    async with model_over(authority.context("name")) as port, fake_proxy(port) as proxy:
        error = await said(AWAY, through(proxy, authority))
    assert "it is for another host" in error.message
    assert f"through the proxy {proxy.url} (network.proxy)" in error.message


BEHAVIOUR: list[tuple[Manner, str, str]] = [
    ("hangs", "said nothing in", "network.no_proxy"),
    ("cuts", "cut the connection when it was asked for model.example.invalid", "network.no_proxy"),
    ("refuses", "does not let requests through to model.example.invalid (status 403)", "allow"),
    ("fails", "could not reach model.example.invalid (status 502)", "network.no_proxy"),
    ("ntlm", "wants a login by Negotiate, NTLM alone", "px or cntlm"),
]


@pytest.mark.parametrize(("manner", "told", "advice"), BEHAVIOUR, ids=[one[0] for one in BEHAVIOUR])
async def test_what_a_proxy_does_is_said(
    manner: Manner, told: str, advice: str, authority: Authority
):
    async with fake_proxy(manner=manner) as proxy:
        seconds = 0.5 if manner == "hangs" else 60
        error = await said(AWAY, through(proxy, authority), connect_seconds=seconds)
    assert told in error.message
    assert f"he proxy {proxy.url} (network.proxy)" in error.message
    assert advice in (error.remedy or "")


@pytest.mark.parametrize("scheme", ["https", "http"])
@pytest.mark.parametrize(
    ("login", "told"),
    [("", "wants a user and a password (407)"), ("ada:wrong", "does not take the user and the")],
)
async def test_a_proxy_that_wants_a_password(
    login: str, told: str, scheme: str, authority: Authority
):
    async with fake_proxy(login=f"ada:{PASSWORD}") as proxy:
        network = through(proxy, authority, login)
        error = await said(AWAY.replace("https", scheme), network)
    assert told in error.message
    assert "network.proxy_password_env" in (error.remedy or "")
    assert len(proxy.asked) == 1


async def test_a_proxy_that_is_not_there(authority: Authority):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        variables = (("HTTPS_PROXY", f"http://ada:{PASSWORD}@{address[7:]}"),)
        error = await said(AWAY, Network(variables=variables))
    assert (
        error.message
        == f"No connection to the proxy {address} (HTTPS_PROXY): nobody listens there."
    )
    assert "HTTPS_PROXY" in (error.remedy or "")
    unknown = await said(AWAY, Network(proxy="http://proxy.example.invalid:8080"))
    assert "the host name is unknown" in unknown.message


async def test_a_proxy_of_https_is_checked_too(authority: Authority):
    async with model_over(authority.context("name")) as port:
        network = Network(proxy=f"https://127.0.0.1:{port}", ca_files=(authority.root,))
        error = await said(AWAY, network)
    assert f"The certificate of the proxy https://127.0.0.1:{port} (network.proxy)" in error.message


async def test_a_wait_for_a_proxy_that_hangs_can_be_cancelled(authority: Authority):
    async with fake_proxy(manner="hangs") as proxy:
        provider = openai(AWAY, network=through(proxy, authority))
        task = asyncio.create_task(outcome(provider))
        await proxy.came.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await provider.close()
