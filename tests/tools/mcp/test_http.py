"""Requests to servers at addresses: checked, through the person's proxy, trusted, and bounded."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import httpx2
import pytest
import pytest_asyncio

from plimsoll.network.checked import Reach
from plimsoll.network.proxies import Network
from plimsoll.tools.mcp.client import http
from plimsoll.tools.mcp.client.http import open_client, open_transport
from providers.networks.certificates import Authority, make_authority
from providers.networks.proxy_server import fake_proxy
from tools.web.pages import NAME, packed, page, redirect, resolving, serving

HERE = "127.0.0.1"


class Client:
    """Sends requests by a transport of ours, and notes whether a conversation was lost."""

    def __init__(self, ends: AsyncExitStack) -> None:
        self._ends = ends
        self.lost = asyncio.Event()

    async def get(self, url: str, reach: Reach, **headers: str) -> httpx2.Response:
        transport = await self._ends.enter_async_context(open_transport(reach, self.lost))
        client = await self._ends.enter_async_context(open_client(transport))
        return await client.get(url, headers=headers)

    async def why(self, url: str, reach: Reach, **headers: str) -> str:
        """Why a request was not answered."""
        answer = await self.get(url, reach, **headers)
        assert answer.status_code == 502
        return answer.json()["error"]["message"]


@pytest_asyncio.fixture
async def client() -> AsyncIterator[Client]:
    async with AsyncExitStack() as ends:
        yield Client(ends)


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return make_authority(tmp_path_factory.mktemp("authority"))


def reach_of(*allowed: str, network: Network | None = None, **names: str) -> Reach:
    found = {name.replace("_", "."): [address] for name, address in names.items()}
    resolve = resolving({HERE: [HERE], NAME: [HERE], **found})
    return Reach(network=network or Network(), allowed=frozenset(allowed), resolve=resolve)


async def test_a_host_that_was_named_is_reached_and_no_other_of_a_private_network(client: Client):
    async with serving() as pages:
        url = f"http://{NAME}:{pages.port}/"
        assert (await client.get(url, reach_of(NAME))).text == "Ships."
        assert await client.why(url, reach_of("other.example")) == (
            f"{NAME} is 127.0.0.1, which is not an address of the public Internet"
        )
        assert len(pages.heads) == 1


@pytest.mark.slow
async def test_the_certificate_is_that_of_the_name_and_of_the_settings(
    client: Client, authority: Authority
):
    async with serving(authority.context("good")) as pages:
        url = f"https://{NAME}:{pages.port}/"
        trusted = Network(ca_files=(authority.root,))
        assert (await client.get(url, reach_of(NAME, network=trusted))).text == "Ships."
        assert pages.names == [NAME]
        assert "its certificate is not trusted" in await client.why(url, reach_of(NAME))


async def test_a_proxy_is_asked_for_a_tunnel_to_the_checked_address(client: Client):
    async with serving() as pages, fake_proxy(pages.port) as proxy:
        reach = reach_of("far.example", network=Network(proxy=proxy.url), far_example="10.0.0.7")
        answer = await client.get("http://far.example:8080/", reach)
    assert answer.text == "Ships."
    assert proxy.asked == ["CONNECT 10.0.0.7:8080 HTTP/1.1"]


async def test_a_packed_answer_is_not_unpacked(client: Client):
    async with serving() as pages:
        pages.answers["/"] = packed(b"x" * 100)
        told = await client.why(f"http://{HERE}:{pages.port}/", reach_of(HERE))
    assert told == "127.0.0.1 answered in a packing that is not read"
    assert "Accept-Encoding: identity" in pages.heads[0]


async def test_a_long_answer_ends_at_the_limit_but_not_a_stream_of_events(
    client: Client, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(http, "LONGEST_BODY", 50_000)
    async with serving() as pages:
        pages.answers["/json"] = page(b"x" * 200_000, "application/json")
        pages.answers["/events"] = page(b"x" * 200_000, "text/event-stream")
        url = f"http://{HERE}:{pages.port}"
        assert len((await client.get(f"{url}/json", reach_of(HERE))).content) <= 50_000
        assert len((await client.get(f"{url}/events", reach_of(HERE))).content) == 200_000


async def test_a_connection_that_breaks_is_an_answer_that_is_not_whole(client: Client):
    async with serving() as pages:
        pages.answers["/"] = page(b"x" * 100, "text/plain")[:-50]
        answer = await client.get(f"http://{HERE}:{pages.port}/", reach_of(HERE))
    assert answer.text == "x" * 50


async def test_no_redirect_is_followed_by_the_client_itself(client: Client):
    async with serving() as pages:
        pages.answers["/"] = redirect("http://169.254.169.254/latest")
        answer = await client.get(f"http://{HERE}:{pages.port}/", reach_of(HERE))
    assert answer.status_code == 302
    assert len(pages.heads) == 1


async def test_a_conversation_that_the_server_does_not_know_is_lost(client: Client):
    async with serving() as pages:
        pages.answers["/"] = page(b"{}", "application/json", status="404 Not Found")
        url = f"http://{HERE}:{pages.port}/"
        assert (await client.get(url, reach_of(HERE))).status_code == 404
        assert not client.lost.is_set()
        told = await client.why(url, reach_of(HERE), **{"mcp-session-id": "1"})
    assert told == "it no longer knows the conversation"
    assert client.lost.is_set()
