from pathlib import Path

import pytest

from plimsoll.text.paths import name_in

ROOT = Path("/work/demo")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (ROOT / "src" / "a.py", "src/a.py"),
        (ROOT, "."),
        (Path("/work/demo2/a.py"), "/work/demo2/a.py"),
    ],
)
def test_a_path_is_written_relative_to_its_folder_or_whole(path: Path, name: str) -> None:
    assert name_in(ROOT, path) == name
