"""What a person waits for at the compact mark, and what a summary costs that comes to nothing.

A session of 128k is filled to the warning mark, a turn is made, then to the compact mark, and
another turn: five times, then a new one begins. The cases take turns. Wait: from the prompt to the
moment at which its request reaches the model, in milliseconds. Beside turns that reach no mark and
those at whose mark the digest serves stand those for which a slow utility model writes beside the
turn: it is ready, it is not and the digest serves, or it is asked at the turn's own server and
gives way. Extra: over the median of the digest; at most 300 ms at p95 are asked. Dropped: the
tokens that were sent for a summary that came to nothing, beside those of the requests of its
session.
"""

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from common import AT, app, table, text

from plimsoll.context.log.entries import Edited, Said, Stage
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.context.log.notes import BREAKER, notes_of_kind
from plimsoll.providers.base import Chunk, Finished, Request, TextDelta
from plimsoll.session.background.beside_turn import LONG_WAIT
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.model import Model
from plimsoll.session.session import Session

IN_SESSION = 5
"""Compactions of one session: what a digest costs grows with all that was ever said."""
MOST = 300
"""Milliseconds of extra wait that are asked at p95."""
WINDOW = 128_000
HERE = "http://127.0.0.1:8080"
GOOD = "## Goal\nGo on.\n\n## Next steps\nGo on."
Case = Literal["no mark", "digest", "ready", "not ready", "own server"]
CASES: tuple[Case, ...] = ("no mark", "digest", "ready", "not ready", "own server")


class Chat:
    """Answers at once, and notes when it was asked."""

    def __init__(self) -> None:
        self.asked: list[float] = []

    async def stream(self, _request: Request) -> AsyncGenerator[Chunk, None]:
        self.asked.append(time.perf_counter())
        yield TextDelta("Done.")
        yield Finished("endTurn")

    async def close(self) -> None: ...


class Writer:
    """Writes a summary in so many seconds, and counts what it was sent."""

    def __init__(self, seconds: float, count: Callable[[str], int]) -> None:
        self._seconds, self._count = seconds, count
        self.whole = self.dropped = 0
        self.dropped_tokens = 0

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        try:
            await asyncio.sleep(self._seconds)
        except asyncio.CancelledError:
            self.dropped += 1
            self.dropped_tokens += sum(self._count(message.text) for message in request.messages)
            raise
        self.whole += 1
        yield TextDelta(GOOD)
        yield Finished("endTurn")

    async def close(self) -> None: ...


class Shelf:
    """The models of the bench: one that answers, one that writes summaries."""

    def __init__(self, models: object, utility: Model) -> None:
        self._models, self._utility = models, utility

    async def utility_for(self, _model: str) -> Model:
        return self._utility

    def __getattr__(self, name: str) -> object:
        return getattr(self._models, name)


@dataclass(kw_only=True)
class Run:
    """The turns of one case."""

    session: Session
    chat: Chat
    writer: Writer
    waits: list[float] = field(default_factory=list)
    sent: int = 0
    """Tokens of the requests of the turns."""
    filled: int = 0

    async def fill(self, load: int) -> None:
        """Let the next request come to so many tokens."""
        state = self.session.state
        while state.log.fold.view.tokens < load:
            self.filled += 1
            await state.append(*exchange(self.filled))

    async def turn(self, *, measured: bool = False) -> None:
        begun = time.perf_counter()
        await self.session.prompt([PromptText("Go on.")])
        await self.session.wait()
        self.sent += self.session.state.log.fold.view.tokens
        if measured:
            self.waits.append((self.chat.asked[-1] - begun) * 1_000)


@dataclass(frozen=True, kw_only=True)
class Figures:
    """What was measured of one case."""

    waits: list[float]
    """Milliseconds of each turn at the mark."""
    sent: int
    """Tokens of the requests of the turns."""
    written: int
    dropped: int
    dropped_tokens: int


SOURCE = random.Random(7)


def exchange(number: int) -> tuple[Said, Said]:
    """A call with a result of 400 words."""
    call = Part(kind=PartKind.CALL, text="{}", call_id=f"c{number}", name="file_read")
    told = replace(call, kind=PartKind.RESULT, text=text(SOURCE, 400))
    group = f"a{number}"
    asked = Said(id=group, at=AT, role=Role.ASSISTANT, group=group, parts=(call,), turn="t0")
    return asked, replace(asked, id=f"r{number}", role=Role.TOOL, parts=(told,))


async def opened(session: Session, case: Case, seconds: float) -> Run:
    """A session that two models of the bench serve as the case has it."""
    state = session.state
    pruning = replace(state.model.settings.pruning, enabled=False)
    at_mark = "digest" if case in {"no mark", "digest"} else "model"
    compaction = replace(state.model.settings.compaction, at_mark=at_mark, idle_seconds=0)
    settings = replace(state.model.settings, pruning=pruning, compaction=compaction)
    chat, writer = Chat(), Writer(seconds, state.model.ledger.bare)
    here = {"address": HERE, "local": True} if case == "own server" else {}
    model = replace(state.model, id="bench/chat", provider=chat, settings=settings, **here)
    utility = replace(model, id="bench/utility", provider=writer)
    state.models.all = Shelf(state.models.all, utility)
    await state.load.use_model(model)
    return Run(session=session, chat=chat, writer=writer)


async def cycle(run: Run, case: Case) -> None:
    """Fill to the warning mark, then to the compact mark, each with a turn; measure the second."""
    budget, ahead = run.session.state.model.budget, run.session.state.load.ahead_of_mark
    if case == "no mark":
        await run.turn(measured=True)
        return
    await run.fill(budget.warning)
    await run.turn()
    if case == "ready":
        await ahead.settle()
    elif case == "own server":
        # As while a tool runs: after a while the turn's own server is asked.
        ahead.begin(waiting=True)
        await asyncio.sleep(LONG_WAIT + 0.5)
    await run.fill(budget.compact + 1_500)
    await run.turn(measured=True)
    # What a digest has made void is given up before the next request.
    await ahead.make_way()


async def measure(folder: Path, case: Case, times: int, seconds: float) -> Run:
    async with app(folder, WINDOW) as product:
        project = await product.project(folder.as_uri())
        run = await opened(await project.new(), case, seconds)
        await run.turn()
        if case == "no mark":
            await run.fill(run.session.state.model.budget.warning * 9 // 10)
        for _ in range(times):
            await cycle(run, case)
        check(run, case, times)
        return run


def joined(runs: list[Run]) -> Figures:
    """The figures of all sessions of a case."""
    return Figures(
        waits=[wait for run in runs for wait in run.waits],
        sent=sum(run.sent for run in runs),
        written=sum(run.writer.whole for run in runs),
        dropped=sum(run.writer.dropped for run in runs),
        dropped_tokens=sum(run.writer.dropped_tokens for run in runs),
    )


def check(run: Run, case: Case, times: int) -> None:
    """What the case is about has happened each time, else its figures say nothing."""
    entries = run.session.state.log.fold.entries
    stages = [each.stage for each in entries if isinstance(each, Edited)]
    expected = {"no mark": [], "ready": [Stage.COMPACT] * times}
    assert stages == expected.get(case, [Stage.DIGEST] * times), (case, stages)
    assert not list(notes_of_kind(entries, BREAKER)), case


def p95(waits: list[float]) -> float:
    return statistics.quantiles(waits, n=20, method="inclusive")[-1]


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50, help="turns at the mark of each case")
    parser.add_argument("--seconds", type=float, default=2.0, help="what a summary takes")
    parser.add_argument("--case", choices=CASES, nargs="*", default=CASES, help="all of them")
    asked = parser.parse_args()
    cases: tuple[Case, ...] = tuple(dict.fromkeys(("digest", *asked.case)))
    runs: dict[Case, list[Run]] = {case: [] for case in cases}
    for begun in range(0, asked.times, IN_SESSION):
        for case in cases:
            times = min(IN_SESSION, asked.times - begun)
            with tempfile.TemporaryDirectory() as folder:
                runs[case].append(await measure(Path(folder), case, times, asked.seconds))
    figures: dict[Case, Figures] = {case: joined(of_case) for case, of_case in runs.items()}
    plain = statistics.median(figures["digest"].waits)
    head = ("case", "turns", "p50", "p95", "most", "extra p95", "written", "dropped", "tokens each")
    table((*head, "of sent"), [row(case, of_case, plain) for case, of_case in figures.items()])
    worst = max(p95(of_case.waits) - plain for of_case in figures.values())
    print(f"extra wait at p95: {worst:.0f} ms (at most {MOST})")


def row(case: Case, figures: Figures, plain: float) -> tuple[str, ...]:
    waits, dropped = figures.waits, figures.dropped
    each = figures.dropped_tokens // dropped if dropped else 0
    return (
        case,
        f"{len(waits)}",
        f"{statistics.median(waits):.0f}",
        f"{p95(waits):.0f}",
        f"{max(waits):.0f}",
        f"{p95(waits) - plain:.0f}",
        f"{figures.written}",
        f"{dropped}",
        f"{each:,}",
        f"{100 * figures.dropped_tokens / figures.sent:.1f} %",
    )


if __name__ == "__main__":
    asyncio.run(main())
