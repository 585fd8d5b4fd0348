"""A turn that is cancelled: what people have seen stays, and every call has its answer."""

import asyncio

from plimsoll.context.log.messages import Role
from plimsoll.errors import StoreUnavailable
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.events import TextArrived, TurnEnded
from plimsoll.session.state.cost import cost_rows
from plimsoll.session.turn.closing import NOT_BEGUN
from session.harness import harness

PAUSE = {"gate": "middle"}
READ = {"name": "file_read", "arguments": {"path": "load.txt"}}
WRITE = {"name": "file_write", "arguments": {"path": "new.txt", "content": "x"}}


async def test_cancel_in_the_middle_keeps_the_text_and_what_it_says_is_true(tmp_path):
    opened = asyncio.Event()
    step = {"text": ["Half an ", PAUSE, "answer."]}
    async with harness(tmp_path, step, {"text": "Yes."}, gate=lambda _: opened.wait()) as own:
        await own.session.prompt([PromptText("Speak.")])
        while not own.heard(TextArrived):
            await asyncio.sleep(0)
        assert await own.session.cancel()
        assert own.said() == [("user", "Speak."), ("assistant", "Half an ")]
        assert [event.reason for event in own.heard(TurnEnded)] == ["cancelled"]
        assert not await own.session.cancel()
        (row,) = cost_rows(own.entries)
        assert row.estimated == row.input + row.output > 500
        await own.consistent()
        assert (await own.turn("Go on?")).reason == "endTurn"
        answers = [m.text for m in own.provider.requests[-1].messages if m.role is Role.ASSISTANT]
        assert answers == ["Half an "]


async def test_cancel_while_a_person_is_asked_answers_every_call(tmp_path):
    async with harness(tmp_path, {"calls": [READ, WRITE, READ]}) as own:
        (own.folder / "load.txt").write_text("7\n")
        asked = asyncio.Event()

        async def ask(*_):
            asked.set()
            await asyncio.Event().wait()

        own.person.ask = ask
        await own.session.prompt([PromptText("Write.")])
        await asked.wait()
        assert await own.session.cancel()
        results = [text for role, text in own.said() if role == "tool"]
        assert "7" in results[0]
        assert results[1:] == [NOT_BEGUN, NOT_BEGUN]
        assert not (own.folder / "new.txt").exists()
        await own.consistent()


async def test_a_cancel_whose_calls_cannot_be_answered_says_why(tmp_path):
    async with harness(tmp_path, {"calls": [WRITE]}) as own:

        async def ask(*_):
            await own.store.close()
            asyncio.current_task().cancel()
            await asyncio.Event().wait()

        own.person.ask = ask
        ended = await own.turn("Write.")
        assert (ended.reason, type(ended.error)) == ("error", StoreUnavailable)
