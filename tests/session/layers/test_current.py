"""The workplace of a live session: told at its beginning, at the tail once they change."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from plimsoll.context.log.entries import Framed
from plimsoll.session.ports.agent import MAIN, Agent
from plimsoll.session.ports.clock import CountedClock
from plimsoll.session.state.held import agent_note, held_agent
from session.harness import Harness, harness


class Calendar(CountedClock):
    """A clock whose day the test sets."""

    def __init__(self) -> None:
        super().__init__()
        self.day = "2026-11-24"

    def today(self) -> str:
        return self.day


@dataclass(frozen=True)
class Told:
    """Texts of the newest request: of its system message, and of what follows."""

    head: str
    tail: tuple[str, ...]


def told(own: Harness) -> Told:
    head, *rest = own.provider.requests[-1].messages
    return Told(head.text, tuple(message.text for message in rest))


def checkout(folder: Path, branch: str) -> None:
    (folder / ".git").mkdir(exist_ok=True)
    (folder / ".git/HEAD").write_text(f"ref: refs/heads/{branch}\n")


def where(own: Harness, branch: str) -> str:
    return (
        f"System: Linux 6.8; shell: bash. Folder: {own.folder}. Git branch: {branch}. "
        "Agent: main, depth 0."
    )


async def test_a_new_day_and_another_branch_enter_at_the_tail(tmp_path):
    calendar = Calendar()
    async with harness(tmp_path, *[{"text": "Yes."}] * 4, clock=calendar) as own:
        await own.turn("One.")
        first = told(own)
        assert where(own, "none") in first.head
        assert first.head.endswith("Date: 2026-11-24.")
        calendar.day = "2026-11-25"
        checkout(own.folder, "side")
        await own.turn("Two.")
        second = told(own)
        assert second.head == first.head
        assert second.tail == ("One.", "Yes.", where(own, "side"), "Date: 2026-11-25.", "Two.")
        await own.turn("Three.")
        assert told(own).tail == (*second.tail, "Yes.", "Three.")
        await own.consistent()


@pytest.mark.slow
async def test_a_branch_that_the_model_checks_out_is_told_with_its_next_request(tmp_path):
    command = "mkdir .git; echo 'ref: refs/heads/made' > .git/HEAD"
    call = {"name": "shell", "arguments": {"command": command}}
    async with harness(tmp_path, {"calls": [call]}, {"text": "Done."}) as own:
        await own.turn("Make a branch.")
        assert told(own).tail[-1] == where(own, "made")
        await own.consistent()


async def test_a_session_without_these_frames_gets_them_at_the_tail(tmp_path):
    async with harness(tmp_path, *[{"text": "Yes."}] * 2) as own:
        await own.turn("One.")
        older = [e for e in own.entries if not (isinstance(e, Framed) and e.slot in NEW)]
        record = own.session.state.record
        await own.project.delete(own.session.id)
        await own.project.environment.store.create(record, older)
        own.session = await own.project.load(record.id)
        await own.turn("Two.")
        assert "Agent:" not in told(own).head
        assert told(own).tail == ("One.", "Yes.", where(own, "none"), "Date: 2000-01-01.", "Two.")
        await own.consistent()


NEW = ("environment", "date")


@pytest.mark.parametrize("agent", [MAIN, Agent("explore", 1), Agent("work", 2)])
def test_the_log_keeps_which_agent_a_session_is(agent: Agent):
    assert held_agent([agent_note(agent, CountedClock())]) == agent
