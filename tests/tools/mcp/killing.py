"""Hosts of servers that are killed at any moment, and what is left of them.

``python killing.py`` loads all once, then forks a host for each line on its standard input: a JSON
object with the folder, a mark for the environment of its servers, and how they behave. It answers
with the number of the host's process; the host says ``ready`` on its standard output when it is.
"""

import asyncio
import importlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

Victim = Literal["host", "server", "grandchild", "nobody"]
VICTIMS: tuple[Victim, ...] = ("host", "server", "grandchild", "nobody")
"""``nobody``: the host is asked to end, and ends its servers."""
SCRIPTED = Path(__file__).with_name("scripted.py")
MARK = "PLIMSOLL_TEST_MARK"
SECONDS = 120.0
"""A safety net: it takes three at most."""


def main() -> None:
    importlib.import_module("plimsoll.tools.mcp.client.owner")
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        ready, told = os.pipe()
        process = os.fork()
        if not process:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.close(ready)
            asyncio.run(host(json.loads(line), told))
            os._exit(0)
        os.close(told)
        sys.stdout.write(f"{process} {ready} {os.getpid()}\n")
        sys.stdout.flush()


async def host(asked: dict[str, str], told: int) -> None:
    """Run two servers until the process is asked to end."""
    from plimsoll.tools.mcp.host import Host, HostNeeds
    from plimsoll.tools.ports.mcp import McpListener, McpServer
    from plimsoll.tools.process.supervision.fork_server import ForkServer

    servers = [
        McpServer(
            name=name,
            command=(sys.executable, "-S", str(SCRIPTED), "forks", *asked["behaviour"].split()),
            environment={MARK: asked["mark"]},
        )
        for name in ("one", "two")
    ]
    fork_server = ForkServer()
    folder = Path(asked["folder"])
    needs = HostNeeds(root=folder, data=folder / "mcp", fork_server=fork_server)
    hosting = Host(lambda: servers, needs)
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    offers = await hosting.start()
    os.write(told, b"ready")
    waiting = [
        asyncio.ensure_future(hosting.call(tool, {}, McpListener()))
        for offer in offers
        for tool in offer.tools
        if tool.name == "wait"
    ]
    await ended.wait()
    await hosting.close()
    fork_server.close()
    await asyncio.gather(*waiting, return_exceptions=True)


class Killing:
    """Kills hosts and what belongs to them; opened by ``killing``."""

    def __init__(self, process: "subprocess.Popen[str]", folder: Path) -> None:
        self._process = process
        self._folder = folder
        self._cases = 0

    def kill(self, victim: Victim, chance: random.Random) -> list[int]:
        """Kill one process of a new host, then end the host; return what lives after that."""
        self._cases += 1
        mark = f"{os.getpid()}-{id(self)}-{self._cases}"
        behaviour = chance.choice(["", "stays", "deaf", "deaf stays"])
        asked = {"folder": str(self._folder), "mark": mark, "behaviour": behaviour}
        host, ready = self._fork(asked)
        moment = chance.random()
        if moment < 0.3:
            # While it starts, after at most as long as that takes.
            time.sleep(chance.random() * 0.6)
        else:
            assert ready.read(5) == b"ready"
        ready.close()
        seen = [host, *below(host)]
        targets = _victims(victim, host, mark)
        # While a server starts, one of its processes may have ended since it was seen.
        with suppress(ProcessLookupError):
            if targets:
                os.kill(chance.choice(targets), signal.SIGKILL)
        if victim != "host":
            # What had to go with its victim has the time of the host's end for it.
            os.kill(host, signal.SIGTERM)
        left = left_of(mark, seen)
        for process in left:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        return left

    def _fork(self, asked: dict[str, str]) -> tuple[int, IO[bytes]]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        host, descriptor, parent = self._process.stdout.readline().split()
        return int(host), Path(f"/proc/{parent}/fd/{descriptor}").open("rb", buffering=0)


@contextmanager
def killing(folder: Path) -> Iterator[Killing]:
    """Load what hosts need, once for all that are killed."""
    process = subprocess.Popen(
        [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        yield Killing(process, folder)
    finally:
        process.kill()
        process.communicate()


def _victims(victim: Victim, host: int, mark: str) -> list[int]:
    found, children = marked(mark), below(host)
    match victim:
        case "host":
            return [host]
        case "server":
            return [one for one in found if parent_of(one) in set(children) - set(found)]
        case "grandchild":
            return [one for one in found if parent_of(one) in found]
        case "nobody":
            return []


@dataclass(frozen=True)
class _Process:
    state: str
    parent: int


def _read(process: int) -> _Process | None:
    try:
        state, parent, *_ = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return _Process(state, int(parent))


def parent_of(process: int) -> int:
    """The process that waits for one; 0 when it is gone."""
    found = _read(process)
    return found.parent if found else 0


def _all() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def below(process: int) -> list[int]:
    """The processes below one, the nearest first."""
    parents: dict[int, list[int]] = {}
    for one in sorted(_all()):
        parents.setdefault(parent_of(one), []).append(one)
    found, left = list[int](), [process]
    while left:
        children = parents.get(left.pop(0), [])
        found += children
        left += children
    return found


def lives(process: int) -> bool:
    """Whether a process runs; one that only waits to be reaped does not."""
    found = _read(process)
    return found is not None and found.state not in "ZX"


def marked(mark: str) -> list[int]:
    """The processes that have the mark in their environment, and run."""
    told = f"{MARK}={mark}\0".encode()
    found = list[int]()
    for process in _all():
        with suppress(OSError):
            if told in Path(f"/proc/{process}/environ").read_bytes() and lives(process):
                found.append(process)
    return found


def left_of(mark: str, seen: Sequence[int] = ()) -> list[int]:
    """Wait until none with the mark, and none of those that were seen, runs; return who does."""
    until = time.monotonic() + SECONDS
    while left := sorted({*filter(lives, seen), *marked(mark)}):
        if time.monotonic() > until:
            return left
        time.sleep(0.02)
    return []


if __name__ == "__main__":
    main()
