"""From the result of a command to the next request, as its output grows.

Beside it what nobody can do without: the output counted by tiktoken, the request written as JSON.
"""

import json
import tempfile
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from statistics import median

from common import table

from growth.playing import REAL, Played, now, opened, play
from plimsoll.providers.openai import request_body
from plimsoll.session.session import Session
from plimsoll.tokens.vocabulary import Vocabularies

SIZES, RUNS = (12_000, 120_000, 1_200_000), 10
WINDOW = 8_000_000
HEAD = ["output", "in the tool", "after it", "tiktoken", "json.dumps"]


async def bench() -> None:
    with tempfile.TemporaryDirectory(dir=REAL) as name:
        folder = Path(name)
        async with opened(folder, WINDOW) as session:
            # What the first command and the first count load is not the output's.
            await played(session, folder, 1_000)
            rows = [await row(session, folder, size) for size in SIZES]
    print(f"milliseconds of the processor, least and median of {RUNS}; no child's is in them\n")
    table(HEAD, rows)


async def row(session: Session, folder: Path, size: int) -> list[str]:
    found = await played(session, folder, size)
    text, encoding = output(size, RUNS), Vocabularies().encoding("o200k_base")
    assert found.request is not None
    body = request_body(found.request)
    times = (
        [came - ran for ran, came in zip(found.ran, found.came, strict=True)],
        [left - came for came, left in zip(found.came, found.left[1:], strict=True)],
        taken(lambda: encoding.encode_ordinary(text)),
        taken(lambda: json.dumps(body)),
    )
    return [f"{size / 1000:,.0f} KB", *(f"{min(each):.1f} / {median(each):.1f}" for each in times)]


async def played(session: Session, folder: Path, size: int) -> Played:
    for number in range(RUNS):
        (folder / f"run_{size}_{number}.log").write_text(output(size, number))
    return await play(session, islice(calls(size), RUNS))


def calls(size: int) -> Iterator[tuple[str, str]]:
    for number in range(RUNS):
        yield "shell", json.dumps({"command": f"cat run_{size}_{number}.log"})


def output(size: int, number: int) -> str:
    """A log of so many characters, in no line like another."""
    lines: list[str] = []
    left, line = size, 0
    while left > 0:
        at = f"12:{line // 60 % 60:02}:{line % 60:02}"
        said = f"{at} INFO worker-{line % 7} step {number}.{line}: copied block {line * 37}"
        lines.append(said)
        left, line = left - len(said) - 1, line + 1
    return "\n".join(lines)


def taken(work: Callable[[], object]) -> list[float]:
    times: list[float] = []
    for _ in range(RUNS):
        begun = now()
        work()
        times.append(now() - begun)
    return times
