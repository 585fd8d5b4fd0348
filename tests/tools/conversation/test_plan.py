"""A plan as it is proposed: its text, its steps, and what is none."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import pytest

from plimsoll.errors import ToolFailed
from plimsoll.tools.conversation.plan import LONGEST, MOST_STEPS, Plan, steps_of
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.conversation import Conversation

TEXT = """Plan:
1. Read the lock
2. Mend it

Files: lock.py, keys.py

Checks:
- pytest tests/test_lock.py"""


class Session:
    """A conversation that keeps the plan that was accepted."""

    def __init__(self) -> None:
        self.kept: tuple[str, Sequence[str]] | None = None

    def check_plan(self, text: str) -> None:
        assert text

    async def accept_plan(self, text: str, steps: Sequence[str]) -> None:
        self.kept = text, steps


@pytest.fixture
def session() -> Session:
    return Session()


@pytest.fixture
def there(context: CallContext, session: Session) -> CallContext:
    return replace(context, conversation=cast("Conversation", session))


async def test_a_person_is_asked_about_the_very_text_that_is_kept(there, session):
    intent = Plan().prepare(
        {
            "steps": ["Read the lock", "Mend it"],
            "files": ["lock.py", "keys.py"],
            "checks": ["pytest tests/test_lock.py"],
        },
        there,
    )
    assert (intent.title, intent.ask, intent.approval) == ("Plan of 2 steps", True, "")
    assert intent.proposal == TEXT
    assert session.kept is None
    await Plan().run(intent, there)
    assert session.kept == (TEXT, ("Read the lock", "Mend it"))


async def test_what_the_person_made_of_it_is_kept(there, session):
    intent = Plan().prepare({"steps": ["Read the lock"]}, there)
    edited = "Plan:\n1) Read the lock\n   and its key\n- Oil it\nPaint it\n\nchecks:\n- look"
    outcome = await Plan().run(replace(intent, proposal=edited), there)
    assert session.kept == (edited, ("Read the lock", "Oil it", "Paint it"))
    assert "its 3 steps are your tasks" in outcome.text


def test_nothing_of_a_plan_is_hidden(there):
    steps = ["Read\u202e the lock\n2. Push\x1b[8m"]
    intent = Plan().prepare({"steps": steps, "files": [" "]}, there)
    assert intent.proposal == "Plan:\n1. Read⟨U+202E⟩ the lock⏎2. Push⟨U+001B⟩[8m"


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"steps": []},
        {"steps": [""]},
        {"steps": [" "]},
        {"steps": "Read it"},
        {"steps": ["x"] * (MOST_STEPS + 1)},
        {"steps": ["x" * 501]},
        {"steps": ["x" * 400] * (LONGEST // 400)},
        {"steps": ["x"], "files": "a.py"},
        {"steps": ["x"], "mode": "edit"},
    ],
)
def test_what_is_no_plan_is_refused_before_anybody_is_asked(there, arguments):
    with pytest.raises(ToolFailed):
        Plan().prepare(arguments, there)


@pytest.mark.parametrize("emptied", ["", "  \n", "Plan:\n", "Plan:\n\nFiles: a.py\n1. x", "1. \n"])
async def test_a_plan_that_a_person_emptied_is_no_plan(there, session, emptied):
    intent = Plan().prepare({"steps": ["Read the lock"]}, there)
    with pytest.raises(ToolFailed, match="no plan"):
        await Plan().run(replace(intent, proposal=emptied), there)
    assert session.kept is None


def test_the_steps_of_a_text():
    assert [*steps_of(TEXT)] == ["Read the lock", "Mend it"]
