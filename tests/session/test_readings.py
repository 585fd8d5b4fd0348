"""Readings that overlap with what a person does meanwhile: go on, switch off, close, fork."""

import asyncio
from pathlib import Path

from session.harness import harness
from session.test_remembering import HELLO, MODEL, PHRASES, Quiet, watched


async def test_a_reading_that_runs_ends_with_the_session(tmp_path: Path) -> None:
    begun, never = asyncio.Event(), asyncio.Event()

    async def gate(_name: str) -> None:
        begun.set()
        await never.wait()

    steps = (HELLO, {"text": ["", {"gate": "reading"}]}, HELLO)
    async with harness(tmp_path, *steps, memory=MODEL, gate=gate) as own:
        watched(own.session)
        await own.turn("I prefer tabs over spaces.")
        await begun.wait()
        # The person goes on while the model reads: the next reading waits for this one.
        await own.turn("Go on.")
        await own.session.close()
        assert len(own.provider.requests) == 3
        assert await own.project.environment.memories.inbox() == []


async def test_what_is_switched_off_while_it_waits_is_not_read(tmp_path: Path) -> None:
    async with harness(tmp_path, HELLO, memory=MODEL) as own:
        quiet = Quiet()
        reading = watched(own.session, quiet)
        await own.turn("I prefer tabs over spaces.")
        own.memory.append(PHRASES)
        quiet.over.set()
        await reading.settle()
        assert len(own.provider.requests) == 1
