"""D1: what was acknowledged survives `kill -9`, and nothing is ever half there."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

DRIVER = Path(__file__).with_name("crash_driver.py")
STORES, ROUNDS = 30, 6


def test_180_kills_lose_nothing_and_tear_nothing(tmp_path: Path, seed: int) -> None:
    driven = subprocess.run(
        [sys.executable, "-W", "error", DRIVER, tmp_path, str(seed), str(STORES), str(ROUNDS)],
        capture_output=True,
        text=True,
        timeout=280,
        env={"PYTHONPATH": str(DRIVER.parents[2])},
    )

    assert driven.stderr == ""
    lives = [json.loads(line) for line in driven.stdout.splitlines()]
    broken = [life for life in lives if isinstance(life["held"], str)]
    assert broken == []
    assert len(lives) == STORES * ROUNDS
    # The kills really came in the middle of work: many lives got far, some were cut in a commit.
    assert sum(life["acknowledged"] > life["before"] for life in lives) > STORES * ROUNDS // 2
    assert any(life["held"] > life["acknowledged"] for life in lives)
