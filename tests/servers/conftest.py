"""Servers for all tests of a worker, and the product that talks to them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from product.harness import Product
from servers.products import UNRELATED, connected
from servers.running import Running, llama

KEY = "sk-right-0123456789"


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """llama.cpp with one slot of 4,096 tokens, which wants a key."""
    with llama(tmp_path_factory.mktemp("llama"), "--api-key", KEY) as server:
        yield server


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Product]]:
    """Start the product with a model of a server; an opened client of a trusted folder."""
    with ExitStack() as stack:

        def begin(server: Running, home: str = "", **settings: str) -> Product:
            own = connected(tmp_path / home, server, key=server.key, **settings)
            return stack.enter_context(own)

        yield begin


@pytest.fixture(scope="session")
def shared(small: Running, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """One product with llama.cpp for all tests that set nothing of their own."""
    home = tmp_path_factory.mktemp("shared")
    with connected(home, small, key=small.key, **UNRELATED) as product:
        yield product
