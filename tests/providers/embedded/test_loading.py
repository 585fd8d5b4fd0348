"""The assistant that needs no server loads nothing of what talks to one: a first session waits."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

PROGRAM = """
import sys
import plimsoll.providers.embedded.provider
print(*(name for name in sys.modules if name.startswith("plimsoll.providers.http")))
"""


def test_nothing_is_loaded_that_talks_to_servers():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
