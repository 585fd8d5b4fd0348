"""`serve --tcp`: any user of the machine can connect, and only who has the token is the client."""

import json
import os
import re
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from plimsoll.lsp.transport.admission import MOST_AT_ONCE, MOST_TRIES

pytestmark = pytest.mark.slow
SECONDS = 120


class Server:
    def __init__(self, process: subprocess.Popen[bytes], port: int, token: Path) -> None:
        self.process, self.port, self.token = process, port, token
        self.shown = token.read_text()

    def connected(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=SECONDS)

    def asked(self, *messages: Any) -> list[dict[str, Any]]:
        """All that is answered until the server ends the connection."""
        with self.connected() as connection:
            for message in messages:
                connection.sendall(frame(message))
            return answers(read_all(connection))


@contextmanager
def serving(home: Path) -> Iterator[Server]:
    environment = {**os.environ, "PLIMSOLL_DATA_DIR": str(home / "data"), "HOME": str(home)}
    command = [sys.executable, "-m", "plimsoll", "serve", "--tcp", "127.0.0.1:0"]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, umask=0)
    assert process.stderr is not None
    try:
        told = re.search(r"stands in (\S+)$", process.stderr.readline().decode().strip())
        port = re.search(r"127\.0\.0\.1:(\d+)$", process.stderr.readline().decode().strip())
        assert told is not None
        assert port is not None
        yield Server(process, int(port[1]), Path(told[1]))
    finally:
        process.kill()
        process.wait(SECONDS)
        process.stderr.close()


def frame(message: Any) -> bytes:
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def read_all(connection: socket.socket) -> bytes:
    found = b""
    while data := connection.recv(65536):
        found += data
    return found


def answers(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(each) for each in re.split(rb"Content-Length: \d+\r\n\r\n", data) if each]


def request(method: str, number: int = 1, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def initialize(token: Any = None, **more: Any) -> dict[str, Any]:
    shown = {} if token is None else {"token": token}
    options = {"plimsoll": {"protocolVersion": 1, **shown}}
    given = {"processId": None, "capabilities": {}, "initializationOptions": options}
    return request("initialize", **{**given, **more})


def test_who_shows_the_token_is_served(tmp_path: Path):
    with serving(tmp_path) as server:
        assert stat.S_IMODE(server.token.stat().st_mode) == 0o600
        assert len(server.shown) >= 32
        with server.connected() as connection:
            connection.sendall(frame(initialize(server.shown)))
            connection.sendall(frame(request("shutdown", 2)))
            found = b""
            while b'"id":2' not in found:
                found += connection.recv(65536)
            first, last = answers(found)
            connection.sendall(frame({"jsonrpc": "2.0", "method": "exit"}))
        assert first["result"]["serverInfo"]["name"] == "plimsoll"
        assert last == {"jsonrpc": "2.0", "id": 2, "result": None}
        assert server.process.wait(SECONDS) == 0
        # Spent: nobody else is let in by it.
        assert not server.token.exists()


WRONG = [
    initialize(),
    initialize(""),
    initialize("wrong"),
    initialize(7),
    initialize(["x"]),
    initialize("\ud800"),
    request("initialize", initializationOptions=None),
    request("shutdown"),
]


@pytest.mark.parametrize("wrong", [WRONG[:4], WRONG[4:]])
def test_who_does_not_is_told_what_to_do_and_cut_off(tmp_path: Path, wrong: list[dict[str, Any]]):
    with serving(tmp_path) as server:
        for first in wrong:
            told = server.asked(first, initialize(server.shown), request("plimsoll/status", 9))
            assert [each["id"] for each in told] == [1]
            assert "initializationOptions.plimsoll.token" in told[0]["error"]["message"]
            assert told[0]["error"]["data"] == {"kind": "tokenRefused", "retry": False}
            assert server.shown not in json.dumps(told)
        # And the right one still comes in.
        with server.connected() as connection:
            connection.sendall(frame(initialize(server.shown)))
            assert b"serverInfo" in connection.recv(65536)


def test_the_right_token_at_another_place_is_none(tmp_path: Path):
    with serving(tmp_path) as server:
        elsewhere = request("plimsoll/status", initializationOptions={"plimsoll": {"token": "x"}})
        elsewhere["params"]["initializationOptions"]["plimsoll"]["token"] = server.shown
        assert server.asked(elsewhere)[0]["error"]["data"]["kind"] == "tokenRefused"
        assert "error" in server.asked(initialize(server.shown[:-1]))[0]
        assert "error" in server.asked(initialize(f"{server.shown} "))[0]


NO_REQUESTS = [
    b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"\x16\x03\x01" + bytes(300),
    b"Content-Length: 99999999999\r\n\r\n{",
    frame(b"[" * 100_000),
    frame(b"not json"),
    frame(b"[]"),
    frame(b'{"jsonrpc":"2.0","method":"exit"}'),
]


def test_what_is_no_request_is_cut_off_without_an_answer(tmp_path: Path):
    with serving(tmp_path) as server:
        for data in NO_REQUESTS:
            with server.connected() as connection:
                connection.sendall(data)
                # A reset is an end too.
                with suppress(ConnectionResetError):
                    assert read_all(connection) == b"", data
        assert server.process.poll() is None


def test_after_some_wrong_ones_nobody_is_let_in(tmp_path: Path):
    with serving(tmp_path) as server:
        for _ in range(MOST_TRIES):
            assert "error" in server.asked(initialize("wrong"))[0]
        assert server.process.wait(SECONDS) == 1
        assert server.process.stderr is not None
        assert b"too many came without the token" in server.process.stderr.read()
        assert not server.token.exists()


def test_one_that_says_nothing_keeps_nobody_out(tmp_path: Path):
    with serving(tmp_path) as server:
        silent = [server.connected() for _ in range(MOST_AT_ONCE - 1)]
        silent[0].sendall(b"Content-Length: 10\r\n\r\n{")
        with server.connected() as connection:
            connection.sendall(frame(initialize(server.shown)))
            assert b"serverInfo" in connection.recv(65536)
        for each in silent:
            each.close()
