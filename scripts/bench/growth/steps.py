"""One turn of many steps: each reads a file, and all that was read stands in the next request.

Beside it the request written as JSON, which each of ours is within the figure too.
"""

import json
import os
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from statistics import median

from common import table

from growth.playing import REAL, Played, now, opened, play
from plimsoll.providers.openai import request_body

STEPS = tuple(map(int, os.environ.get("PLIMSOLL_BENCH_STEPS", "50 500").split()))
"""A turn of 5,000 takes some minutes on a busy machine."""
LOOKED_AT = 40
LINES = 20
WINDOW = 16_000_000
HEAD = ["steps", "a step", "slowest", "in its tool", "json.dumps", "the whole turn"]


async def bench() -> None:
    with tempfile.TemporaryDirectory(dir=REAL) as name:
        folders = {count: Path(name, str(count)) for count in STEPS}
        for folder in folders.values():
            folder.mkdir()
        rows = [await row(folder, count) for count, folder in folders.items()]
    print(f"milliseconds of the processor, of the last {LOOKED_AT} steps of a turn the median\n")
    table(HEAD, rows)


async def row(folder: Path, count: int) -> list[str]:
    async with opened(folder, WINDOW) as session:
        played = await play(session, calls(folder, count), steps=count + 1)
    figures = (*last_steps(played), written(played))
    whole = (played.left[-1] - played.left[0]) / 1000
    return [f"{count:,}", *(f"{each:.1f}" for each in figures), f"{whole:.1f} s"]


def last_steps(played: Played) -> tuple[float, float, float]:
    left = played.left[-LOOKED_AT - 1 :]
    steps = [after - before for before, after in pairwise(left)]
    ran = zip(played.ran[-LOOKED_AT:], played.came[-LOOKED_AT:], strict=True)
    return median(steps), max(steps), median(came - began for began, came in ran)


def written(played: Played) -> float:
    assert played.request is not None
    body, begun = request_body(played.request), now()
    json.dumps(body)
    return now() - begun


def calls(folder: Path, count: int) -> Iterator[tuple[str, str]]:
    for number in range(count):
        path = folder / f"part_{number}.py"
        lines = (f"value_{line} = {number * line}  # of part {number}" for line in range(LINES))
        path.write_text("\n".join(lines))
        yield "file_read", json.dumps({"path": path.name})
