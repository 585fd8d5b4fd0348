"""The table of known defects: each names a test, and the test is there."""

import re
from pathlib import Path

TESTS = Path(__file__).parent
ROW = re.compile(r"^\| (\d+) \| (.+) \| `([\w/.]+)::(\w+)` \|$", re.MULTILINE)


def rows() -> list[tuple[int, str, str, str]]:
    text = (TESTS.parent / "docs" / "defects.md").read_text("utf-8")
    found = ROW.findall(text)
    assert len(found) == len(re.findall(r"^\| \d", text, re.MULTILINE))
    return [(int(number), said, file, test) for number, said, file, test in found]


def test_the_defects_are_numbered_one_by_one():
    numbers = [number for number, _, _, _ in rows()]
    assert numbers == [*range(1, len(numbers) + 1)]


def test_each_defect_names_a_test_that_is_there():
    missing = [
        f"{number}: {file}::{test}"
        for number, _, file, test in rows()
        if not re.search(
            rf"^(async )?def {test}\(", (TESTS / file).read_text("utf-8"), re.MULTILINE
        )
    ]
    assert missing == []
