"""What an append of one short message costs in sessions that another agent has fed.

The same at each size, if an append costs what is new and not what stands. A prune of old results
is pending all the while, since no request of ours has carried anything.
"""

import argparse
import asyncio
import json
import os
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median

from common import app, messages, table

from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.session.session import Session
from plimsoll.session.transfer.incoming import Incoming, IncomingCall, entries_of

RUNS = 9
WORDS, BATCH = 700, 400
WINDOW = 4_000_000
HEAD = ["log", "tokens", "entries", "processor time", "slowest"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, nargs="*", default=[1, 3, 7])
    rows = asyncio.run(bench(parser.parse_args().megabytes))
    print(f"one short message, processor time of all threads, median of {RUNS}\n")
    table(HEAD, rows)
    print(f"load at the end: {os.getloadavg()[0]:.1f}")


async def bench(sizes: list[float]) -> list[list[str]]:
    rows: list[list[str]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with app(folder, WINDOW) as opened:
            session = await (await opened.project(folder.as_uri())).new()
            source, fed = recorded(), 0
            for size in sizes:
                while fed < size * 1e6:
                    batch = list(islice(source, BATCH))
                    fed += sum(len(part.text) for each in batch for part in each.parts)
                    await feed(session, batch)
                rows.append(await measured(session, fed))
    return rows


async def measured(session: Session, size: int) -> list[str]:
    took: list[float] = []
    for number in range(RUNS):
        role = Role.ASSISTANT if number % 2 else Role.USER
        text = Part(kind=PartKind.TEXT, text=f"One more thing, number {number}.")
        begun = time.process_time()
        await feed(session, [Incoming(role=role, parts=(text,))])
        took.append((time.process_time() - begun) * 1000)
    fold = session.state.log.fold
    counts = [f"{size / 1e6:.1f} MB", f"{fold.view.tokens:,}", f"{len(fold.entries):,}"]
    return [*counts, f"{median(took):.0f} ms", f"{max(took):.0f} ms"]


async def feed(session: Session, batch: list[Incoming]) -> None:
    state = session.state
    await session.feed(lambda: entries_of(batch, state.log.fold, state.clock))


def recorded() -> Iterator[Incoming]:
    """Yield questions, calls, results and answers as an editor's own agent sends them."""
    for said in messages(1_000_000, WORDS):
        part = said.parts[0]
        text = (Part(kind=PartKind.TEXT, text=part.text),)
        match part.kind:
            case PartKind.CALL:
                arguments = json.loads(part.text)
                call = IncomingCall(part.call_id or "", part.name or "", arguments)
                yield Incoming(role=said.role, parts=(), calls=(call,))
            case PartKind.RESULT:
                yield Incoming(role=said.role, parts=text, call_id=part.call_id, name=part.name)
            case _:
                yield Incoming(role=said.role, parts=text)


if __name__ == "__main__":
    main()
