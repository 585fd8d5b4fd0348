"""A stored session opened in a process of its own, and what a person is shown first of it."""

import asyncio
import json
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path

from append import BATCH, feed, recorded
from common import app, table

MESSAGES = (400, 4_000, 10_000)
"""4,000 are 1.1M tokens; ten times that no model holds."""
WINDOW = 4_000_000
STEPS = ("first open", "open", "shown", "list", "meter", "report")
YARDSTICKS = ("sqlite", "json", "tiktoken")
HEAD = ["messages", "tokens", *STEPS, *YARDSTICKS, "memory"]


async def bench() -> None:
    rows = [await asyncio.to_thread(row, count) for count in MESSAGES]
    print("milliseconds of the processor; first: before anything that was read of it is kept\n")
    table(HEAD, rows)


def row(count: int) -> list[str]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        session = asyncio.run(stored(folder, count))
        argv = [sys.executable, "-m", "growth.opened", name, session]
        first, took = (
            json.loads(subprocess.run(argv, check=True, capture_output=True).stdout)
            for _ in range(2)
        )
    took["first open"] = first["open"]
    figures = [f"{took[each]:.0f}" for each in (*STEPS, *YARDSTICKS)]
    return [f"{count:,}", f"{took['tokens']:,}", *figures, f"{took['megabytes']:.0f} MB"]


async def stored(folder: Path, count: int) -> str:
    async with app(folder, WINDOW) as own:
        session = await (await own.project(folder.as_uri())).new()
        source = islice(recorded(), count)
        while batch := list(islice(source, BATCH)):
            await feed(session, batch)
        return session.id
