"""Three hundred addresses and names that lead into private networks: none is connected to."""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from plimsoll.errors import ToolFailed
from plimsoll.network.proxies import Network
from plimsoll.network.resolving import Resolver
from plimsoll.tools.web.address import web_address
from plimsoll.tools.web.fetching import fetch
from providers.networks.proxy_server import FakeProxy
from tools.web.pages import NAME, redirect, resolving, serving, web

pytestmark = pytest.mark.slow

PRIVATE_4 = (
    *("127.0.0.1", "127.8.9.1", "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.254", "172.16.0.1"),
    *("172.31.255.1", "192.168.0.1", "192.168.255.1", "100.64.0.1", "100.100.100.200"),
    *("169.254.169.254", "169.254.170.2", "192.0.0.1", "192.0.0.192", "192.0.2.1", "192.88.99.1"),
    *("198.18.0.1", "198.19.255.1", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.250"),
    *("240.0.0.1", "255.255.255.255", "168.63.129.16"),
)
PRIVATE_6 = (
    *("::", "::1", "fe80::1", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1", "ff0e::1"),
    *("::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::7f00:1"),
    *("64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b::a00:1", "64:ff9b:1::1"),
    *("2002:7f00:1::", "2002:a9fe:a9fe::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:db8::1"),
    *("2001:2::1", "2001:10::1", "3fff::1", "5f00::1", "100::1", "2606:4700::5efe:7f00:1"),
    *("2606:4700::200:5efe:a00:1", "fe80::5efe:7f00:1"),
)
ODD = (
    *("0x7f.1", "2130706433", "0177.0.0.1", "127.1", "127.0.1", "0x7f000001", "0x7f.0.0.1", "0"),
    *("017700000001", "0x0", "0x0a000001", "167772161", "0xa9fea9fe", "2852039166", "10.1"),
    *("0300.0250.0.1", "0xc0a80001", "3232235521", "127.0.0.1.", "0x7f.0x0.0x0.0x1", "0177.1"),
)
NAMED = {f"n{number}.example.org": [one] for number, one in enumerate((*PRIVATE_4, *PRIVATE_6))}
MIXED = {
    f"m{number}.example.org": [f"93.184.216.34,{one}"]
    for number, one in enumerate((*PRIVATE_4, *PRIVATE_6))
}


def hosts() -> Iterator[str]:
    yield from PRIVATE_4
    yield from (f"[{one}]" for one in PRIVATE_6)
    yield from ODD
    yield from NAMED
    yield from MIXED


ADDRESSES = [f"{scheme}://{host}/" for host in hosts() for scheme in ("http", "https")]
_connected: list[object] = []
_watches: list[bool] = []


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if event == "socket.connect" and _watches:
        _connected.append(arguments[1])


sys.addaudithook(_watch)


@contextmanager
def connections() -> Iterator[list[object]]:
    """Whatever any socket of this process connects to meanwhile."""
    _connected.clear()
    _watches.append(True)
    try:
        yield _connected
    finally:
        _watches.clear()


async def resolve(host: str, port: int):
    """Names as the tests have them, and numbers as this machine reads them."""
    known = {**NAMED, **MIXED}
    find = resolving(known) if host in known else Resolver().resolve
    return await find(host, port)


async def test_none_of_three_hundred_addresses_is_connected_to():
    assert len(ADDRESSES) >= 300
    reach = web(resolve, allow_hosts=()).reach()
    with connections() as made:
        for text in ADDRESSES:
            with pytest.raises(ToolFailed):
                await fetch(web_address(text), reach)
    assert made == []


async def test_what_sees_connections_sees_one():
    async with serving() as pages:
        with connections() as made:
            await fetch(web_address(f"http://{NAME}:{pages.port}/"), web().reach())
    assert made == [("127.0.0.1", pages.port)]


async def test_no_redirect_leads_to_one():
    async with serving() as pages:
        start = f"http://{NAME}:{pages.port}"
        for number, text in enumerate(ADDRESSES):
            pages.answers[f"/{number}"] = redirect(text)
        with connections() as made:
            for number in range(len(ADDRESSES)):
                with pytest.raises(ToolFailed, match=r"another site|not fetched|not an address"):
                    await fetch(web_address(f"{start}/{number}"), web().reach())
    assert set(made) == {("127.0.0.1", pages.port)}
    assert len(made) == len(pages.heads) == len(ADDRESSES)


async def test_a_name_that_leads_elsewhere_a_moment_later_leads_nowhere():
    """The first page is asked at the checked address, its redirect finds the name changed."""
    public, name = "93.184.216.34", "rebinding.example.org"
    proxy = FakeProxy(0)
    async with (
        serving() as pages,
        await asyncio.start_server(proxy.attend, "127.0.0.1", 0) as listening,
    ):
        pages.answers["/"] = redirect("/again")
        proxy.leads_to, proxy.port = pages.port, listening.sockets[0].getsockname()[1]
        there = web(resolving({name: [public, "127.0.0.1"]}), Network(proxy=proxy.url))
        with connections() as made, pytest.raises(ToolFailed, match=r"is 127\.0\.0\.1"):
            await fetch(web_address(f"http://{name}/"), there.reach())
    assert proxy.asked == [f"CONNECT {public}:80 HTTP/1.1"]
    assert [head.split("\r\n")[1] for head in pages.heads] == [f"Host: {name}"]
    # The proxy, and from there the page.
    assert made == [("127.0.0.1", proxy.port), ("127.0.0.1", pages.port)]


async def test_a_host_that_a_person_allows_may_be_a_machine_and_no_service_of_a_cloud():
    there = web(resolving({NAME: ["169.254.169.254"]}))
    with connections() as made, pytest.raises(ToolFailed, match="not an address of the public"):
        await fetch(web_address(f"http://{NAME}/"), there.reach())
    assert made == []


@pytest.mark.parametrize(
    "host",
    ["localhost", "intranet", "metadata.google.internal", "127.1", "0x7f.1", "printer.local"],
)
async def test_a_proxy_that_resolves_is_given_no_inner_name(host):
    proxy = FakeProxy(0)
    async with await asyncio.start_server(proxy.attend, "127.0.0.1", 0) as listening:
        proxy.port = listening.sockets[0].getsockname()[1]
        network = Network(proxy=proxy.url, proxy_loopback=True)
        there = web(Resolver().resolve, network, proxy_resolves=True)
        with pytest.raises(ToolFailed):
            await fetch(web_address(f"http://{host}/"), there.reach())
    assert proxy.asked == []


async def test_a_proxy_that_resolves_is_given_the_name_alone():
    proxy = FakeProxy(0)
    async with (
        serving() as pages,
        await asyncio.start_server(proxy.attend, "127.0.0.1", 0) as listening,
    ):
        proxy.leads_to, proxy.port = pages.port, listening.sockets[0].getsockname()[1]
        there = web(resolving({}), Network(proxy=proxy.url), proxy_resolves=True)
        answer = await fetch(web_address("http://docs.example.org/a"), there.reach())
    assert answer.body == b"Ships."
    assert proxy.asked == ["CONNECT docs.example.org:80 HTTP/1.1"]


async def test_a_proxy_of_another_kind_is_not_used():
    there = web(resolving({}), Network(proxy="socks5h://127.0.0.1:1"))
    with pytest.raises(ToolFailed, match="begins with http://"):
        await fetch(web_address("http://docs.example.org/a"), there.reach())
