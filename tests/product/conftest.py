"""Starts the product; every process ends with its test."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from product.harness import Product


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Product]]:
    with ExitStack() as stack:

        def begin(script: Any = None, home: Path = tmp_path, **settings: str) -> Product:
            return stack.enter_context(Product(home, script, **settings))

        yield begin
