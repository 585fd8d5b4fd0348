import pytest

from plimsoll.context.log.messages import Call, Message, Role
from plimsoll.providers.base import Request
from plimsoll.providers.embedded.decide import next_move
from plimsoll.providers.embedded.summary import HEADINGS, asks_for_summary

ORDER = f"Summarise the conversation under the headings {', '.join(HEADINGS)}."
TALK = (
    Message(id="m0", role=Role.SYSTEM, text="You help."),
    Message(id="m1", role=Role.USER, text="Make the ledger exact in src/ledger.py. Never round."),
    Message(
        id="m2",
        role=Role.ASSISTANT,
        text="We will sum integers. See src/ledger.py:12.\nNext: the report.",
        calls=(
            Call("c1", "file_edit", '{"path":"src/ledger.py"}'),
            Call("c2", "shell", '{"command":"pytest -q"}'),
        ),
    ),
    Message(id="m3", role=Role.TOOL, text="ok", call_id="c1", name="file_edit"),
    Message(id="m4", role=Role.TOOL, text="1 failed\nError: 3 != 4", call_id="c2", name="shell"),
    Message(id="m5", role=Role.USER, text="Go on."),
)
EXPECTED = """\
## Goal
- Make the ledger exact in src/ledger.py. Never round.

## Key instructions
- Make the ledger exact in src/ledger.py. Never round.

## Key decisions
- We will sum integers. See src/ledger.py:12.

## Discoveries
- src/ledger.py:12
- 1 failed
- Error: 3 != 4

## Accomplished
- file_edit src/ledger.py
- shell pytest -q

## In progress
- Go on.

## Next steps
- Next: the report.

## Relevant files
- src/ledger.py
"""


def test_a_compaction_gets_a_summary_from_the_words_that_were_said():
    request = Request(
        model="embedded", messages=(*TALK, Message(id="m6", role=Role.USER, text=ORDER))
    )
    move = next_move(request)
    assert move.text == EXPECTED
    assert move.calls == ()


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (ORDER, True),
        ("Summarize everything so far.", True),
        ("Where is the summary built?", False),
        ("Goal, Next steps and Relevant files of this?", False),
    ],
)
def test_what_asks_for_a_summary(text: str, asked: bool):
    assert asks_for_summary(text) is asked
