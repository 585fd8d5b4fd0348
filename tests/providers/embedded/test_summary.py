from plimsoll.context.log.messages import Call, Message, Role
from plimsoll.providers.base import Request
from plimsoll.providers.embedded.decide import next_move

TALK = (
    Message(id="m0", role=Role.SYSTEM, text="You help."),
    Message(id="m1", role=Role.USER, text="Make the ledger exact.\nNever round."),
    Message(
        id="m2",
        role=Role.ASSISTANT,
        text="We will sum integers.",
        calls=(
            Call("c1", "file_edit", '{"path":"src/ledger.py"}'),
            Call("c2", "shell", '{"command":"pytest -q"}'),
        ),
    ),
    Message(id="m3", role=Role.TOOL, text="ok", call_id="c1", name="file_edit"),
    Message(id="m4", role=Role.TOOL, text="1 failed", call_id="c2", name="shell"),
    Message(id="m5", role=Role.USER, text="Go on."),
    Message(id="m6", role=Role.USER, text="Summarize the conversation so far, please."),
)
EXPECTED = """\
## What was asked
- Make the ledger exact. Never round.
- Go on.

## What tools did
- file_edit src/ledger.py
- shell pytest -q

"""


def test_a_conversation_is_summed_up_in_the_words_that_were_said():
    move = next_move(Request(model="embedded", messages=TALK))
    assert move.text.startswith(EXPECTED)
    assert move.calls == ()
