"""What the benches share: a clock, a table, a long session that is the same each time, an app."""

import json
import random
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from plimsoll.app.app import App
from plimsoll.app.front import Front, ProcessInputs
from plimsoll.context.log.entries import Entry, Said
from plimsoll.context.log.messages import Part, PartKind, Role, canonical
from plimsoll.session.ports.asker import Asker, Decision
from plimsoll.settings import ModelSettings, PruningSettings, Settings

AT = "2026-01-01T00:00:00.000Z"
TEXT = """
the a of to in and it is for on with line file test value return name none self list path error call
result token budget ledger view fold entry window state session model text turn group item index
count total effective reserve warning compact blocking Path open read write close append extend if
else while def class import from as not or raise assert 0 1 2 3 10 100 "ok" == != -> () [] {} f"{n}"
build_index load_line render_view pair_results HTTPError plimsoll/context/view/fold.py:118
"""
WORDS = TEXT.split()


def best_of(runs: int, work: Callable[[], object]) -> float:
    """Milliseconds of the fastest run: what the machine can do when nothing else wants it."""
    times: list[float] = []
    for _ in range(runs):
        begun = time.perf_counter()
        work()
        times.append((time.perf_counter() - begun) * 1000)
    return min(times)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """The first column to the left, figures to the right."""
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    for row in (head, *rows):
        first, *figures = (cell for cell in zip(row, widths, strict=True))
        cells = [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in figures)]
        print("  ".join(cells))


def text(source: random.Random, words: int) -> str:
    """Lines of ten words."""
    drawn = source.choices(WORDS, k=words)
    return "\n".join(" ".join(drawn[start : start + 10]) for start in range(0, words, 10))


def messages(count: int, words: int) -> Iterator[Said]:
    """Turns of a question, a call, its result of so many words, and an answer."""
    source = random.Random(7)
    for number in range(count):
        step, turn = number % 4, number // 4
        name, group = f"m{number}", f"m{turn * 4 + 1}"
        call, path = f"c{turn}", f"src/part_{turn % 500}.py"
        said = {
            0: (Role.USER, Part(kind=PartKind.TEXT, text=f"Question {turn}. {text(source, 20)}")),
            1: (Role.ASSISTANT, _call(call, path)),
            2: (
                Role.TOOL,
                Part(
                    kind=PartKind.RESULT, text=text(source, words), call_id=call, name="file_read"
                ),
            ),
            3: (
                Role.ASSISTANT,
                Part(kind=PartKind.TEXT, text=f"Answer {turn}. {text(source, 60)}"),
            ),
        }
        role, part = said[step]
        yield Said(
            id=name,
            at=AT,
            role=role,
            group=group if step in (1, 2) else name,
            parts=(part,),
            turn=f"t{turn}",
        )


def _call(call: str, path: str) -> Part:
    return Part(kind=PartKind.CALL, text=canonical({"path": path}), call_id=call, name="file_read")


class Nobody:
    """Neither an editor nor a person."""

    async def ask(self, *_question: object) -> Decision:
        return Decision(allowed=False)

    def open_files(self) -> tuple[Path, ...]:
        return ()

    def open_text(self, _path: Path) -> None: ...

    async def apply_edit(self, *_edit: object) -> bool:
        return False


@asynccontextmanager
async def app(
    folder: Path,
    window: int,
    store: str = "sqlite",
    *,
    prunes: bool = True,
    asker: Asker | None = None,
) -> AsyncIterator[App]:
    """The product without a front, its data in a folder of its own."""
    model, pruning = ModelSettings(context_window=window), PruningSettings(enabled=prunes)
    settings = replace(Settings(), model=model, pruning=pruning)
    front = Front(
        asker=asker or Nobody(),
        listener=lambda *_: None,
        documents=Nobody(),
        trusted=lambda _: True,
    )
    variables = {"PLIMSOLL_DATA_DIR": str(folder / "data")}
    opened = App(settings, front, ProcessInputs(variables=variables, store=store))
    try:
        yield opened
    finally:
        await opened.close()


def export_of(entries: Sequence[Entry], write: Callable[[Entry], str]) -> str:
    """An export as `plimsoll/context/import` takes it."""
    head = {"plimsollExport": 1, "title": "bench", "mode": "edit", "model": "embedded/search"}
    return "\n".join([json.dumps(head), *map(write, entries)])
