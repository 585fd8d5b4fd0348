"""Memories under many processes, and under ``kill -9``."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from examples import examples
from memory.samples import AT
from plimsoll.memory.types import Action, MemoryState
from plimsoll.storage.locate import ProjectPaths
from plimsoll.storage.memories.store import SqliteMemories
from storage.conftest import Open

pytestmark = pytest.mark.slow

HERE = Path(__file__)
PYTHON = (sys.executable, "-W", "error")
# A quarter of what the profile `thorough` does: 500 memories of each process, and 480 kills.
PROCESSES, WRITES = 8, examples(125)
STORES, ROUNDS = examples(6), 20


async def test_8_processes_write_at_once_and_all_land(
    opened: Open, paths: ProjectPaths, tmp_path: Path
) -> None:
    store = SqliteMemories((await opened()).database)

    writers = [
        subprocess.Popen(
            [
                *PYTHON,
                HERE.with_name("memory_writer_driver.py"),
                tmp_path / "project",
                tmp_path / "data",
                f"p{number}",
                str(WRITES),
            ],
            stdout=subprocess.PIPE,
            env={"PYTHONPATH": str(HERE.parents[2])},
        )
        for number in range(PROCESSES)
    ]
    waits = [float(writer.communicate(timeout=280)[0]) for writer in writers]
    sys.stdout.write(f"longest wait: {max(waits)} s, each process: {waits}\n")

    names = {f"p{process}-{number}" for process in range(PROCESSES) for number in range(WRITES)}
    assert [writer.returncode for writer in writers] == [0] * PROCESSES
    assert {memory.id for memory in await store.memories({MemoryState.ACTIVE})} == names
    events = await store.audit()
    assert {event.memory_id for event in events} == names
    assert [event.action for event in events] == [Action.ADDED] * len(names)
    [match] = await store.search(f"note{WRITES - 1}xp7", AT, 1)
    assert match.memory.id == f"p7-{WRITES - 1}"


def test_kills_lose_no_memory_and_tear_no_unit(tmp_path: Path, seed: int) -> None:
    driver = HERE.with_name("memory_crash_driver.py")
    driven = subprocess.run(
        [*PYTHON, driver, tmp_path, str(seed), str(STORES), str(ROUNDS)],
        capture_output=True,
        text=True,
        timeout=280,
        env={"PYTHONPATH": str(HERE.parents[2])},
    )

    assert driven.stderr == ""
    lives = [json.loads(line) for line in driven.stdout.splitlines()]
    assert [life for life in lives if isinstance(life["held"], str)] == []
    assert len(lives) == STORES * ROUNDS
    # The kills really came in the middle of work.
    assert sum(life["acknowledged"] > life["before"] for life in lives) >= STORES
