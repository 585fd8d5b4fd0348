"""The real server for a piece: a client that notices its death, and common questions."""

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from product.harness import Product

ALLOWED = {"outcome": "selected", "optionId": "allowOnce"}
DECLINED = {"outcome": "selected", "optionId": "rejectOnce"}
PERMISSION = "plimsoll/session/requestPermission"


class Died(Exception):
    """The server has ended while something was expected of it."""


class Mortal(Product):
    """A product that may die at any moment; then ``Died`` is raised at once."""

    def wait_for(self, matches: Any) -> dict[str, Any]:
        deadline = time.monotonic() + self.timeout
        seen = 0
        with self._changed:
            while True:
                alive = self._threads[0].is_alive()
                for message in self.messages[seen:]:
                    if matches(message):
                        return message
                seen = len(self.messages)
                if not alive:
                    raise Died(self.stderr[-1500:])
                left = deadline - time.monotonic()
                if left <= 0:
                    last = [str(message)[:200] for message in self.messages[-5:]]
                    raise TimeoutError(f"nothing after {self.timeout} s; last {last}")
                self._changed.wait(min(left, 0.1))

    def send_bytes(self, data: bytes) -> None:
        try:
            super().send_bytes(data)
        except (BrokenPipeError, ValueError) as error:
            raise Died(self.stderr[-1500:]) from error

    def load(self, session: str) -> dict[str, Any]:
        params = {"workspaceFolder": self.uri, "sessionId": session}
        return self.call("plimsoll/session/load", params)

    def memories(self) -> list[dict[str, Any]]:
        found = self.call("plimsoll/memory/list", {"workspaceFolder": self.uri})["memories"]
        return [each for each in found if not each.get("digest")]

    def kept_pages(self) -> int:
        """Bytes of memory that the process holds."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def descriptors(self) -> int:
        """Open files of the process; where it hides them, the size of their table."""
        process = Path(f"/proc/{self.process.pid}")
        try:
            return len(list((process / "fd").iterdir()))
        except PermissionError:
            return int((process / "status").read_text().partition("FDSize:")[2].split()[0])


def started(
    home: Path, script: Mapping[str, Any] | None, command: Sequence[str] = (), **settings: str
) -> Mortal:
    """Start a server that may do whatever it asks for; tests that forbid it answer otherwise."""
    server = Mortal(home, script, command, **settings)
    server.timeout = 120.0
    server.responses[PERMISSION] = ALLOWED
    return server
