"""View and report of a session of 1,000,000 tokens, against writing its request as JSON once.

Each step is what the product does: at opening, before a request, and when somebody looks.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Callable
from pathlib import Path

from common import AT, app, best_of, export_of, messages, table

from plimsoll.context.entries import Said
from plimsoll.context.fold import Fold
from plimsoll.context.messages import Kind, Part, Role
from plimsoll.context.serialization import encode
from plimsoll.context.view import render
from plimsoll.lsp.convert import context
from plimsoll.lsp.protocol.wire import dump
from plimsoll.providers.openai_wire import request_body
from plimsoll.session.inspection import report
from plimsoll.session.request import request_for
from plimsoll.session.session import Session

RUNS = 5
MESSAGES, WORDS = 4_000, 700
WINDOW = 2_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=MESSAGES)
    asyncio.run(bench(parser.parse_args().messages))


async def bench(count: int) -> None:
    said = list(messages(count, WORDS))
    with tempfile.TemporaryDirectory() as folder:
        async with app(Path(folder), WINDOW, store="memory") as opened:
            project = await opened.project(Path(folder).as_uri())
            session = await project.take_in(export_of(said, encode))
            measure(session, said)


def measure(session: Session, said: list[Said]) -> None:
    state, fold = session.state, session.state.log.fold
    request = request_for(fold, state.model.budget, "bench")
    body = json.loads(request_body(request))
    yardstick = best_of(RUNS, lambda: json.dumps(body))
    print(f"{len(said):,} messages, {fold.view.tokens:,} tokens; the counts are known\n")
    steps: dict[str, Callable[[], object]] = {
        "fold and view from nothing": lambda: Fold(fold.ledger, said).view,
        "append a message, view again": lambda: (fold.append(another(fold)), fold.view),
        "render the messages": lambda: render(fold.view),
        "render, prove and build the request": lambda: request_for(
            fold, state.model.budget, "bench"
        ),
        "meter, with what the pre-flight would do": state.meter,
        "report": lambda: report(state),
        "report, as it crosses the wire": lambda: dump(
            context.report(session.id, report(state), detail=True, offset=0, limit=None)
        ),
    }
    rows = [["json.dumps of the request", f"{yardstick:.1f} ms", "1.00 x"]]
    for name, work in steps.items():
        took = best_of(RUNS, work)
        rows.append([name, f"{took:.1f} ms", f"{took / yardstick:.2f} x"])
    table(["step", "best of 5", "of json.dumps"], rows)


def another(fold: Fold) -> Said:
    name = f"more{len(fold.entries)}"
    return Said(name, AT, Role.USER, name, (Part(Kind.TEXT, "One more question."),))


if __name__ == "__main__":
    main()
