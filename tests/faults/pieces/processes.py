"""Eight servers that write to the store of one folder at the same time."""

import random
import threading
import time
from contextlib import ExitStack

from faults.piece import Piece, Run, quantile
from faults.server import Died, Mortal, started
from faults.work import NAMES

SERVERS = 8
MOST_SECONDS = 2.0


def run(found: Run) -> None:
    """Each case is a round: one write of every server."""
    with ExitStack() as stack:
        servers = [
            stack.enter_context(started(found.folder, {"mode": "echo"})) for _ in range(SERVERS)
        ]
        writers = [Writer(server, index) for index, server in enumerate(servers)]
        together(writers, lambda writer: writer.open())
        rounds = list(found.each())
        together(writers, lambda writer: writer.write(rounds))
        waits = [wait for writer in writers for wait in writer.waits]
        for writer in writers:
            for number, what in writer.broken:
                found.violate(number, what)
        held = len(
            servers[0].call("plimsoll/session/list", {"workspaceFolder": servers[0].uri})[
                "sessions"
            ]
        )
    longest, p99 = max(waits, default=0.0), quantile(waits, 0.99)
    found.count("writes", len(waits))
    found.notes += [f"wait p99 {p99:.2f} s, longest {longest:.2f} s"]
    if p99 > MOST_SECONDS:
        found.violate(found.first, f"a hundredth of the writes waited {p99:.2f} s or more")
    made = sum(writer.sessions for writer in writers)
    if held != made:
        found.violate(found.first, f"{made} sessions were made, and {held} are there")


class Writer:
    """One of the servers, and how long it waited for each write."""

    def __init__(self, server: Mortal, index: int) -> None:
        self.waits: list[float] = []
        self.broken: list[tuple[int, str]] = []
        self.sessions = 0
        self._server = server
        self._index = index
        self._session = ""

    def open(self) -> None:
        self._server.open()
        self._session = self._server.new_session()
        self.sessions += 1

    def write(self, rounds: list[tuple[int, random.Random]]) -> None:
        for number, _ in rounds:
            begun = time.monotonic()
            try:
                self._one(number)
            except (AssertionError, TimeoutError, Died) as broken:
                self.broken.append((number, f"server {self._index}: {broken}"))
            self.waits.append(time.monotonic() - begun)

    def _one(self, number: int) -> None:
        folder, name = {"workspaceFolder": self._server.uri}, f"{number}-{self._index}"
        match (number + self._index) % 4:
            case 0:
                self._server.call("plimsoll/session/new", folder)
                self.sessions += 1
            case 1:
                note = f"Server {self._index} checks the {NAMES[number % len(NAMES)]} ({name})."
                memory = {"type": "project", "title": f"Round {name}", "content": note}
                self._server.call("plimsoll/memory/add", {**folder, **memory})
            case 2:
                pin = {"sessionId": self._session, "text": f"Pin {name}", "scope": "session"}
                self._server.call("plimsoll/pin/add", pin)
            case _:
                mode = {"sessionId": self._session, "mode": "plan" if number % 8 < 4 else "edit"}
                self._server.call("plimsoll/session/setMode", mode)


def together(writers: list[Writer], work) -> None:
    threads = [threading.Thread(target=work, args=(writer,)) for writer in writers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


PIECE = Piece(run=run, short=12, full=500)
