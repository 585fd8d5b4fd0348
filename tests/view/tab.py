"""A tab of a browser as a test has it: requests written by hand, and a socket."""

import json
import socket
from collections.abc import Callable, Sequence
from typing import Any, Self
from urllib.parse import urlsplit

from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

SECONDS = 120


def answered(own: str, path: str = "/", *headers: str, method: str = "GET") -> tuple[int, str]:
    """Send a request as it stands; return the status and the whole answer, 0 where none came."""
    lines = [f"{method} {path} HTTP/1.1", *headers, "", ""]
    host, _, port = own.partition(":")
    with socket.create_connection((host, int(port)), SECONDS) as connection:
        connection.sendall("\r\n".join(lines).encode())
        told = b""
        while piece := connection.recv(65_536):
            told += piece
    text = told.decode()
    return (int(text.split()[1]) if text else 0), text


def handshake(own: str, *headers: str) -> tuple[int, str]:
    """Ask for the socket of a page; ``headers`` are those that let it in."""
    upgrade = (
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    )
    return answered(own, "/socket", *upgrade, *headers)


class Tab:
    """A page that is let in: it hears what is told, and asks."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self.told: list[dict[str, Any]] = []
        self._asked = 0
        self._socket = connect(
            f"ws://{parts.netloc}/socket",
            origin=Origin(f"http://{parts.netloc}"),
            subprotocols=[Subprotocol("plimsoll-view"), Subprotocol(parts.fragment)],
            max_size=None,
            proxy=None,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def hears(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the first message, told already or to come, of which something holds."""
        at = 0
        while True:
            while at < len(self.told):
                if holds(self.told[at]):
                    return self.told[at]
                at += 1
            self.told.append(json.loads(self._socket.recv(SECONDS)))

    def key(self) -> str:
        return self.hears(is_about("opened"))["params"]["key"]

    def asks(self, method: str, **params: Any) -> dict[str, Any]:
        self._asked += 1
        asked = {"id": self._asked, "method": f"plimsoll/{method}", "params": params}
        self.send(json.dumps(asked))
        return self.hears(lambda told: told.get("id") == asked["id"])

    def send(self, text: str) -> None:
        self._socket.send(text)

    def sees(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the newest context of which something holds, once it has come."""
        changed = is_about("didChange")
        self.hears(lambda told: changed(told) and holds(told["params"]))
        return [each["params"] for each in self.told if changed(each)][-1]

    def items(self) -> Sequence[dict[str, Any]]:
        return self.sees(lambda _: True)["report"]["items"]


def is_about(name: str) -> Callable[[dict[str, Any]], bool]:
    return lambda told: told.get("method") == f"plimsoll/view/{name}"
