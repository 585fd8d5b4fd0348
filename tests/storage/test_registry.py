import subprocess
import sys

import pytest

HEAVY = ("aiosqlite", "sqlite3", "platformdirs")


@pytest.mark.slow
def test_nothing_heavy_is_loaded_before_a_store_is_opened() -> None:
    program = "import sys, plimsoll.storage.registry, plimsoll.storage.spill; print(*sys.modules)"

    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert "plimsoll.storage.registry" in loaded.stdout.split()
    assert set(HEAVY) & set(loaded.stdout.split()) == set()
