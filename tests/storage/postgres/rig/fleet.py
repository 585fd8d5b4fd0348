"""A fleet of machines that work on one project while its server dies and its wires break."""

import asyncio
import random
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace

from plimsoll.memory.types import Memory
from plimsoll.storage.postgres.opening import open_team
from plimsoll.storage.postgres.team.sessions import MachineName
from plimsoll.storage.shared.base import TeamServer
from storage.postgres.crew import Crew, crew_of
from storage.postgres.engine import Engine
from storage.postgres.rig.machines import Machine, Writer
from storage.postgres.rig.pooler import pooling
from storage.postgres.rig.proxy import Cut, Proxy, between
from storage.samples import record, unchanged

CUTS = 0.04
"""The share of commits at which the connection breaks, half of them after the engine has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How many machines do how much, and how often the server is killed meanwhile."""

    machines: int
    changes: int
    """Of each machine."""
    kills: int
    appends: int = 0
    """Of each of two machines to one session that both believe to hold."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What became of it."""

    acknowledged: int
    cuts: int
    kills: int
    retries: int
    refused: int
    """Appends of a machine that did not hold the session any more."""


class Progress:
    """Counts what was acknowledged, and wakes who waits for a number of it."""

    def __init__(self) -> None:
        self.count = 0
        self._waiting: list[tuple[int, asyncio.Event]] = []

    def tick(self) -> None:
        self.count += 1
        for number, event in self._waiting:
            if self.count >= number:
                event.set()

    async def reached(self, number: int) -> None:
        event = asyncio.Event()
        self._waiting.append((number, event))
        await event.wait()


async def set_sail(engine: Engine, plan: Plan, chance: random.Random) -> Figures:
    """Run a plan by way of a pooler and a wire that breaks, and check what is there afterwards."""
    crew = await crew_of(engine)
    await crew.enlist("ada")
    await crew.enlist("bob")
    async with AsyncExitStack() as stack:
        pooler = stack.enter_context(pooling(engine))
        proxy = await stack.enter_async_context(between(pooler.port))
        # A pooler before the engine, and before that the wire.
        opened = _Opened(crew, lambda url: proxy.before(pooler.before(url)))
        stack.push_async_callback(opened.close)
        proxy.cut_at_commit = lambda: _cut(chance)
        return await _work(engine, opened, proxy, plan, chance)


class _Opened:
    """The servers as the machines see them."""

    def __init__(self, crew: Crew, through: Callable[[str], str]) -> None:
        self._crew, self._through = crew, through
        self._teams: list[TeamServer] = []

    def team(self, person: str, machine: str) -> TeamServer:
        url = self._through(self._crew.url_of(person))
        here = MachineName(machine, f"{machine} of {person}")
        self._teams.append(open_team(url, self._crew.project, unchanged, machine=here))
        return self._teams[-1]

    async def close(self) -> None:
        for each in self._teams:
            await each.close()


def _cut(chance: random.Random) -> Cut | None:
    return chance.choice([Cut.BEFORE, Cut.AFTER]) if chance.random() < CUTS else None


async def _work(
    engine: Engine, opened: _Opened, proxy: Proxy, plan: Plan, chance: random.Random
) -> Figures:
    progress = Progress()
    machines = [
        Machine(
            name=f"m{number}",
            server=opened.team(("ada", "bob")[number % 2], f"m{number}"),
            chance=random.Random(chance.random()),
            told=progress.tick,
        )
        for number in range(plan.machines)
    ]
    writers = [
        Writer(name=name, server=opened.team("ada", name), record=record(), told=progress.tick)
        for name in ("laptop", "desk")
        if plan.appends
    ]
    total = plan.machines * plan.changes + len(writers) * plan.appends
    await asyncio.gather(
        *(machine.work(plan.changes) for machine in machines),
        *(writer.work(plan.appends) for writer in writers),
        _kill(engine, progress, [total * n // (plan.kills + 1) for n in range(1, plan.kills + 1)]),
    )
    proxy.cut_at_commit = lambda: None
    await _check_memories([*machines, _stranger(opened, chance)])
    if writers:
        await _check_log(writers, plan.appends)
    return Figures(
        progress.count,
        proxy.cuts,
        plan.kills,
        sum(each.retries for each in (*machines, *writers)),
        sum(writer.refused for writer in writers),
    )


async def _kill(engine: Engine, progress: Progress, moments: list[int]) -> None:
    for moment in moments:
        await progress.reached(moment)
        await asyncio.to_thread(engine.kill)
        await asyncio.to_thread(engine.start)


def _stranger(opened: _Opened, chance: random.Random) -> Machine:
    """A machine that has done nothing, and reads all from the beginning."""
    server = opened.team("bob", "new")
    return Machine(name="new", server=server, chance=chance, told=lambda: None)


async def _check_memories(machines: list[Machine]) -> None:
    """Check that each machine sees what was acknowledged to any, once, and nothing else."""
    kept = {name: one for machine in machines for name, one in machine.memories.items()}
    forgotten = {name for machine in machines for name in machine.forgotten}
    expected = {name: _seen(one) for name, one in kept.items()}
    for machine in machines:
        memories, gone = await machine.news()
        assert {name: _seen(one) for name, one in memories.items()} == expected, machine.name
        assert gone == forgotten, machine.name


def _seen(memory: Memory) -> Memory:
    """A memory as everybody has it: who looks decides whose name stands at it."""
    return replace(memory, author_name=None)


async def _check_log(writers: list[Writer], appends: int) -> None:
    """Check that both see one log with each entry once."""
    logs = [await writer.server.sessions.read(writer.record.id) for writer in writers]
    assert logs[0][1] == logs[1][1]
    names = [entry.id for entry in logs[0][1]]
    assert logs[0][0].length == len(names)
    wanted = {f"{writer.name}-{n}" for writer in writers for n in range(appends)}
    assert len(names) == len(set(names))
    assert set(names) == wanted
    for writer in writers:
        own = [name for name in names if name.startswith(f"{writer.name}-")]
        assert own == [f"{writer.name}-{n}" for n in range(appends)]
