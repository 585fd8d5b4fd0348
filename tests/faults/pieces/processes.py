"""Eight servers that write to the store of one folder at the same time."""

import random
import threading
from contextlib import ExitStack

from faults.piece import Piece, Run, quantile
from faults.server import Died, Mortal, started
from faults.work import NAMES

SERVERS = 8
MOST_OVERTAKEN = 4 * SERVERS
"""Writes of the others that end while one waits: a fair lock lets each of them pass a few times."""


def run(found: Run) -> None:
    """Each case is a round: one write of every server."""
    with ExitStack() as stack:
        servers = [
            stack.enter_context(started(found.folder, {"mode": "echo"})) for _ in range(SERVERS)
        ]
        ended: list[int] = []
        writers = [Writer(server, index, ended) for index, server in enumerate(servers)]
        together(writers, lambda writer: writer.open())
        rounds = list(found.each())
        together(writers, lambda writer: writer.write(rounds))
        overtaken = [passed for writer in writers for passed in writer.overtaken]
        for writer in writers:
            for number, what in writer.broken:
                found.violate(number, what)
        held = len(
            servers[0].call("plimsoll/session/list", {"workspaceFolder": servers[0].uri})[
                "sessions"
            ]
        )
    most, p99 = max(overtaken, default=0), quantile(overtaken, 0.99)
    found.count("writes", len(overtaken))
    found.notes += [f"overtaken p99 {p99:.0f} times, at most {most} times"]
    if p99 > MOST_OVERTAKEN:
        found.violate(found.first, f"a hundredth of the writes were overtaken {p99:.0f} times")
    made = sum(writer.sessions for writer in writers)
    if held != made:
        found.violate(found.first, f"{made} sessions were made, and {held} are there")


class Writer:
    """One of the servers, and how many writes of the others ended during each of its own."""

    def __init__(self, server: Mortal, index: int, ended: list[int]) -> None:
        self.overtaken: list[int] = []
        self.broken: list[tuple[int, str]] = []
        self.sessions = 0
        self._server = server
        self._index = index
        self._ended = ended
        self._session = ""

    def open(self) -> None:
        self._server.open()
        self._session = self._server.new_session()
        self.sessions += 1

    def write(self, rounds: list[tuple[int, random.Random]]) -> None:
        for number, _ in rounds:
            before = len(self._ended)
            try:
                self._one(number)
            except (AssertionError, TimeoutError, Died) as broken:
                self.broken.append((number, f"server {self._index}: {broken}"))
            self.overtaken.append(len(self._ended) - before)
            self._ended.append(self._index)

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


PIECE = Piece(run=run, short=30, full=500)
