"""What a search of names and of lines costs as a folder grows, beside plain ripgrep in one run.

Of each the median of the clock and of the processor's time, that of child processes with it.
"""

import argparse
import asyncio
import os
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median

from common import Nobody, table

from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.tool import AnyTool
from plimsoll.tools.search.glob import Glob
from plimsoll.tools.search.grep import Grep
from plimsoll.tools.search.searching import Searches

RUNS = 5
IN_A_FOLDER = 100
TEXT = "def budget(window):\n    return window - 1\n" * 40
HEAD = ["files", "search", "clock", "beside rg", "processor", "beside rg"]
# Each search with what plain ripgrep is asked for in its place.
SEARCHES = {
    "lines, few": ("grep", {"pattern": "needle"}, ["needle"]),
    "lines, none": ("grep", {"pattern": "no such word"}, ["no such word"]),
    "lines, in all files": ("grep", {"pattern": "budget"}, ["budget"]),
    "lines of one folder": (
        *("grep", {"pattern": "needle", "glob": "part_1/**"}),
        ["needle", "part_1"],
    ),
    "names": ("glob", {"pattern": "**/file_7.py"}, ["--files", "--glob=file_7.py"]),
    "names of one folder": ("glob", {"pattern": "part_1/**"}, ["--files", "part_1"]),
}
Took = tuple[float, float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, nargs="*", default=[10_000, 100_000])
    parser.add_argument("--rg", default=shutil.which("rg"), help="the ripgrep program")
    chosen = parser.parse_args()
    if chosen.rg is None:
        parser.error("there is no rg on the PATH: name one with --rg")
    rows = [[f"{n:,}", *row] for n in chosen.files for row in bench(n, chosen.rg)]
    print(f"median of {RUNS}, each beside plain ripgrep\n")
    table(HEAD, rows)
    print(f"load at the end: {os.getloadavg()[0]:.1f}")


def bench(size: int, program: str) -> list[list[str]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(os.path.realpath(name)) / "work"
        fill(folder, size)
        return asyncio.run(compared(folder, program))


async def compared(folder: Path, program: str) -> list[list[str]]:
    rows: list[list[str]] = []
    context = CallContext(
        root=folder,
        documents=Nobody(),
        spill_folder=folder.parent,
        environment=dict(os.environ),
        ripgrep=program,
    )
    searches = Searches()
    tools: dict[str, AnyTool] = {"grep": Grep(searches), "glob": Glob(searches)}
    for title, (tool, arguments, plain) in SEARCHES.items():
        ours: list[Took] = []
        theirs: list[Took] = []
        for _ in range(RUNS):
            ours.append(await timed(lambda t=tools[tool], a=arguments: used(t, a, context)))
            command = [program, "--no-config", *plain]
            theirs.append(await timed(lambda c=command: asyncio.to_thread(run, c, folder)))
        rows.append([title, *figures(ours, theirs)])
    searches.close()
    return rows


def fill(folder: Path, size: int) -> None:
    """Lay a repository of so many small files, a hundred in a folder."""
    for number in range(size):
        part, inner = divmod(number // IN_A_FOLDER, 10)
        path = folder / f"part_{part}" / f"inner_{inner}" / f"file_{number % IN_A_FOLDER}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{TEXT}needle\n" if number % 1_000 == 7 else TEXT)
    (folder / ".gitignore").write_text("*.pyc\nbuild/\nnode_modules/\n*.log\n")
    run(["git", "init", "-q"], folder)
    run(["git", "add", "-A"], folder)


async def used(tool: AnyTool, arguments: dict[str, object], context: CallContext) -> None:
    intent = tool.prepare(arguments, context)
    outcome = await tool.run(intent, context)  # pyright: ignore[reportArgumentType]
    assert not outcome.text.startswith("[stopped"), outcome.text


def run(command: list[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=False)


async def timed(act: Callable[[], Awaitable[None]]) -> Took:
    begun, before = time.perf_counter(), processor()
    await act()
    return time.perf_counter() - begun, processor() - before


def processor() -> float:
    used_here = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return sum(one.ru_utime + one.ru_stime for one in used_here)


def figures(ours: list[Took], theirs: list[Took]) -> list[str]:
    told: list[str] = []
    for which in (0, 1):
        mine = median(one[which] for one in ours)
        beside = median(one[which] for one in theirs)
        told += [f"{mine:.2f} s", f"{mine / max(beside, 0.001):.1f}"]
    return told


if __name__ == "__main__":
    main()
