"""Which item a refusal is about: by the place that it names, or by the id of a call."""

import pytest

from plimsoll.context.log.messages import Call, Image, Message, Role
from plimsoll.providers.base import Request
from plimsoll.providers.http.refusals import Refusal
from plimsoll.providers.mends.mend import Mend
from plimsoll.providers.mends.places import item_at
from plimsoll.providers.mends.spelling import id_of_form, valid_id

LONG, ODD = "call-" + "x" * 80, "call:one.two"
IDS = Mend(way="ids", to="=9")
PICTURE = Image("image/png", "AAAABBBB")


def said(item: str, text: str = "", **more: object) -> Message:
    return Message(id=item, role=Role.USER, text=text, items=(f"{item}.0", f"{item}.1"), **more)


def result(item: str, call_id: str) -> Message:
    return Message(id=item, role=Role.TOOL, text="ok", call_id=call_id, items=(f"{item}.0",))


def called(item: str, call_id: str) -> Message:
    calls = (Call(call_id, "grep", "{}"),)
    return Message(id=item, role=Role.ASSISTANT, text="", calls=calls, items=(f"{item}.0",))


MESSAGES = (
    Message(id="s", role=Role.SYSTEM, text="Be brief.", items=("s.0",)),
    said("u", "Look."),
    called("c", LONG),
    result("r", LONG),
    called("d", ODD),
    result("t", ODD),
    said("p", "A picture.", images=(PICTURE,)),
)
BODY = {
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Look."},
        {"role": "assistant", "tool_calls": [{"id": valid_id(LONG)}]},
        {"role": "tool", "tool_call_id": valid_id(LONG), "content": "ok"},
        {"role": "assistant", "tool_calls": [{"id": id_of_form(ODD, "=9")}]},
        {
            "role": "user",
            "content": [
                {"tool_use_id": id_of_form(ODD, "=9"), "content": "ok"},
                {"text": "A picture."},
                {"url": "data:image/png;base64,AAAABBBB"},
            ],
        },
        {"role": "user", "content": "(read)"},
        {"type": "function_call_output", "call_id": valid_id(LONG), "output": "ok"},
        {"type": "function_call", "call_id": valid_id(LONG)},
    ]
}


def found(message: str, field: str = "", *, kind: str | None = None, mends=(IDS,)) -> str | None:
    refusal = Refusal(kind=kind, message=message, field=field)
    return item_at(refusal, BODY, Request(model="m", messages=MESSAGES), mends)


@pytest.mark.parametrize(
    ("message", "item"),
    [
        ("Invalid 'messages[1].content': oh", "u.0"),
        ("messages.2.tool_calls: oh", "c.0"),
        ("Invalid 'messages[3]'", "r.0"),
        ("input[4]: oh", "d.0"),
        ("contents.5.content.0: oh", "t.0"),
        ("messages.5.content.1: oh", "p.0"),
        ("messages.5.content.2.image: oh", "p.0"),
        # The first of those that the whole row was made of.
        ("messages.5: oh", "t.0"),
        ("messages.5.content.3: oh", "t.0"),
        ("messages.0: oh", None),
        ("messages.6: oh", None),
        ("messages.7: oh", "r.0"),
        ("messages.8: oh", "c.0"),
        ("messages.9: oh", None),
        ("messages.70.content.0: oh", None),
        ("oh", None),
    ],
)
def test_the_place_in_a_refusal_leads_to_what_was_said(message: str, item: str | None):
    assert found(message) == item


def test_a_place_that_is_told_beside_the_message_counts_too():
    assert found("oh", "messages[1].content") == "u.0"


@pytest.mark.parametrize(
    ("sent", "item"),
    [
        (LONG, "c.0"),
        (valid_id(LONG), "c.0"),
        (valid_id(LONG, characters=True), "c.0"),
        (id_of_form(LONG, "=9"), "c.0"),
        (id_of_form(valid_id(LONG), "=9"), "c.0"),
        (ODD, "d.0"),
        (valid_id(ODD, characters=True), "d.0"),
        (id_of_form(ODD, "=9"), "d.0"),
    ],
)
def test_a_call_is_known_by_its_id_in_every_form_in_which_it_was_sent(sent: str, item: str):
    assert found(f"tool call {sent} has no result") == item


def test_an_id_of_a_form_that_was_not_sent_is_nobodys():
    assert found(f"tool call {id_of_form(ODD, '=9')} has no result", mends=()) is None


@pytest.mark.parametrize(("call_id", "item"), [("abcdefg", None), ("abcdefgh", "c.0")])
def test_a_short_id_may_stand_in_any_text_and_tells_nothing(call_id: str, item: str | None):
    request = Request(model="m", messages=(called("c", call_id),))
    refusal = Refusal(kind=None, message=f"call {call_id} is unknown")
    assert item_at(refusal, {"messages": []}, request, ()) == item


def test_a_refused_image_is_the_last_item_of_its_message():
    assert found("messages.5.content.2.image: oh", kind="image") == "p.1"
    assert found("messages.1.content: oh", kind="image") == "u.0"


@pytest.mark.parametrize("rows", [None, "text", ["text"], [[{"content": "Look."}]]])
def test_a_body_of_another_shape_has_no_places(rows: object):
    refusal = Refusal(kind=None, message="messages.0: oh")
    request = Request(model="m", messages=MESSAGES)
    assert item_at(refusal, {"messages": rows}, request, ()) is None
