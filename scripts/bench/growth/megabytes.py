"""A word that stands in each line of megabytes, searched; and a command that prints them all.

Beside them what plain programs take: `rg` with all that it finds read by `wc`, `cat` read by `wc`.
"""

import json
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from common import table

from growth.playing import REAL, opened, play
from plimsoll.session.session import Session

MEGABYTES, RUNS = (3.8, 38, 380), 3
BLOCK, WORD, NAME = 3_800_000, "windlass", "lines.log"
WINDOW = 200_000
HEAD = ["output", "grep", "own", "rg | wc", "shell", "own", "cat | wc", "memory"]


async def bench() -> None:
    rows = [await row(megabytes) for megabytes in MEGABYTES]
    print(f"milliseconds by the clock, the least of {RUNS}; own: of the processor in this process,")
    print("both from the call to its result; memory: the most that this process has held\n")
    table(HEAD, rows)


async def row(megabytes: float) -> list[str]:
    with tempfile.TemporaryDirectory(dir=REAL) as name:
        folder = Path(name)
        fill(folder / NAME, megabytes)
        async with opened(folder, WINDOW) as session:
            ripgrep = session.state.environment.call_context.ripgrep
            found = await called(session, "grep", {"pattern": WORD})
            searched = least(lambda: piped(folder, f"{ripgrep} {WORD} {NAME}"))
            printed = await called(session, "shell", {"command": f"cat {NAME}"})
            read = least(lambda: piped(folder, f"cat {NAME}"))
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures = (*found, searched if ripgrep else float("nan"), *printed, read)
    return [f"{megabytes:g} MB", *(f"{each:,.0f}" for each in figures), f"{held:,.0f} MB"]


async def called(session: Session, tool: str, arguments: dict[str, str]) -> tuple[float, float]:
    """Call a tool of the product, each time in a turn of its own; the clock and the processor."""
    clock: list[float] = []
    own: list[float] = []
    for _ in range(RUNS):
        played = await play(session, iter([(tool, json.dumps(arguments))]))
        clock.append(played.took[0])
        own.append(played.came[0] - played.ran[0])
    return min(clock), min(own)


def least(work: Callable[[], object]) -> float:
    """Milliseconds by the clock."""
    times: list[float] = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        work()
        times.append((time.perf_counter() - begun) * 1000)
    return min(times)


def piped(folder: Path, command: str) -> None:
    whole = f"{command} | wc -c"
    subprocess.run(["bash", "-c", whole], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def fill(path: Path, megabytes: float) -> None:
    lines = (f"{number}: {WORD} turns, as block {number * 37} comes up" for number in range(76_000))
    block = "\n".join(lines)[: BLOCK - 1] + "\n"
    with path.open("w") as file:
        for _ in range(round(megabytes * 1e6) // BLOCK):
            file.write(block)
