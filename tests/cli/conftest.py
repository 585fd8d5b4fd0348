"""Fixtures: a shell in a folder of the test's own, and a person at a terminal in it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.shell import Person, Shell


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "ledger.py").write_text("def total_load(items):\n    return sum(items)\n")
    own = {
        "PLIMSOLL_DATA_DIR": str(tmp_path / "data"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "HOME": str(tmp_path),
    }
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    return Shell(folder, {**kept, **own})


@pytest.fixture
def person(shell: Shell) -> Iterator[Person]:
    someone = Person(shell)
    yield someone
    someone.leave()
