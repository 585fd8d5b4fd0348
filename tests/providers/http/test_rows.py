"""Rows that stay: made once while requests carry their message, and the same as if made anew."""

import copy

import pytest

from plimsoll.context.log.messages import Call, Image, Message, Role
from plimsoll.providers.http.json_body import Body, encode_body
from plimsoll.providers.http.rows import LastRows
from plimsoll.providers.mends.conversation import mend_rows
from plimsoll.providers.mends.mend import Mend, Way
from plimsoll.providers.openai import request_body
from plimsoll.providers.reasoning import Asked
from providers.support import request

ASKED = Asked("chat", "https://host/v1", "m")
IMAGE = Image("image/png", "aGk=")


def step(number: int) -> list[Message]:
    """One call and its result, with an image in each second one."""
    call = Call(f"c{number}", "file_read", f'{{"path":"{number}.py"}}')
    images = (IMAGE,) if number % 2 else ()
    return [
        Message(id=f"a{number}", role=Role.ASSISTANT, text="", calls=(call,)),
        Message(
            id=f"r{number}", role=Role.TOOL, text=f"text {number}", call_id=call.id, images=images
        ),
    ]


def conversation(steps: int) -> list[Message]:
    said = [Message(id="u", role=Role.USER, text="Go through the parts.")]
    return [*said, *(each for number in range(steps) for each in step(number))]


def test_a_row_is_made_once_while_requests_carry_its_message():
    made: list[str] = []

    def row(message: Message) -> Body:
        made.append(message.id)
        return {"id": message.id}

    rows, said = LastRows(), conversation(3)
    rows.of(said[:5], ASKED, row)
    assert [each["id"] for _, each in rows.of(said, ASKED, row)] == [each.id for each in said]
    assert made == [each.id for each in said]
    rows.of(said[1:], ASKED, row)
    rows.of(said, ASKED, row)
    assert made[len(said) :] == ["u"], "what a request left out is made anew"


def test_another_model_gets_rows_of_its_own():
    rows, said = LastRows(), conversation(1)
    rows.of(said, ASKED, lambda _: {"for": "one"})
    asked = Asked("chat", ASKED.address, "other")
    other = rows.of(said, asked, lambda _: {"for": "other"})
    assert {each["for"] for _, each in other} == {"other"}


def test_a_body_is_byte_for_byte_what_it_is_without_kept_rows():
    rows, said = LastRows(), conversation(6)
    shorter = [*said[:2], Message(id=said[2].id, role=Role.TOOL, text="[note]", call_id="c0")]
    for messages in (said[:3], said[:7], shorter, [*shorter, *said[3:]], said[1:], said):
        asked = request(*messages)
        assert encode_body(request_body(asked, rows=rows)) == encode_body(request_body(asked))


@pytest.mark.parametrize("way", ["turns", "system", "filled", "give", "ids"])
def test_what_a_server_has_otherwise_leaves_the_kept_rows_as_they_are(way: Way):
    rows, asked = LastRows(), request(*conversation(4))
    before = copy.deepcopy(request_body(asked, rows=rows))
    to = {"system": "user", "ids": "=9"}.get(way, "")
    mends = [Mend(way=way, what="extra_content", to=to)]
    mend_rows(request_body(asked, rows=rows), mends)
    assert request_body(asked, rows=rows) == before
