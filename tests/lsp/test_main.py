import asyncio
import json
import subprocess
import sys

import pytest
from lsprotocol import types

from plimsoll.lsp.connection import Connection
from plimsoll.lsp.dispatch.dispatcher import Dispatcher
from plimsoll.lsp.dispatch.lifecycle import EXIT_CLEAN
from plimsoll.lsp.main import Introduction
from plimsoll.lsp.server import PlimsollServer

LATE = (
    "pygls",
    "lsprotocol",
    "attrs",
    "cattrs",
    "pydantic",
    "httpx",
    "aiosqlite",
    "sqlite3",
    "tiktoken",
    "plimsoll.context.log.entries",
    "plimsoll.view",
    "websockets",
)

AS_SERVE = """
import importlib, sys
from plimsoll.cli import COMMANDS
from plimsoll.terminal.arguments import parser

module, _, function = COMMANDS[parser().parse_args(["serve", "--stdio"]).command].partition(":")
getattr(importlib.import_module(module), function)
print(*(name for name in sys.argv[1:] if name in sys.modules))
"""


def printed(code: str, *arguments: str) -> list[str]:
    """The words that a process of its own prints."""
    ran = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    return ran.stdout.split()


@pytest.mark.slow
def test_the_server_answers_initialize_before_the_large_packages_are_loaded():
    assert printed(AS_SERVE, *LATE) == []


IN_A_TERMINAL = """
import importlib, sys
from plimsoll.cli import COMMANDS

for name, place in COMMANDS.items():
    if name != "serve":
        importlib.import_module(place.partition(":")[0])
print(*({"pygls", "lsprotocol"} & set(sys.modules)))
"""


@pytest.mark.slow
def test_no_command_of_the_terminal_loads_the_packages_of_the_protocol():
    assert printed(IN_A_TERMINAL) == []


PRINTS_TEXT = """
import sys
import plimsoll.terminal.commands.chat, plimsoll.terminal.commands.run

print(*({"pydantic", "plimsoll.lsp.wire.base", "websockets"} & set(sys.modules)))
"""


@pytest.mark.slow
def test_what_prints_text_does_not_load_the_shapes_of_the_wire():
    assert printed(PRINTS_TEXT) == []


LOADED = """
import linecache
from plimsoll.lsp.main import server_app

server_app()
print(*linecache.cache)
"""


@pytest.mark.slow
def test_a_loaded_server_holds_no_sources():
    assert printed(LOADED) == []


FAILS = "fails"
PLAIN = {"processId": None, "rootUri": None, "capabilities": {}}


def message(request_id: int | None, method: str, params: object) -> dict[str, object]:
    known = {} if request_id is None else {"id": request_id}
    return {"jsonrpc": "2.0", **known, "method": method, "params": params}


class Client:
    """What the server wrote, and the introduction that reads what the client sends."""

    def __init__(self, fails: bool = False) -> None:
        self.connection = Connection()
        self.connection.connect = lambda sender: sender.connect(self._take)
        self.sent: list[dict[str, object]] = []
        self.loaded_after: int | None = None
        self.fails = fails
        self.introduction = Introduction(self.connection, self._load)
        self.receive = self.introduction.receive
        self.connection.hand_over = self._hand_over

    def _take(self, framed: bytes, _key: str | None) -> None:
        self.sent.append(json.loads(framed.partition(b"\r\n\r\n")[2]))

    def _hand_over(self, receiver: Dispatcher) -> None:
        self.receive = receiver.receive

    def _load(self) -> Dispatcher:
        self.loaded_after = len(self.sent)
        if self.fails:
            raise ValueError("not to be loaded")
        server = PlimsollServer("plimsoll", "0", self.connection)
        server.on_initialize(self._initialize)
        self.opened: list[str] = []

        @server.feature("textDocument/didOpen")
        async def opened(params: types.DidOpenTextDocumentParams) -> None:
            self.opened.append(params.text_document.uri)

        return server.dispatcher

    async def _initialize(self, params: types.InitializeParams) -> dict[str, object]:
        if params.initialization_options == FAILS:
            raise ValueError("not to be introduced")
        return {}

    async def settle(self) -> None:
        for _ in range(50):
            await asyncio.sleep(0)


async def test_initialize_is_answered_before_the_server_is_loaded_and_what_follows_waits():
    client = Client()
    document = {"uri": "file:///a.py", "languageId": "python", "version": 1, "text": "x"}
    receive = client.receive
    receive(message(1, "initialize", PLAIN))
    assert (len(client.sent), client.loaded_after) == (1, None)
    receive(message(None, "initialized", {}))
    receive(message(None, "textDocument/didOpen", {"textDocument": document}))
    receive(message(2, "shutdown", None))
    await client.settle()
    assert client.loaded_after == 1
    assert client.opened == ["file:///a.py"]
    assert [each["id"] for each in client.sent] == [1, 2]
    assert client.introduction.exit_code() == EXIT_CLEAN


async def test_capabilities_that_pygls_refuses_are_left_out_of_an_answered_initialize():
    client = Client()
    odd = {**PLAIN, "capabilities": {"workspace": 5}}
    client.receive(message(1, "initialize", odd))
    client.receive(message(2, "shutdown", None))
    await client.settle()
    assert [("result" in each, each["id"]) for each in client.sent] == [(True, 1), (True, 2)]


@pytest.mark.parametrize(
    ("key", "root", "well"),
    [("rootUri", "untitled", True), ("rootUri", "file://[", False), ("rootPath", "[", True)],
)
async def test_a_root_that_is_no_folder_leaves_nobody_waiting(key, root, well):
    client = Client()
    client.receive(message(1, "initialize", {**PLAIN, key: root}))
    await client.settle()
    client.receive(message(2, "plimsoll/session/list", None))
    await client.settle()
    assert [("result" in each, each["id"]) for each in client.sent] == [(well, 1), (False, 2)]


async def test_a_server_that_does_not_go_on_ends_the_process():
    client = Client()
    told = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, found: told.append(found))
    client.connection.lifecycle.start_deadline = lambda: None
    client.receive(message(1, "initialize", {**PLAIN, "initializationOptions": FAILS}))
    client.receive(message(2, "shutdown", None))
    await client.settle()
    assert client.connection.lifecycle.closing
    assert isinstance(told[0]["exception"], ValueError)


async def test_an_odd_initialize_is_refused_and_a_good_one_may_follow():
    client = Client()
    client.receive(message(1, "initialize", {"processId": "one"}))
    await client.settle()
    client.receive(message(2, "initialize", PLAIN))
    await client.settle()
    assert [("result" in each, each["id"]) for each in client.sent] == [(False, 1), (True, 2)]


async def test_a_server_that_cannot_be_loaded_ends_the_process():
    client = Client(fails=True)
    told = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, found: told.append(found))
    client.connection.lifecycle.start_deadline = lambda: None
    client.receive(message(1, "initialize", PLAIN))
    await client.settle()
    assert client.connection.lifecycle.closing
    assert isinstance(told[0]["exception"], ValueError)
