"""A conversation in the form that a server takes: who speaks when, and what each row must have."""

import pytest

from plimsoll.providers.mends.conversation import mend_rows
from plimsoll.providers.mends.mend import Mend

READ, GO_ON = {"role": "assistant", "content": "(read)"}, "(The conversation goes on.)"


def user(text: object = "u") -> dict[str, object]:
    return {"role": "user", "content": text}


def model(text: object = "a", **more: object) -> dict[str, object]:
    return {"role": "assistant", "content": text, **more}


def system(text: object = "s", role: str = "system") -> dict[str, object]:
    return {"role": role, "content": text}


CALL = {"id": "c.1", "type": "function", "function": {"name": "grep"}}
TOOL = {"role": "tool", "tool_call_id": "c.1", "content": "ok"}


@pytest.mark.parametrize(
    ("mend", "rows", "mended"),
    [
        (Mend(way="turns"), [user(), user()], [user(), READ, user()]),
        (Mend(way="turns"), [user(), model(), user()], [user(), model(), user()]),
        (Mend(way="turns"), [model(), user()], [user(GO_ON), model(), user()]),
        (Mend(way="turns"), [system(), model()], [system(), user(GO_ON), model(), user(GO_ON)]),
        (
            Mend(way="turns"),
            [user(), model("a"), model("b"), user()],
            [user(), model("a"), user(GO_ON), model("b"), user()],
        ),
        (
            Mend(way="turns"),
            [user(), model(tool_calls=[CALL]), TOOL, model(), user()],
            [user(), model(tool_calls=[CALL]), TOOL, model(), user()],
        ),
        (Mend(way="turns"), [user(), model(tool_calls=[CALL])], None),
        (
            Mend(way="system", to="developer"),
            [system(), user()],
            [system("s", "developer"), user()],
        ),
        (Mend(way="system", to="user"), [system(), user()], [user("s\n\nu")]),
        (Mend(way="system", to="user"), [system(), model()], [user("s"), model()]),
        (Mend(way="system", to="user"), [system()], [user("s")]),
        (Mend(way="system", to="user"), [user(), system("t", "developer")], [user(), user("t")]),
        (
            Mend(way="system", to="user"),
            [system(), system("t"), user([{"type": "image"}]), user("v")],
            [user([{"type": "text", "text": "s\n\nt"}, {"type": "image"}]), user("v")],
        ),
        (
            Mend(way="filled"),
            [user(""), model(None), user(" \n"), {"role": "user"}, user("u")],
            [user("(empty)"), model("(empty)"), user("(empty)"), {"role": "user"}, user("u")],
        ),
        (
            Mend(way="filled"),
            [{"type": "function_call_output", "output": ""}, {"type": "x", "output": "o"}],
            [{"type": "function_call_output", "output": "(empty)"}, {"type": "x", "output": "o"}],
        ),
        (
            Mend(way="filled"),
            [user([{"text": ""}, {"content": ""}, {"text": "t"}, "raw"])],
            [user([{"text": "(empty)"}, {"content": "(empty)"}, {"text": "t"}, "raw"])],
        ),
        (
            Mend(way="give", what="reasoning_content"),
            [model(tool_calls=[CALL]), model(tool_calls=[CALL], reasoning_content="r"), model()],
            [
                model(tool_calls=[CALL], reasoning_content=""),
                model(tool_calls=[CALL], reasoning_content="r"),
                model(),
            ],
        ),
        (
            Mend(way="ids", to="<=40"),
            [model(tool_calls=[{**CALL, "id": "c1"}]), {"type": "message", "id": "m.1"}],
            None,
        ),
    ],
)
def test_a_conversation_is_sent_as_the_server_wants_it(
    mend: Mend, rows: list[object], mended: list[object] | None
):
    expected = rows if mended is None else mended
    assert mend_rows({"messages": rows, "n": 1}, [mend]) == {"messages": expected, "n": 1}
    assert mend_rows({"input": rows}, [mend]) == {"input": expected}


def test_a_signature_of_a_foreign_call_is_given_and_ones_own_kept():
    own = {**CALL, "extra_content": {"google": {"thought_signature": "mine"}}}
    rows = [model(tool_calls=[CALL, own])]
    (row,) = mend_rows({"messages": rows}, [Mend(way="give", what="extra_content")])["messages"]
    signatures = [call["extra_content"]["google"] for call in row["tool_calls"]]
    assert signatures == [
        {"thought_signature": "skip_thought_signature_validator"},
        {"thought_signature": "mine"},
    ]


def test_a_call_and_its_result_get_the_same_new_id_in_every_dialect():
    rows = [
        model(tool_calls=[CALL]),
        TOOL,
        model([{"type": "tool_use", "id": "c.1"}, {"type": "text", "id": "c.1"}]),
        user([{"type": "tool_result", "tool_use_id": "c.1"}]),
        {"type": "function_call", "call_id": "c.1", "id": "fc.1"},
    ]
    sent = mend_rows({"messages": rows}, [Mend(way="ids", to="=9")])["messages"]
    ids = [
        sent[0]["tool_calls"][0]["id"],
        sent[1]["tool_call_id"],
        sent[2]["content"][0]["id"],
        sent[3]["content"][0]["tool_use_id"],
        sent[4]["call_id"],
    ]
    assert (len(set(ids)), len(ids[0]), ids[0].isalnum()) == (1, 9, True)
    assert (sent[2]["content"][1]["id"], sent[4]["id"]) == ("c.1", "fc.1")


def test_mends_of_other_parts_and_bodies_without_a_conversation_change_nothing():
    body = {"messages": [user()]}
    assert mend_rows(body, [Mend(way="omit", what="store")]) == body
    assert mend_rows({"messages": "text"}, [Mend(way="turns")]) == {"messages": "text"}
