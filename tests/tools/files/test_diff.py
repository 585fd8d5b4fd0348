import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from plimsoll.tools.files.diff import count_changed_lines, unified_diff


def applied(before: str | None, after: str) -> str:
    """What ``git apply`` makes of our diff."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if before is not None:
            (folder / "f").write_text(before)
        diff = unified_diff(before, after, "f")
        done = subprocess.run(
            ["git", "apply", "--unidiff-zero", "-"],
            cwd=folder,
            input=f"{diff}\n",
            text=True,
            capture_output=True,
        )
        assert done.returncode == 0, f"{done.stderr}\n{diff}"
        return (folder / "f").read_text()


LINES = st.lists(st.sampled_from(["a", "b", "c", "", "  d"]), max_size=30)
TEXT = st.builds(lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n"]))


@pytest.mark.slow
@settings(max_examples=examples(60))
@given(TEXT, TEXT)
def test_git_makes_the_same_of_it(before, after):
    if before != after:
        assert applied(before, after) == after


@pytest.mark.slow
def test_a_new_file():
    assert unified_diff(None, "a\nb\n", "f") == "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b"
    assert applied(None, "a\nb") == "a\nb"


def test_far_places_are_hunks_of_their_own():
    before = "".join(f"{number}\n" for number in range(40))
    after = before.replace("\n5\n", "\nfive\n").replace("\n30\n", "\nthirty\n")
    assert unified_diff(before, after, "f").split("\n") == [
        "--- a/f",
        "+++ b/f",
        "@@ -3,7 +3,7 @@",
        *(" 2", " 3", " 4", "-5", "+five", " 6", " 7", " 8"),
        "@@ -28,7 +28,7 @@",
        *(" 27", " 28", " 29", "-30", "+thirty", " 31", " 32", " 33"),
    ]


def test_a_changed_ending_is_seen():
    assert count_changed_lines("a\r\nb\n", "a\nb\n") == (1, 1)
    assert unified_diff("a\r\n", "a\n", "f").endswith("-a⟨U+000D⟩\n+a")
    assert unified_diff("a\r\nb\r\n", "a\r\nc\r\n", "f").endswith(" a\n-b\n+c")


def test_hidden_characters_are_seen():
    assert unified_diff("a\n", "a\u202e\u200b\n", "f").endswith("-a\n+a⟨U+202E⟩⟨U+200B⟩")


@pytest.mark.parametrize("lines", [3_000, pytest.param(200_000, marks=pytest.mark.slow)])
def test_a_large_change_is_whole(lines):
    before = "x\ny\n" * lines
    after = "y\nz\n" * lines
    added, removed = count_changed_lines(before, after)
    assert added - removed == 0
    rows = unified_diff(before, after, "f").split("\n")
    assert sum(row.startswith("+") for row in rows[2:]) == added
