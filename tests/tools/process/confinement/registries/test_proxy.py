"""The proxy to package registries against hostile clients; everything stays on loopback."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

import pytest
import pytest_asyncio

from plimsoll.network.environment import proxy_variables
from plimsoll.network.proxies import Network
from plimsoll.network.resolving import Address
from plimsoll.tools.process.confinement.registries.hosts import Registries
from plimsoll.tools.process.confinement.registries.proxy import RegistryProxy
from plimsoll.tools.process.confinement.registries.record import MOST_REFUSALS, RegistryRefusal
from plimsoll.tools.process.confinement.registries.relay import (
    ProxyBounds,
    TooMuch,
    Volume,
    relay,
)
from plimsoll.tools.process.confinement.registries.upstream import MOST, WayOut
from tools.process.confinement.registries.hellos import hello

LISTED = "packages.example.org"
CONNECT = f"CONNECT {LISTED}:443 HTTP/1.1\r\nHost: {LISTED}:443\r\n\r\n".encode()
GET = f"GET http://{LISTED}/a HTTP/1.1\r\nHost: {LISTED}\r\n\r\n".encode()
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
FIRST = hello(LISTED)
SECONDS = 120


@dataclass
class FakeRegistry:
    """Keeps what each connection brought; answers once a head or a first message was there."""

    answer: bytes | None = ANSWER
    """None: it never answers."""
    heard: list[bytes] = field(default_factory=list)
    address: Address = ("", 0)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.heard.append(b"")
        at = len(self.heard) - 1
        answered = False
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                self.heard[at] += data
                if self.answer is not None and not answered:
                    answered = True
                    writer.write(self.answer)
                    writer.write_eof()
        writer.close()


@dataclass
class Gate:
    """A proxy that listens on this machine's loopback, as it never does outside of tests."""

    registry: FakeRegistry
    proxy: RegistryProxy
    port: int

    async def ask(self, *pieces: bytes) -> bytes:
        """Send pieces one after another, and return all that comes back."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
            async with asyncio.timeout(SECONDS):
                return await reader.read()
        except ConnectionError:
            return b""
        finally:
            writer.close()

    @property
    def refused(self) -> list[RegistryRefusal]:
        return self.proxy.record.noted


@pytest_asyncio.fixture
async def registry() -> AsyncIterator[FakeRegistry]:
    fake = FakeRegistry()
    server = await asyncio.start_server(fake.serve, "127.0.0.1", 0)
    fake.address = server.sockets[0].getsockname()
    async with server:
        yield fake


@asynccontextmanager
async def gate(
    registry: FakeRegistry,
    bounds: ProxyBounds | None = None,
    *,
    leads_to: str | None = None,
    environment: dict[str, str] | None = None,
    places: asyncio.Semaphore | None = None,
) -> AsyncIterator[Gate]:
    async def resolve(host: str, port: int) -> Sequence[Address]:
        return [(leads_to or registry.address[0], registry.address[1])]

    shared = places or asyncio.Semaphore(MOST)
    network = Network(variables=proxy_variables(environment or {}))
    way_out = WayOut(network=lambda: network, resolve=resolve, places=shared)
    proxy = RegistryProxy(Registries((LISTED,)), way_out, bounds)
    ours, theirs = socket.socketpair()
    with ours, theirs, socket.create_server(("127.0.0.1", 0)) as listener:
        socket.send_fds(theirs, [b"l"], [listener.fileno()])
        proxy.start(ours)
        yield Gate(registry, proxy, listener.getsockname()[1])
        await proxy.close()


async def test_a_tunnel_carries_what_it_is_given(registry):
    async with gate(registry) as there:
        first = hello(LISTED)
        answer = await there.ask(CONNECT, first[:7], first[7:], b"more")
    assert answer == b"HTTP/1.1 200 Connection established\r\n\r\n" + ANSWER
    assert registry.heard[0].startswith(first)
    assert there.refused == []


async def test_a_tunnel_stays_while_each_side_answers_the_other():
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data)
        writer.close()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    async with server, gate(FakeRegistry(address=server.sockets[0].getsockname())) as there:
        reader, writer = await asyncio.open_connection("127.0.0.1", there.port)
        async with asyncio.timeout(SECONDS):
            writer.write(CONNECT)
            await reader.readuntil(b"\r\n\r\n")
            for said in (FIRST, b"one", b"two"):
                writer.write(said)
                assert await reader.readexactly(len(said)) == said
        writer.close()


async def test_of_a_tunnel_that_is_cut_nothing_goes_on():
    async with AsyncExitStack() as stack:
        ends = [end for _ in range(2) for end in socket.socketpair()]
        client, theirs, registry, far = [await asyncio.open_connection(sock=end) for end in ends]
        for _, writer in (client, theirs, registry, far):
            stack.callback(writer.close)
        far[1].write(b"more than one")

        with pytest.raises(TooMuch):
            await relay(client, registry, Volume(ProxyBounds(fetched_bytes=1)), sends=True)

        assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_plain_request_is_the_only_one(registry):
    """What follows it in the same connection never arrives, whatever it is."""
    async with gate(registry) as there:
        answer = await there.ask(GET + GET + b"PUT / HTTP/1.1\r\nHost: example.org\r\n\r\n", GET)
    assert answer == ANSWER
    head = f"GET /a HTTP/1.1\r\nHost: {LISTED}\r\nConnection: close\r\n\r\n"
    assert registry.heard == [head.encode()]


async def test_a_redirect_is_the_client_s_to_follow(registry):
    registry.answer = b"HTTP/1.1 302 Found\r\nLocation: http://example.org/\r\n\r\n"
    async with gate(registry) as there:
        assert await there.ask(GET) == registry.answer
        followed = await there.ask(b"GET http://example.org/ HTTP/1.1\r\n\r\n")
    assert followed.startswith(b"HTTP/1.1 403 ")
    assert len(registry.heard) == 1
    assert there.refused == [RegistryRefusal("unlisted", "example.org")]


REFUSED = {
    "another host": (b"CONNECT example.org:443 HTTP/1.1\r\n\r\n", "unlisted"),
    "an ending": (f"CONNECT x.{LISTED}:443 HTTP/1.1\r\n\r\n".encode(), "unlisted"),
    "this machine": (b"CONNECT localhost:443 HTTP/1.1\r\n\r\n", "unlisted"),
    "another port": (f"CONNECT {LISTED}:22 HTTP/1.1\r\n\r\n".encode(), "port"),
    "a tunnel for plain http": (f"CONNECT {LISTED}:80 HTTP/1.1\r\n\r\n".encode(), "port"),
    "plain http for TLS": (f"GET http://{LISTED}:443/ HTTP/1.1\r\n\r\n".encode(), "port"),
    "plain http of who has none": (b"GET http://pypi.org/ HTTP/1.1\r\n\r\n", "port"),
    "an address": (b"CONNECT 127.0.0.1:443 HTTP/1.1\r\n\r\n", "malformed"),
    "a body": (GET[:-2] + b"Content-Length: 4\r\n\r\nGET ", "malformed"),
    "junk": (bytes(range(256)) + b"\r\n\r\n", "malformed"),
    "a head without an end": (b"GET " + b"a" * 100_000, "malformed"),
    "a long head": (CONNECT[:-2] + b"X: " + b"a" * 20_000 + b"\r\n\r\n", "malformed"),
    "TLS to the proxy": (hello(LISTED) + b"\r\n\r\n", "malformed"),
}


@pytest.mark.parametrize("name", REFUSED)
async def test_what_no_registry_is_gets_an_answer_and_no_connection(registry, name):
    request, kind = REFUSED[name]
    async with gate(registry) as there:
        answer = await there.ask(request)
    assert answer.startswith((b"HTTP/1.1 403 ", b"HTTP/1.1 400 "))
    assert answer.endswith(b".\n")
    assert registry.heard == []
    assert [one.kind for one in there.refused] == [kind]


@pytest.mark.parametrize(
    "first", [hello("example.org"), hello(None), b"GET / HTTP/1.1\r\n\r\n", b"SSH-2.0-x\r\n"]
)
async def test_a_tunnel_to_another_server_is_cut(registry, first):
    async with gate(registry) as there:
        answer = await there.ask(CONNECT, first)
    assert answer in (b"HTTP/1.1 200 Connection established\r\n\r\n", b"")
    assert registry.heard in ([], [b""])
    assert there.refused == [RegistryRefusal("server", LISTED)]


@pytest.mark.parametrize(
    ("host", "leads_to"),
    [("pypi.org", None), ("pypi.org", "10.0.0.1"), (LISTED, "169.254.169.254"), (LISTED, "::")],
)
async def test_a_name_that_leads_into_a_private_network_is_not_followed(registry, host, leads_to):
    async with gate(registry, leads_to=leads_to) as there:
        answer = await there.ask(f"CONNECT {host}:443 HTTP/1.1\r\n\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 403 ")
    assert there.refused == [RegistryRefusal("address", host)]
    assert registry.heard == []


async def test_who_does_not_say_what_they_want_is_not_waited_for(registry):
    bounds = ProxyBounds(first_seconds=1.0, connections=1)
    async with gate(registry, bounds) as there:
        assert await there.ask() == b""
        assert await there.ask(CONNECT[:-3]) == b""
        silent = b"HTTP/1.1 200 Connection established\r\n\r\n"
        assert await there.ask(CONNECT, hello(LISTED)[:9]) == silent
        # Each had the one place, and gave it back.
        assert await there.ask(GET) == ANSWER


async def test_a_registry_that_does_not_answer_is_not_waited_for(registry):
    registry.answer = None
    async with gate(registry, ProxyBounds(idle_seconds=0.05)) as there:
        assert await there.ask(GET) == b""


async def test_no_more_is_sent_than_fetching_takes(registry):
    registry.answer = None
    async with gate(registry, ProxyBounds(sent_bytes=100_000)) as there:
        await there.ask(CONNECT, hello(LISTED), bytes(150_000))
        assert sum(map(len, registry.heard)) <= 100_000
        # Nor in pieces that are small enough each.
        assert (await there.ask(GET)).startswith(b"HTTP/1.1 403 ")
    assert {one.kind for one in there.refused} == {"volume"}


@pytest.mark.slow
async def test_a_thousand_connections_wait_for_a_place(registry):
    async with gate(registry, ProxyBounds(connections=4)) as there:
        waiting = asyncio.Semaphore(200)

        async def one(number: int) -> bytes:
            async with waiting:
                return await there.ask(GET if number % 2 else b"junk\r\n\r\n")

        answers = await asyncio.gather(*map(one, range(1000)))
        assert answers.count(ANSWER) == 500
        assert sum(one.startswith(b"HTTP/1.1 400") for one in answers) == 500


async def test_all_commands_share_their_places(registry):
    """Each connection takes two descriptors of the server, which has other things to open."""
    registry.answer = None
    places = asyncio.Semaphore(2)
    async with gate(registry, places=places) as one, gate(registry, places=places) as other:
        asking = [asyncio.ensure_future(each.ask(GET)) for each in (one, other) * 3]
        while len(registry.heard) < 2:
            await asyncio.sleep(0)
        assert places.locked()
        for _ in range(100):
            await asyncio.sleep(0)
        assert len(registry.heard) == 2
        for each in asking:
            each.cancel()
        await one.proxy.close()
        await other.proxy.close()
    assert not places.locked()


async def test_a_command_that_has_asked_nothing_gives_its_place_back(registry):
    places = asyncio.Semaphore(1)
    async with gate(registry, places=places):
        while not places.locked():
            await asyncio.sleep(0)
    assert not places.locked()


async def test_what_is_said_of_it_has_an_end(registry):
    async with gate(registry) as there:
        for number in range(3 * MOST_REFUSALS):
            await there.ask(f"CONNECT a{number}.example.org:443 HTTP/1.1\r\n\r\n".encode())
    assert len(there.refused) == MOST_REFUSALS
    assert len(there.proxy.record.new()) == MOST_REFUSALS
    assert there.proxy.record.new() == ()


async def test_it_ends_with_its_command(registry):
    registry.answer = None
    async with gate(registry) as there:
        reader, writer = await asyncio.open_connection("127.0.0.1", there.port)
        writer.write(GET)
        while not registry.heard:
            await asyncio.sleep(0)
        await there.proxy.close()
        with contextlib.suppress(ConnectionError):
            assert await reader.read() == b""
        writer.close()


async def test_without_a_socket_that_is_said():
    proxy = RegistryProxy(Registries(), WayOut())
    ours, theirs = socket.socketpair()
    theirs.close()
    with ours:
        proxy.start(ours)
        while not proxy.record.noted:
            await asyncio.sleep(0)
        await proxy.close()
    assert proxy.record.noted == [RegistryRefusal("unheard")]


@pytest.mark.parametrize("request_", [CONNECT, GET])
async def test_a_company_s_proxy_is_the_way_out(registry, request_, caplog):
    answer = b"HTTP/1.1 200 Fine\r\n\r\n" if request_ is CONNECT else ANSWER
    secret = "pa%20ss-W0rd"
    address = f"http://me:{secret}@127.0.0.1:{{}}"

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(answer)
        if request_ is CONNECT:
            heard.append(await reader.read(65536))
        writer.close()

    heard: list[bytes] = []
    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        named = address.format(server.sockets[0].getsockname()[1])
        environment = {"HTTPS_PROXY": named, "http_proxy": named, "NO_PROXY": "example.com"}
        async with gate(registry, environment=environment) as there:
            told = await there.ask(request_, *([FIRST] if request_ is CONNECT else []))
    assert registry.heard == []
    assert b"Proxy-Authorization: Basic bWU6cGEgc3MtVzByZA==\r\n" in heard[0]
    if request_ is CONNECT:
        assert heard[0].startswith(f"CONNECT {LISTED}:443 HTTP/1.1\r\n".encode())
        assert heard[1] == FIRST
    else:
        assert heard[0].startswith(f"GET http://{LISTED}/a HTTP/1.1\r\n".encode())
        assert told == ANSWER
    assert "W0rd" not in caplog.text
    assert "bWU6" not in caplog.text


async def test_what_no_proxy_is_for_is_reached_directly(registry):
    environment = {"ALL_PROXY": "http://127.0.0.1:1", "NO_PROXY": "a.example, .example.org"}
    async with gate(registry, environment=environment) as there:
        assert await there.ask(GET) == ANSWER


@pytest.mark.parametrize(
    "address", ["socks5://127.0.0.1:1", "http://127.0.0.1:0x", "http://", "http://127.0.0.1:1"]
)
async def test_a_company_s_proxy_that_does_not_work_is_said(registry, address):
    async with gate(registry, environment={"all_proxy": address}) as there:
        answer = await there.ask(GET)
    assert answer.startswith(b"HTTP/1.1 502 ")
    assert registry.heard == []
