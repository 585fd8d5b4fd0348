"""Whoever of a host and its servers is killed, no process is left, grandchildren too."""

import random
from pathlib import Path

import pytest

from tools.mcp.killing import VICTIMS, killing

pytestmark = pytest.mark.slow


def test_no_process_is_left_whoever_is_killed(tmp_path: Path):
    # 100 of them: `scripts/faults mcp --full`.
    with killing(tmp_path) as found:
        left = {one: found.kill(one, random.Random(one)) for one in VICTIMS}
    assert left == {one: [] for one in VICTIMS}
