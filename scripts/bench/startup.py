"""Spawn to `initialize`, and the round trip of a custom request, against a minimal pygls server.

Both servers run in the same session, in turns, so that a busy machine is busy for both.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MINIMAL = """
from pygls.lsp.server import LanguageServer

server = LanguageServer("minimal", "1")


@server.feature("bench/echo")
async def echo(params):
    return {}


server.start_io()
"""
SERVERS = {
    "minimal pygls": ([sys.executable, "-c", MINIMAL], "bench/echo"),
    "plimsoll": ([sys.executable, "-m", "plimsoll", "serve"], "plimsoll/status"),
}
INITIALIZE = {"processId": None, "rootUri": None, "capabilities": {}}


class Server:
    """One server process, asked one thing after the other."""

    def __init__(self, argv: list[str], environment: dict[str, str]) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            argv, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environment
        )

    def send(self, **message: object) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def ask(self, request_id: int, method: str, params: object) -> dict[str, object]:
        self.send(id=request_id, method=method, params=params)
        while True:
            message = self.read()
            if message.get("id") == request_id and "method" not in message:
                return message

    def read(self) -> dict[str, object]:
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        if not length:
            raise SystemExit(f"{self.process.args} ended: {self.process.wait()}")
        return json.loads(self.process.stdout.read(length))


@contextmanager
def started(argv: list[str]) -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as home, ended(Server(argv, home_in(home))) as server:
        server.ask(0, "initialize", INITIALIZE)
        yield server
        server.ask(-1, "shutdown", None)
        server.send(method="exit")
        server.process.wait(10)


@contextmanager
def ended(server: Server) -> Iterator[Server]:
    try:
        yield server
    finally:
        server.process.kill()
        server.process.communicate()


def home_in(folder: str) -> dict[str, str]:
    """A home of its own, so that no store and no settings of a person are touched."""
    return {**os.environ, "HOME": folder, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder}


def start_up(argv: list[str], method: str) -> tuple[float, float, float]:
    """Milliseconds from the start of the process to the answer of `initialize`, and CPU till then.

    And those of the clock to the answer of a first custom request.

    The time of the clock is the promise; that of the processor is steadier on a busy machine.
    """
    begun = time.perf_counter()
    with started(argv) as server:
        answered, spent = time.perf_counter(), processor(server.process.pid)
        server.ask(1, method, {})
        first = time.perf_counter()
    return (answered - begun) * 1000, spent, (first - begun) * 1000


def processor(pid: int) -> float:
    """Milliseconds that a process has computed, as Linux counts them: in steps of 10."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def round_trips(argv: list[str], method: str, count: int) -> list[float]:
    """Microseconds of each of so many custom requests, one after the other."""
    with started(argv) as server:
        server.send(method="initialized", params={})
        server.ask(1, method, {})
        times: list[float] = []
        for number in range(count):
            begun = time.perf_counter()
            server.ask(number + 2, method, {})
            times.append((time.perf_counter() - begun) * 1e6)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=11, help="starts of each server")
    parser.add_argument("--requests", type=int, default=500, help="requests to each server")
    options = parser.parse_args()
    starts: dict[str, list[tuple[float, float]]] = {name: [] for name in SERVERS}
    firsts: dict[str, list[float]] = {name: [] for name in SERVERS}
    for _ in range(options.starts):
        for name, (argv, method) in SERVERS.items():
            clock, spent, first = start_up(argv, method)
            starts[name].append((clock, spent))
            firsts[name].append(first)
    for name, (argv, method) in SERVERS.items():
        trips = sorted(round_trips(argv, method, options.requests))
        clock, spent = medians(starts[name])
        median, worst = statistics.median(trips), trips[int(len(trips) * 0.99)]
        print(f"{name:14} initialize {clock:6.0f} ms (CPU {spent:6.0f} ms)")
        print(f"               {method} p50 {median:5.0f} us, p99 {worst:5.0f} us")
    plain, ours = (medians(starts[name]) for name in SERVERS)
    ratio, spent = ours[0] / plain[0], ours[1] / plain[1]
    print(f"ratio of the medians {ratio:.2f}, at most 0.5 (CPU {spent:.2f})")
    plain, ours = (statistics.median(firsts[name]) for name in SERVERS)
    print(f"first custom request answered: {plain:.0f} and {ours:.0f} ms after the start")


def medians(starts: list[tuple[float, float]]) -> tuple[float, float]:
    clock, spent = zip(*starts, strict=True)
    return statistics.median(clock), statistics.median(spent)


if __name__ == "__main__":
    main()
