"""Starts the agent; every process ends with its test."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from acp_door.client import AcpClient


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., AcpClient]]:
    with ExitStack() as stack:

        def begin(script: Any = None, home: Path = tmp_path, **settings: str) -> AcpClient:
            return stack.enter_context(AcpClient(home, script, **settings))

        yield begin
