"""A session in a language server, and what shows it to browsers."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from lsp.preloaded import Started, started
from product.conftest import start  # noqa: F401
from product.harness import Product
from view.tab import Tab

ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/#[\w-]{32}")
CALLED = {"name": "file_read", "arguments": {"path": "big.txt"}}
READS = {
    "rules": [{"when": "read", "steps": [{"calls": [CALLED]}, {"text": ["It is long."]}]}],
    "mode": "echo",
}


@dataclass
class Shown:
    """A session that has read a file, and the server that runs it."""

    product: Product
    session: str

    def address(self) -> str:
        """Return what `/view` says."""
        argument = {"sessionId": self.session, "text": "/view"}
        params = {"command": "plimsoll.server.send", "arguments": [argument]}
        answered = self.product.call("workspace/executeCommand", params)
        found = ADDRESS.search(answered["message"])
        assert found, answered
        return found[0]


@pytest.fixture
def shown(start: Callable[..., Product]) -> Shown:  # noqa: F811
    product = start(READS)
    (product.workspace / "big.txt").write_text("a row of words\n" * 400)
    product.open()
    session = product.new_session()
    product.turn(session, "read it")
    return Shown(product, session)


@pytest.fixture
def tab() -> Iterator[Callable[[str], Tab]]:
    with ExitStack() as stack:

        def open_tab(address: str) -> Tab:
            return stack.enter_context(Tab(address))

        yield open_tab


def environment_of(product: Product, **settings: str) -> dict[str, str]:
    """Return the environment in which a terminal has the product's sessions and its model."""
    return {
        "PLIMSOLL_DATA_DIR": str(product.home / "data"),
        "XDG_CONFIG_HOME": str(product.home / "config"),
        "HOME": str(product.home),
        "PATH": os.environ["PATH"],
        "PLIMSOLL_MODEL__PROVIDER": "scripted",
        "PLIMSOLL_MODEL__NAME": str(product.home / "script.json"),
        **settings,
    }


class Command:
    """`plimsoll view` in the folder of a product, as a process of its own."""

    def __init__(self, product: Product, *arguments: str, **settings: str) -> None:
        argv = [sys.executable, "-m", "plimsoll", "view", *arguments]
        self.process: Started = started(
            argv, Path(product.workspace), environment_of(product, **settings)
        )
        self.address = self.process.stdout.readline().decode().strip()


@pytest.fixture
def command() -> Iterator[Callable[..., Command]]:
    begun: list[Command] = []

    def begin(product: Product, *arguments: str, **settings: str) -> Command:
        begun.append(Command(product, *arguments, **settings))
        return begun[-1]

    yield begin
    for each in begun:
        each.process.kill()
        each.process.wait(60)
        for stream in (each.process.stdin, each.process.stdout, each.process.stderr):
            stream.close()
