"""Opening a session of 50,000 messages, against reading and parsing its bare rows.

What a person waits for is the meter of the session: read, decode, count, fold, mend, build the
view, plan what is due. The first opening of a process counts every text; a later one knows the
counts. Appending is one durable message.
"""

import argparse
import asyncio
import json
import sqlite3
import tempfile
import time
from collections.abc import Awaitable
from contextlib import closing
from pathlib import Path

from common import AT, app, export_of, messages, table

from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.context.log.serialization import encode
from plimsoll.session.session import Session

MESSAGES, WORDS, APPENDS = 50_000, 120, 50
WINDOW = 200_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=MESSAGES)
    asyncio.run(bench(parser.parse_args().messages))


async def bench(count: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        export = export_of(list(messages(count, WORDS)), encode)
        rows: list[tuple[str, float]] = []
        async with app(folder, WINDOW) as first:
            project = await first.project(folder.as_uri())
            rows.append(("import, store and show it", await took(shown(project.take_in(export)))))
        (database,) = (folder / "data").rglob("*.db")
        begun = time.perf_counter()
        size = read_bare(database)
        yardstick = (time.perf_counter() - begun) * 1000
        print(f"{count:,} messages, {size / 1e6:.0f} MB of rows\n")
        async with app(folder, WINDOW) as second:
            project = await second.project(folder.as_uri())
            rows.append(
                ("open and show it in a new process's stead", await took(shown(project.load())))
            )
            project.live.clear()
            rows.append(("open and show it again, counts known", await took(shown(project.load()))))
            rows.append(("list the sessions", await took(project.list())))
            session = await project.load()
            begun = time.perf_counter()
            for number in range(APPENDS):
                await session.state.log.append(note(number))
            each = (time.perf_counter() - begun) * 1000 / APPENDS
            rows.append(("append one durable message", each))
        lines = [["read and parse the bare rows", f"{yardstick:.0f} ms", "1.00 x"]]
        lines += [[name, f"{ms:.1f} ms", f"{ms / yardstick:.2f} x"] for name, ms in rows]
        table(["step", "took", "of bare rows"], lines)


async def shown(opening: Awaitable[Session]) -> None:
    """Open a session up to what is shown of it first."""
    (await opening).state.load.meter()


async def took(work: Awaitable[object]) -> float:
    begun = time.perf_counter()
    await work
    return (time.perf_counter() - begun) * 1000


def note(number: int) -> Said:
    name = f"note{number}"
    return Said(
        id=name,
        at=AT,
        role=Role.USER,
        group=name,
        parts=(Part(kind=PartKind.TEXT, text="One more question."),),
    )


def read_bare(database: Path) -> int:
    """What no store can do without."""
    with closing(sqlite3.connect(database)) as connection:
        bodies = [row[0] for row in connection.execute("SELECT body FROM entries")]
    for body in bodies:
        json.loads(body)
    return sum(map(len, bodies))


if __name__ == "__main__":
    main()
