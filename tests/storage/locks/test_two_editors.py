"""D4: several editors on one folder."""

import subprocess
import sys
from pathlib import Path

import pytest

from plimsoll.storage.locate import ProjectPaths
from storage.conftest import Open
from storage.samples import pair, record

pytestmark = pytest.mark.slow

DRIVER = Path(__file__).with_name("two_editors_driver.py")
PYTHON = (sys.executable, "-W", "error")
UNITS = 200


async def test_two_editors_append_200_units_each_and_all_land(
    opened: Open, paths: ProjectPaths, tmp_path: Path
) -> None:
    store = await opened()
    await store.create(record("shared"))

    editors = [
        subprocess.Popen(
            [*PYTHON, DRIVER, tmp_path / "project", tmp_path / "data", name, str(UNITS)],
            stdout=subprocess.PIPE,
            env={"PYTHONPATH": str(DRIVER.parents[2])},
        )
        for name in ("fore", "aft")
    ]
    waits = [float(editor.communicate(timeout=280)[0]) for editor in editors]
    sys.stdout.write(f"longest waits: {waits} s\n")

    log = await store.entries("shared")
    units = [log[paths : paths + 2] for paths in range(0, len(log), 2)]
    written = [unit[0].id.rsplit("-", 1)[0] for unit in units]
    assert [editor.returncode for editor in editors] == [0, 0]
    assert units == [pair(f"{name}-") for name in written]
    for name in ("fore", "aft"):
        own = [unit for unit in written if unit.startswith(name)]
        assert own == [f"{name}-{number}" for number in range(UNITS)]
