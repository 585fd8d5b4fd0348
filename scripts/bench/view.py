"""View and report of a session of 1,000,000 tokens, against writing its request as JSON once.

Each step is what the product does: at opening, before a request, and when somebody looks.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from common import AT, app, best_of, export_of, messages, table

from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.context.log.serialization import encode
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.request_messages import render
from plimsoll.lsp.features.convert import context, meters
from plimsoll.lsp.wire.base import dump
from plimsoll.providers.openai import request_body
from plimsoll.session.asking.request import request_for
from plimsoll.session.reduction.inspection import report
from plimsoll.session.session import Session
from plimsoll.session.turn.fitting import lighten

RUNS = 5
MESSAGES, WORDS = 4_000, 700
WINDOW = 2_000_000
HEAD = ["step", "best of 5", "of json.dumps"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=MESSAGES)
    asyncio.run(bench(parser.parse_args().messages))


async def bench(count: int) -> None:
    said = list(messages(count, WORDS))
    export = export_of(said, encode)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with app(folder, WINDOW, "memory", prunes=False) as opened:
            session = await (await opened.project(folder.as_uri())).take_in(export)
            yardstick = measure(session, said)
        async with app(folder, WINDOW, "memory") as opened:
            session = await (await opened.project(folder.as_uri())).take_in(export)
            await measure_pruning(session, yardstick)


def measure(session: Session, said: list[Said]) -> float:
    """Everything stands word for word; returns the yardstick."""
    state, fold = session.state, session.state.log.fold
    budget = state.model.budget
    body = request_body(request_for(fold, budget, "bench"))
    yardstick = best_of(RUNS, lambda: json.dumps(body))
    print(f"{len(said):,} messages, {fold.view.tokens:,} tokens; the counts are known\n")
    steps: dict[str, Callable[[], object]] = {
        "json.dumps of the request": lambda: json.dumps(body),
        "fold and view from nothing": lambda: Fold(fold.ledger, said).view,
        "append a message, view again": lambda: (fold.append(another(fold)), fold.view),
        "render the messages": lambda: render(fold.view),
        "render, prove and build the request": lambda: request_for(fold, budget, "bench"),
        "meter": state.load.meter,
        "report": lambda: report(state),
        "report, as it crosses the wire": lambda: dump(
            context.report(
                meters.meter(session.id, state.load.meter()),
                report(state),
                detail=True,
                offset=0,
                limit=None,
            )
        ),
    }
    table(HEAD, [row(name, best_of(RUNS, work), yardstick) for name, work in steps.items()])
    return yardstick


async def measure_pruning(session: Session, yardstick: float) -> None:
    """The same with pruning on: before its first request, all old results are due at once."""
    state = session.state
    first, again = best_of(1, state.load.meter), best_of(RUNS, state.load.meter)
    begun = time.perf_counter()
    await lighten(state)
    done = (time.perf_counter() - begun) * 1000
    left = f"{state.log.fold.view.tokens:,} tokens are left"
    rows = [
        row("meter while a prune of all old results is due", first, yardstick),
        row("the same, asked again", again, yardstick),
        row(f"make it, so that {left}", done, yardstick),
        row("meter afterwards", best_of(RUNS, state.load.meter), yardstick),
    ]
    print()
    table(HEAD, rows)


def row(name: str, took: float, yardstick: float) -> list[str]:
    return [name, f"{took:.1f} ms", f"{took / yardstick:.2f} x"]


def another(fold: Fold) -> Said:
    name = f"more{len(fold.entries)}"
    return Said(
        id=name,
        at=AT,
        role=Role.USER,
        group=name,
        parts=(Part(kind=PartKind.TEXT, text="One more question."),),
    )


if __name__ == "__main__":
    main()
