"""How a run of all suites ends: with `CI=true` a missing tool is a fault, an old kernel is none."""

import os
import subprocess
from pathlib import Path

import pytest

from left_out import MACHINE

ROOT = Path(__file__).parents[1]
MISSING = "1 tests (no npm here)"
LACKING = f"2 tests ({MACHINE}before Linux 6.14)"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("left_out", "ci", "code"),
    [([LACKING], "true", 0), ([LACKING, MISSING], "true", 1), ([MISSING], "", 0), ([], "true", 0)],
)
def test_only_a_missing_tool_is_a_fault(left_out: list[str], ci: str, code: int):
    script = 'source scripts/lib/suite.sh; verdicts=("server ok"); left_out=("$@"); conclude'
    command = ["bash", "-c", script, "-", *left_out]
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "CI": ci}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    for reason in left_out:
        assert reason in done.stdout
