"""How a run of all suites adds up and ends.

With `CI=true` a missing tool is a fault, an old kernel is none.
"""

import os
import subprocess
from pathlib import Path

import pytest

from left_out import MACHINE

ROOT = Path(__file__).parents[1]
MISSING = "1 tests (no npm here)"
LACKING = f"2 tests ({MACHINE}before Linux 6.14)"


def ended(body: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """What a run of these suites comes to."""
    script = f"source scripts/lib/suite.sh; {body}; conclude"
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], **variables}
    command = ["bash", "-c", script, "-", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("left_out", "ci", "code"),
    [([LACKING], "true", 0), ([LACKING, MISSING], "true", 1), ([MISSING], "", 0), ([], "true", 0)],
)
def test_only_a_missing_tool_is_a_fault(left_out: list[str], ci: str, code: int):
    done = ended('verdicts=("server ok"); left_out=("$@")', *left_out, CI=ci)
    assert done.returncode == code, done.stderr
    for reason in left_out:
        assert reason in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "end"),
    [
        (0, "9 passed, 0 failed (second ok, first ok)"),
        (1, "9 passed, 1 failed (second ok, first FAILED)"),
    ],
)
def test_a_suite_beside_another_counts_as_one_of_its_own(tmp_path: Path, code: int, end: str):
    """The one that runs beside ends only after the other has."""
    os.mkfifo(tmp_path / "over")
    body = (
        'suite_beside bash -c "read -r _ < $1/over; echo 4 passed; exit $2";'
        'suite second bash -c "echo 5 passed; echo > $1/over"; suite_joined first'
    )
    done = ended(body, str(tmp_path), str(code))
    assert done.returncode == code, done.stderr
    assert end in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("FAILED tests/a.py::b - no\n1 failed, 4 passed", ["FAILED tests/a.py::b - no"]),
        ("\x1b[31m✖ asks (3ms)\x1b[39m\n# fail 1", ["✖ asks (3ms)"]),
        (
            "   case 3: late\ndeaf VIOLATED: 3 cases\n\n17 passed, 1 failed",
            ["   case 3: late", "deaf VIOLATED: 3 cases"],
        ),
        ("a line\nWould reformat: a.py", ["a line", "Would reformat: a.py"]),
    ],
)
def test_the_last_lines_name_what_failed(tmp_path: Path, written: str, named: list[str]):
    """Whoever sees the end of a long log alone is told what to look at."""
    (tmp_path / "log").write_text(written)
    done = ended('suite server bash -c "cat $1/log; exit 1"', str(tmp_path))
    _, end = done.stdout.split("== what failed\n")
    assert end.splitlines()[: len(named)] == [f"   server: {name}" for name in named]
    assert done.returncode == 1
