"""Servers for all tests of a worker, and the product that talks to them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from product.harness import Product
from servers.running import MODEL, WINDOW, Running, llama

KEY = "sk-right-0123456789"
SHORT = "32"
"""Tokens of an answer: enough to see it stream."""


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
            set_up = {
                "PLIMSOLL_MODEL__PROVIDER": "openai",
                "PLIMSOLL_MODEL__NAME": MODEL,
                "PLIMSOLL_MODEL__BASE_URL": server.url,
                "PLIMSOLL_MODEL__CONTEXT_WINDOW": str(WINDOW),
                "PLIMSOLL_BUDGET__RESERVE_OUTPUT_TOKENS": SHORT,
                "OPENAI_API_KEY": server.key,
                "ANTHROPIC_API_KEY": server.key,
                **settings,
            }
            product = Product(tmp_path / home, **set_up)
            product.timeout = 240.0
            stack.enter_context(product)
            product.open()
            return product

        yield begin
