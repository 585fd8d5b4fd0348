"""What it costs before a request to ask whether files have changed that were read in one turn."""

import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from common import AT, app, table

from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import Part, PartKind, Role, Source, canonical
from plimsoll.session.state.session_state import SessionState
from plimsoll.session.turn.staleness import own_change_notes
from plimsoll.session.turn.telling_stale import tell_stale
from plimsoll.text.lines import version_of
from plimsoll.tools.ports.intent import TextChange

READS, RUNS, LINES = (50, 500, 5_000), 7, 20
WINDOW = 8_000_000
REAL = Path(tempfile.gettempdir()).resolve()
"""A project is known by its real path."""
HEAD = ["reads that stand", "nothing has changed", "one has", "the agent edits one", "view built"]


async def bench() -> None:
    rows = [await row(count) for count in READS]
    print(f"milliseconds of the processor, the least of {RUNS}; beside them a view built anew\n")
    table(HEAD, rows)


async def row(count: int) -> list[str]:
    with tempfile.TemporaryDirectory(dir=REAL) as name:
        folder = Path(name)
        async with app(folder, WINDOW) as own:
            session = await (await own.project(folder.as_uri())).new()
            state = session.state
            await state.log.append(*reads(folder, count))
            await tell_stale(state)
            last = folder / f"part_{count - 1}.py"
            took = [
                await least(lambda: tell_stale(state)),
                await least(lambda: tell_stale(state), lambda: change(last)),
                await least(lambda: edit(state, last, content(count - 1))),
                await least(lambda: build(state)),
            ]
    return [f"{count:,}", *(f"{each:.2f}" for each in took)]


async def least(work: Callable[[], Awaitable[None]], before: Callable[[], object] = dict) -> float:
    found: list[float] = []
    for _ in range(RUNS):
        before()
        begun = time.process_time()
        await work()
        found.append((time.process_time() - begun) * 1000)
    return min(found)


def change(path: Path) -> None:
    path.write_text(path.read_text() + "\nmore")


async def edit(state: SessionState, path: Path, text: str) -> None:
    own_change_notes(state, TextChange(path=path, before=text, after=f"{text}\nmore"))


async def build(state: SessionState) -> None:
    state.log.fold.reprice(state.log.fold.ledger)
    _ = state.log.fold.view


def reads(folder: Path, count: int) -> Iterator[Said]:
    for number in range(count):
        path = folder / f"part_{number}.py"
        text = content(number)
        path.write_text(text)
        call, source = f"c{number}", Source(path.as_uri(), version=version_of(text))
        asked = Part(
            kind=PartKind.CALL,
            text=canonical({"path": path.name}),
            call_id=call,
            name="file_read",
        )
        came = Part(kind=PartKind.RESULT, text=text, call_id=call, name="file_read", source=source)
        group = f"a{number}"
        yield said(group, Role.ASSISTANT, group, asked)
        yield said(f"r{number}", Role.TOOL, group, came)


def content(number: int) -> str:
    return "\n".join(f"line {number} {line} of the file" for line in range(LINES))


def said(name: str, role: Role, group: str, part: Part) -> Said:
    return Said(id=name, at=AT, role=role, group=group, parts=(part,), turn="t1")
