"""Fixtures of the wire tests: the demo server in a process of its own, over real pipes."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from lsp.raw_client import RawClient

DEMO = Path(__file__).parent / "servers" / "demo.py"


@pytest.fixture
def start() -> Iterator[Callable[..., RawClient]]:
    """Start a demo server; every one ends with the test."""
    with ExitStack() as stack:

        def start_demo(*arguments: str, **options: Any) -> RawClient:
            client = RawClient([sys.executable, str(DEMO), *arguments], **options)
            return stack.enter_context(client)

        yield start_demo


@pytest.fixture
def own_client(start: Callable[..., RawClient]) -> RawClient:
    """An initialized demo server for a test that ends it or changes it."""
    started = start()
    started.initialize()
    return started


@pytest.fixture(scope="module")
def shared() -> Iterator[RawClient]:
    """One initialized demo server for a module: a start costs a second."""
    with RawClient([sys.executable, str(DEMO)]) as started:
        started.initialize()
        yield started


@pytest.fixture
def client(shared: RawClient) -> RawClient:
    """The module's demo server, with nothing received yet."""
    shared.call("demo/forget")
    shared.forget()
    return shared
