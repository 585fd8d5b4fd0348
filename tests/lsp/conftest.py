"""Fixtures of the wire tests: the demo server in a process of its own, over real pipes."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from lsp.preloaded import DEMO, started
from lsp.raw_client import RawClient


class DemoClient(RawClient):
    """A client of a demo server that is forked."""

    def __init__(self, *arguments: str, **options: Any) -> None:
        super().__init__([sys.executable, str(DEMO), *arguments], **options)

    def begin(self, argv: Sequence[str], cwd: Path | str | None, env: Mapping[str, str]) -> Any:
        return started(argv, cwd, env)


@pytest.fixture
def start() -> Iterator[Callable[..., RawClient]]:
    """Start a demo server; every one ends with the test."""
    with ExitStack() as stack:

        def start_demo(*arguments: str, **options: Any) -> RawClient:
            return stack.enter_context(DemoClient(*arguments, **options))

        yield start_demo


@pytest.fixture
def own_client(start: Callable[..., RawClient]) -> RawClient:
    """An initialized demo server for a test that ends it or changes it."""
    begun = start()
    begun.initialize()
    return begun


@pytest.fixture(scope="module")
def shared() -> Iterator[RawClient]:
    """One initialized demo server for a module."""
    with DemoClient() as begun:
        begun.initialize()
        yield begun


@pytest.fixture
def client(shared: RawClient) -> RawClient:
    """The module's demo server, with nothing received yet."""
    shared.call("demo/forget")
    shared.forget()
    return shared
