"""Pins of the folder reach a session whatever runs in it, and each only once."""

import asyncio
from pathlib import Path

from plimsoll.context.log.entries import Pinned
from plimsoll.session.ports.content import PromptText
from session.harness import harness


async def test_a_pin_enters_while_this_server_works_in_the_session(tmp_path: Path):
    async with harness(tmp_path, script="echo") as own:
        async with own.session.holding():
            pin = await own.project.pins.add("Stay.")

            assert list(own.session.state.log.fold.pins) == [pin.id]
        await own.project.pins.remove(pin.id)
        assert own.session.state.log.fold.pins == {}


async def test_a_pin_waits_while_another_server_works_in_the_session(tmp_path: Path):
    async with harness(tmp_path, script="echo") as own:
        lease = await own.store.acquire(own.session.id)
        own.store.holds = lambda _: False

        pin = await own.project.pins.add("Stay.")

        assert own.session.state.log.fold.pins == {}
        await own.store.release(lease)
        await own.turn("go on")
        assert list(own.session.state.log.fold.pins) == [pin.id]


async def test_many_at_once_enter_once_each(tmp_path: Path):
    async with harness(tmp_path, script="echo") as own:
        pins = (own.project.pins.add(f"Rule {number}.") for number in range(6))

        await asyncio.gather(own.session.prompt([PromptText("go")]), *pins)
        await own.session.wait()

        pinned = [entry for entry in own.entries if isinstance(entry, Pinned)]
        assert sorted(pin.text for pin in pinned) == [f"Rule {number}." for number in range(6)]
        assert len({pin.id for pin in pinned}) == len({pin.number for pin in pinned}) == 6
        await own.consistent()
