import subprocess
import sys

import pytest

LATE = ("pydantic", "httpx", "aiosqlite", "sqlite3", "tiktoken", "plimsoll.context.log.entries")

AS_SERVE = """
import importlib, sys
from plimsoll.cli import COMMANDS
from plimsoll.terminal.arguments import parser

module, _, function = COMMANDS[parser().parse_args(["serve", "--stdio"]).command].partition(":")
getattr(importlib.import_module(module), function)
print(*(name for name in sys.argv[1:] if name in sys.modules))
"""


@pytest.mark.slow
def test_the_server_answers_initialize_before_the_large_packages_are_loaded():
    ran = subprocess.run(
        [sys.executable, "-c", AS_SERVE, *LATE], capture_output=True, text=True, check=True
    )

    assert ran.stdout.split() == []
