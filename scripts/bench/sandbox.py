"""What a command costs in each sandbox of this machine, beside the same command bare, in turn.

Bare is the shell with `true`, started and waited for with its output; supervised is the product's
way without a sandbox. Then what the look for protected names costs in a large workspace, beside one
walk through its folders, and what it costs to move away thousands that a command made.
"""

import asyncio
import os
import tempfile
import time
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

from common import Nobody, table

from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.process.confinement.base import Access, Confine
from plimsoll.tools.process.confinement.probe import RUNGS, probe
from plimsoll.tools.process.confinement.protection.guarding import guard
from plimsoll.tools.process.confinement.protection.looking import Protection
from plimsoll.tools.process.environment import child_environment
from plimsoll.tools.process.processes import Processes, shell_path

ROUNDS = 40
LARGE = 24_000
"""Folders, of which one in twelve is not ignored."""
MADE = 10_000
FOLDERS = (".git/hooks", ".vscode", "src")
FILES = (".git/config", "AGENTS.md", "pyproject.toml")
HEAD = ["true", "median", "more than bare", "of bare", "least", "least more", "to look"]
START = "bare"


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="plimsoll-") as made:
        asyncio.run(compare(Path(os.path.realpath(made))))
    with tempfile.TemporaryDirectory(prefix="plimsoll-") as made:
        look_through(Path(os.path.realpath(made)))


async def compare(folder: Path) -> None:
    """Print each rung's row, and why one does not work here."""
    root = workspace(folder / "work")
    environment = child_environment(os.environ)
    access = Access(root=root, home=Path.home(), caches=folder / "data" / "caches")
    ways: dict[str, Confine | None] = {"supervised": None}
    for rung in RUNGS:
        found = probe(environment, rungs=(rung,))
        if found.sandbox is not None:
            ways[rung] = partial(found.sandbox.confine, access=access)
        for one in found.unavailable:
            print(f"{one.rung}: {one.why}")
    print(f"\n{ROUNDS} rounds, each of all rows; milliseconds from the wish to the end\n")
    context = CallContext(
        root=root, documents=Nobody(), spill_folder=folder, environment=environment
    )
    took: dict[str, list[float]] = {name: [] for name in (START, *ways)}
    looked: dict[str, list[float]] = {name: [0.0] for name in took}
    processes = Processes()
    for _ in range(ROUNDS):
        took[START].append(await bare(environment, root))
        for name, confine in ways.items():
            took[name].append(await started(processes, context, confine))
            if confine is not None:
                looked[name].append(look(confine))
    await processes.close()
    table(HEAD, [row(name, took, looked) for name in took])


def workspace(root: Path) -> Path:
    """A small project with a few protected names."""
    for name in FOLDERS:
        (root / name).mkdir(parents=True)
    for name in FILES:
        (root / name).write_text("")
    return root


async def bare(environment: dict[str, str], root: Path) -> float:
    begun = time.perf_counter()
    running = await asyncio.create_subprocess_exec(
        *(str(shell_path()), "-c", "true"),
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=STDOUT,
        cwd=root,
        env=environment,
        start_new_session=True,
    )
    _ = await running.communicate()
    return (time.perf_counter() - begun) * 1000


async def started(processes: Processes, context: CallContext, confine: Confine | None) -> float:
    begun = time.perf_counter()
    running = await processes.start("true", context, confine)
    ended = await running.wait()
    assert ended is not None
    assert ended.code == 0, await running.new_output()
    return (time.perf_counter() - begun) * 1000


def look(confine: Confine) -> float:
    """Looking at the folders alone: it is a part of the start."""
    begun = time.perf_counter()
    confined = confine(("/bin/true",))
    took = (time.perf_counter() - begun) * 1000
    # What it laid over the workspace would stand in the way of every later command.
    if confined.guard is not None:
        _ = confined.guard.finish()
    return took


def look_through(folder: Path) -> None:
    """Print what it costs to look at a large workspace, again and again, and to set it right."""
    root = workspace(folder / "work")
    (root / ".gitignore").write_text("node_modules/\n")
    for number in range(LARGE):
        above = "src" if number % 12 == 0 else "node_modules"
        (root / above / f"p{number // 100}" / f"d{number}").mkdir(parents=True)
    walked = timed(lambda: deque(os.walk(root), maxlen=0))
    protection = Protection(root, Path.home())
    first = timed(protection.look)
    later = median(timed(protection.look) for _ in range(9))
    guarded = guard(protection, folder / "aside")
    made = timed(lambda: make_settings(root / "src"))
    settled = timed(guarded.settle)
    print(f"\n{LARGE:,} folders; milliseconds\n")
    rows = [("one walk", walked), ("first look", first), ("later look", later)]
    told = [*rows, (f"making {MADE:,} names", made), ("setting that right", settled)]
    table(["of a workspace", "took"], [[name, f"{took:.1f} ms"] for name, took in told])


def make_settings(folder: Path) -> None:
    for number in range(MADE):
        (folder / f"made{number}" / ".vscode").mkdir(parents=True)


def timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    _ = work()
    return (time.perf_counter() - begun) * 1000


def row(name: str, took: dict[str, list[float]], looked: dict[str, list[float]]) -> list[str]:
    middle, usual = median(took[name]), median(took[START])
    least = min(took[name])
    figures = (middle, middle - usual, least, least - min(took[START]), median(looked[name]))
    told = [f"{figure:.1f} ms" for figure in figures]
    return [name, *told[:2], f"{middle / usual:.1f}", *told[2:]]


if __name__ == "__main__":
    main()
