"""`plimsoll run`, `connect` and `doctor` where a company stands between: a private authority, a
proxy with a password. Each failure names the certificate or the proxy, and the setting."""

import asyncio
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cli.shell import Shell
from providers.networks.certificates import Authority, make_authority
from providers.networks.proxy_server import FakeProxy, fake_proxy, model_over

pytestmark = pytest.mark.slow

AWAY = "https://model.example.invalid/v1"
PASSWORD = "correct-horse-7"
MODEL = {"PLIMSOLL_MODEL__PROVIDER": "openai", "PLIMSOLL_MODEL__NAME": "small"}
COMMANDS = {
    "run": ("run", "hello"),
    "connect": ("connect", "--provider", "openai", "--model", "small", "--base-url"),
    "doctor": ("doctor", "--ask"),
}


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return make_authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
async def port(authority: Authority) -> AsyncIterator[int]:
    async with model_over(authority.context("good")) as port:
        yield port


@pytest.fixture
async def proxy(port: int) -> AsyncIterator[FakeProxy]:
    async with fake_proxy(port, login=f"ada:{PASSWORD}") as proxy:
        yield proxy


async def told(shell: Shell, command: str, url: str, **settings: str) -> tuple[int, str]:
    """The exit code, and all that a person reads, on one line."""
    words = COMMANDS[command]
    words = (*words, url) if command == "connect" else words
    variables = {**MODEL, "PLIMSOLL_MODEL__BASE_URL": url, **settings}
    done = await asyncio.to_thread(shell.run, *words, **variables)
    text = " ".join((done.stdout + done.stderr).decode().split())
    assert "Traceback" not in text
    assert PASSWORD not in text
    assert "Ollama" not in text
    return done.returncode, text


def through(proxy: FakeProxy, authority: Authority, password: str = PASSWORD) -> dict[str, str]:
    return {
        "PLIMSOLL_NETWORK__PROXY": proxy.url.replace("//", "//ada@"),
        "PLIMSOLL_NETWORK__PROXY_PASSWORD_ENV": "PROXY_PASSWORD",
        "PLIMSOLL_NETWORK__CA_FILE": authority.root,
        "PROXY_PASSWORD": password,
    }


@pytest.mark.parametrize("command", COMMANDS)
async def test_an_authority_that_is_not_trusted(command: str, shell: Shell, port: int):
    code, text = await told(shell, command, f"https://127.0.0.1:{port}/v1")
    assert code == 1
    assert "authority that is not trusted" in text
    assert "network.ca_file" in text


@pytest.mark.parametrize("command", COMMANDS)
async def test_a_file_of_certificates_that_is_not_there(command: str, shell: Shell, port: int):
    missing = str(Path(shell.folder) / "no.pem")
    settings = {"PLIMSOLL_NETWORK__CA_FILE": missing}
    code, text = await told(shell, command, f"https://127.0.0.1:{port}/v1", **settings)
    assert code == 1
    assert missing in text
    assert "network.ca_file" in text


@pytest.mark.parametrize("command", COMMANDS)
async def test_a_proxy_that_does_not_take_the_password(
    command: str, shell: Shell, proxy: FakeProxy, authority: Authority
):
    code, text = await told(shell, command, AWAY, **through(proxy, authority, "another-7"))
    assert code == 1
    assert proxy.url in text
    assert "network.proxy_password_env" in text
    assert "another-7" not in text


@pytest.mark.parametrize("command", COMMANDS)
async def test_a_proxy_that_is_not_there(command: str, shell: Shell, authority: Authority):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        gone = FakeProxy(leads_to=0, port=nobody.getsockname()[1])
        code, text = await told(shell, command, AWAY, **through(gone, authority))
    assert code == 1
    assert gone.url in text
    assert "network.proxy" in text


async def test_through_the_proxy_and_by_the_named_authority_a_model_answers(
    shell: Shell, proxy: FakeProxy, authority: Authority
):
    code, text = await told(shell, "run", AWAY, **through(proxy, authority))
    assert code == 0, text
    assert {line.split()[1] for line in proxy.asked} == {"model.example.invalid:443"}
