"""What a server refuses is rendered otherwise, once, and remembered for it alone."""

import json
from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.context.log.messages import Call, Image, Message, Role, ToolSchema
from plimsoll.errors import ProviderError
from plimsoll.providers.anthropic import request_body as messages_body
from plimsoll.providers.base import CallFinished, Finished, Mended, Request, TextDelta
from plimsoll.providers.http.refusals import refusal_of
from plimsoll.providers.mends.choosing import mends_for
from plimsoll.providers.mends.conversation import BEGUN, READ, bridge_turns
from plimsoll.providers.mends.known import KnownMends
from plimsoll.providers.mends.mend import Mend, sentence
from plimsoll.providers.mends.mending import Mending, Server
from plimsoll.providers.mends.rendering import LEFT_OUT, apply_mends
from plimsoll.providers.mends.spelling import block_name, id_of_form, valid_id, valid_name
from plimsoll.providers.openai import request_body as chat_body
from plimsoll.providers.openai_responses import request_body as responses_body

SERVER = Server("http://host/v1", "m")
PICTURES = Image("image/png", "AAAA"), Image("image/png", "BBBB")


def user(text: str, *images: Image) -> Message:
    return Message(id=f"u-{text}", role=Role.USER, text=text, items=(f"u{text}.0",), images=images)


def called(call_id: str, name: str = "grep", text: str = "") -> tuple[Message, Message]:
    call = Call(call_id, name, "{}")
    return (
        Message(id=f"a-{call_id}", role=Role.ASSISTANT, text=text, calls=(call,), items=("a.0",)),
        Message(id=f"r-{call_id}", role=Role.TOOL, text="found", call_id=call_id, items=("r.0",)),
    )


def asked(*messages: Message, **fields: object) -> Request:
    return Request(model="m", messages=messages, **fields)


class Refusing:
    """A server that refuses what does not pass, in words of its own."""

    def __init__(self, *rules: tuple[Callable[[dict], bool], str]) -> None:
        self.rules = rules
        self.sent: list[dict] = []
        self.known = KnownMends()

    def ask(self, request: Request, dialect: Callable[[Request], dict] = chat_body) -> list[str]:
        """Ask until it answers; returns what is told, and raises what nothing could mend."""
        mending = Mending(self.known, SERVER, request)
        while True:
            body = mending.body(dialect(mending.request))
            self.sent.append(json.loads(json.dumps(body)))
            words = next((said for rule, said in self.rules if rule(self.sent[-1])), None)
            if words is None:
                chunks = [*mending.with_report(TextDelta("hi"))]
                return [chunk.told for chunk in chunks if isinstance(chunk, Mended)]
            error = ProviderError(words)
            error.refusal = refusal_of(words, 400)
            if not mending.try_mends(error):
                raise error


def told_once(server: Refusing, request: Request, words: str, **how: Callable) -> dict:
    """Ask twice: the first time it is mended and told, the second time nothing is refused."""
    assert server.ask(request, **how) == [words]
    before = len(server.sent)
    assert server.ask(request, **how) == []
    assert len(server.sent) == before + 1
    return server.sent[-1]


@pytest.mark.parametrize("name", ["max_completion_tokens", "max_output_tokens"])
def test_a_field_is_spelled_as_the_server_says(name: str):
    words = f"Unsupported parameter: 'max_tokens'. Use '{name}' instead."
    server = Refusing((lambda b: "max_tokens" in b, words))
    said = f"The server of m calls the field `max_tokens` `{name}`, so it is sent under that name."
    sent = told_once(server, asked(user("hi"), max_output=50), said)
    assert sent[name] == 50


def test_a_field_is_left_out_and_so_are_those_of_schemas_but_no_name_of_an_argument():
    words = "Invalid JSON payload received. Unknown name \"format\" at 'tools[0].parameters'"
    parameters = {"type": "object", "properties": {"format": {"type": "string", "format": "uri"}}}
    server = Refusing((lambda b: '"format": "uri"' in json.dumps(b), words))
    request = asked(user("hi"), tools=(ToolSchema("fetch", "", parameters),))
    sent = told_once(
        server, request, "The server of m does not take the field `format`, so it is left out."
    )
    kept = sent["tools"][0]["function"]["parameters"]
    assert kept == {"type": "object", "properties": {"format": {"type": "string"}}}


@pytest.mark.parametrize(
    ("words", "left_out"),
    [
        ("Invalid request: field required", False),
        ("The format or description of the request is invalid", False),
        ("Invalid schema: required is unsupported", True),
        ("Unknown name 'required'", True),
    ],
)
def test_an_english_word_is_no_field_of_a_schema(words: str, left_out: bool):
    parameters = {"type": "object", "properties": {}, "required": ["description", "format"]}
    request = asked(user("hi"), tools=(ToolSchema("fetch", "what it does", parameters),))
    # The server refuses once, whatever comes next.
    server = Refusing((lambda _: len(server.sent) == 1, words))
    if not left_out:
        with pytest.raises(ProviderError):
            server.ask(request)
        assert server.known.all() == ()
        return
    server.ask(request)
    assert [known.mend.what for known in server.known.all()] == ["required"]


def test_reasoning_is_sent_on_where_its_field_alone_is_refused():
    body = {
        "messages": [{"role": "assistant", "reasoning_content": "…"}],
        "reasoning_effort": "low",
    }
    refusal = refusal_of("Unknown field `reasoning_content`", 400)
    assert refusal.kind == "reasoning"
    first = mends_for(refusal, asked(user("hi")), body, ())
    assert first == (Mend(way="omit", what="reasoning_content"),)
    assert mends_for(refusal, asked(user("hi")), body, first) == (Mend(way="reasoning"),)


def test_two_mends_hold_at_once():
    server = Refusing(
        (lambda b: "stream_options" in b, "Unrecognized request argument: stream_options"),
        (lambda b: b.get("max_tokens", 0) > 8192, "the valid range of max_tokens is [1, 8192]"),
    )
    assert len(server.ask(asked(user("hi"), max_output=16_000))) == 2
    assert server.ask(asked(user("hi"), max_output=16_000)) == []
    assert "stream_options" not in server.sent[-1]
    assert server.sent[-1]["max_tokens"] == 8192


def test_a_mend_that_is_refused_too_is_given_up():
    server = Refusing(
        (lambda b: len(b["messages"][1]["tool_calls"][0]["id"]) != 9, "Tool call id: length of 9"),
        (lambda _: False, ""),
    )
    known = server.known
    known.change(SERVER.address, SERVER.model, hold=[Mend(way="ids", to="<=40")], drop=())
    server.ask(asked(user("hi"), *called("call_" + "k" * 40)))
    assert known.mends_for(SERVER.address, SERVER.model) == (Mend(way="ids", to="=9"),)


def test_what_nothing_mends_ends_and_names_the_item():
    server = Refusing((lambda _: True, "messages[1].tool_calls[0].id: invalid format"))
    with pytest.raises(ProviderError) as raised:
        server.ask(asked(user("hi"), *called("call_1")))
    assert raised.value.data["item"] == "a.0"
    assert len(server.sent) < 6
    assert server.known.all() == ()


def test_an_image_is_taken_out_the_newest_first_and_what_was_said_stays():
    bad = "Could not process image"
    server = Refusing((lambda b: "BBBB" in json.dumps(b), bad))
    request = asked(user("one", PICTURES[0]), user("two", PICTURES[1]))
    server.ask(request)
    told = json.dumps(server.sent[-1])
    assert "AAAA" in told
    assert LEFT_OUT in told
    assert "two" in told


@pytest.mark.parametrize(
    "words",
    [
        "Your input image may contain content that is not allowed by our safety system.",
        "This image violates our usage policies.",
        "Failed to load image",
        "Error loading image: the connection was closed",
    ],
)
def test_one_image_that_is_refused_takes_no_other_away(words: str):
    server = Refusing((lambda b: "BBBB" in json.dumps(b), words))
    server.ask(asked(user("one", PICTURES[0]), user("two", PICTURES[1])))
    assert [known.mend.way for known in server.known.all()] == ["image"]
    server.ask(asked(user("three", Image("image/png", "CCCC"))))
    assert "CCCC" in json.dumps(server.sent[-1])


def test_a_mend_after_which_the_same_is_said_is_not_remembered():
    server = Refusing(
        (
            lambda b: b["messages"][0]["role"] == "system",
            "System messages must be the user's: conversation roles must alternate",
        ),
    )
    request = asked(Message(id="s", role=Role.SYSTEM, text="rules"), user("hi"), user("you"))
    assert len(server.ask(request)) == 1
    assert [known.mend.way for known in server.known.all()] == ["system"]
    assert server.ask(request) == []


@pytest.mark.parametrize(
    "words",
    [
        "image input is not supported by this model",
        "This model does not support images",
        "m is not a multimodal model",
        "No endpoints found that support image input",
        "messages[0]: unknown variant `image_url`, expected `text`",
        "Vision isn't enabled",
    ],
)
def test_a_model_without_eyes_gets_no_image(words: str):
    server = Refusing((lambda b: "image_url" in json.dumps(b), words))
    server.ask(asked(user("one", PICTURES[0]), user("two", PICTURES[1])))
    assert server.known.mends_for(SERVER.address, SERVER.model) == (Mend(way="images"),)


def mistral(body: dict) -> bool:
    roles = [row["role"] for row in body["messages"]]
    return any(pair == ("tool", "user") for pair in pairwise(roles))


def test_a_result_is_followed_by_what_mistral_takes_by_itself():
    server = Refusing((mistral, "Unexpected role 'user' after role 'tool'"))
    assert server.ask(asked(user("hi"), *called("c1"), user("stop"))) == []


def test_turns_of_a_person_alternate_by_themselves():
    """The heading of earlier sessions, a stopped turn and a prompt stand behind one another."""

    def doubled(body: dict) -> bool:
        return ("user", "user") in pairwise(row["role"] for row in body["messages"])

    server = Refusing((doubled, "roles must alternate"))
    assert server.ask(asked(user("one"), user("two"), user("three"))) == []


def test_turns_alternate_where_they_must_and_the_prefix_stays():
    def wants_turns(body: dict) -> bool:
        roles = [row["role"] for row in body["messages"]]
        return any(a == b != "tool" for a, b in pairwise(roles))

    server = Refusing((wants_turns, "roles must alternate"))
    server.ask(asked(user("one"), user("two"), *called("c1"), user("three")))
    rows = server.sent[-1]["messages"]
    assert [row["content"] for row in rows if row["role"] == "user"] == ["one", "two", "three"]
    server.ask(asked(user("one"), user("two"), *called("c1"), user("three"), user("four")))
    assert server.sent[-1]["messages"][: len(rows)] == rows


def test_a_conversation_begins_with_the_user_where_it_must():
    answer = Message(id="a", role=Role.ASSISTANT, text="Hello.")
    server = Refusing(
        (lambda b: b["messages"][0]["role"] != "user", "must start with a user message")
    )
    server.ask(asked(answer, user("hi")))
    assert server.sent[-1]["messages"][0] == {"role": "user", "content": BEGUN}


def test_system_text_is_the_users_where_there_is_no_such_role():
    system = Message(id="s", role=Role.SYSTEM, text="Be brief.")
    server = Refusing((lambda b: "system" in json.dumps(b), "System role not supported"))
    server.ask(asked(system, user("hi")))
    assert server.sent[-1]["messages"] == [{"role": "user", "content": "Be brief.\n\nhi"}]


def test_a_name_is_valid_everywhere_and_comes_back_as_it_is_here():
    tool = ToolSchema("files.read", "", {})
    for dialect in (chat_body, messages_body, responses_body):
        request = apply_mends(asked(user("hi"), *called("c1", "files.read"), tools=(tool,)))
        text = json.dumps(dialect(request))
        assert "files.read" not in text
        assert text.count(valid_name("files.read")) == 2
    mending = Mending(KnownMends(), SERVER, asked(user("hi"), tools=(tool,)))
    finished = CallFinished("c1", valid_name("files.read"), "{}")
    assert [*mending.with_report(finished)] == [CallFinished("c1", "files.read", "{}")]


@given(st.text(min_size=1), st.text(min_size=1))
def test_spelled_names_and_ids_are_valid_and_never_two_of_one(one: str, other: str):
    names, ids = {valid_name(one), valid_name(other)}, {valid_id(one, characters=True)}
    ids.add(valid_id(other, characters=True))
    for spelled in names | ids:
        assert 1 <= len(spelled) <= 64
        assert spelled.isascii()
        assert all(c.isalnum() or c in "_-" for c in spelled)
    for found in (names, ids, {id_of_form(one, "=9"), id_of_form(other, "=9")}):
        assert len(found) == len({one, other})


def test_of_the_reasoning_that_goes_back_only_the_refused_block_stays_behind():
    answers = [
        Message(
            id=f"a{n}", role=Role.ASSISTANT, text="", signature=f"signed {n}", items=(f"a{n}.0",)
        )
        for n in (1, 2)
    ]
    mend = Mend(way="block", what=block_name("signed 1"))
    sent = apply_mends(asked(user("hi"), *answers), [mend]).messages[1:]
    assert [message.signature for message in sent] == [None, "signed 2"]


@pytest.mark.parametrize(("signed", "one_by_one"), [(0, False), (1, True), (64, True), (65, False)])
def test_few_blocks_of_reasoning_are_left_out_before_all_reasoning_is(
    signed: int, one_by_one: bool
):
    answers = [
        Message(id=f"a{n}", role=Role.ASSISTANT, text="", signature=f"s{n}") for n in range(signed)
    ]
    refusal = refusal_of("Invalid `signature` in `thinking` block", 400)
    found = mends_for(refusal, asked(user("hi"), *answers), {"messages": []}, ())
    blocks = tuple(Mend(way="block", what=block_name(f"s{n}")) for n in range(signed))
    assert found == (blocks if one_by_one else (Mend(way="reasoning"),) if signed else ())


def test_no_mend_means_the_same_rows():
    rows = chat_body(asked(user("hi"), *called("c1"), user("two")))["messages"]
    assert list(bridge_turns(rows)) == rows
    assert {"role": "assistant", "content": READ} in rows


def test_mends_end_after_seven_days_and_are_learned_anew():
    now = [0.0]
    known = KnownMends(now=lambda: now[0])
    mend = Mend(way="omit", what="store")
    known.change("a", "m", hold=[mend], drop=())
    assert known.mends_for("a", "m") == (mend,)
    assert known.mends_for("a", "n") == known.mends_for("b", "m") == ()
    now[0] = timedelta(days=6, hours=23).total_seconds()
    assert known.mends_for("a", "m") == (mend,)
    now[0] = timedelta(days=7).total_seconds()
    assert known.mends_for("a", "m") == ()


def test_each_way_is_told_in_one_sentence():
    assert sentence(Mend(way="images", to="2"), "m") == (
        "The server of m takes only the newest 2 images, and none before them, so a note stands in "
        "their place; they stay in the session."
    )
    assert sentence(Mend(way="images"), "m").startswith("The server of m takes no images, so")


def test_a_chunk_that_is_no_call_stays_as_it_is():
    mending = Mending(KnownMends(), SERVER, asked(user("hi")))
    assert [*mending.with_report(Finished("endTurn"))] == [Finished("endTurn")]


def test_arguments_of_an_old_log_are_strict_json():
    infinite = Call("c1", "grep", '{"n":Infinity}')
    word = Call("c2", "grep", '{"n":"Infinity"}')
    answer = Message(id="a", role=Role.ASSISTANT, text="", calls=(infinite, word))
    sent = apply_mends(asked(user("hi"), answer)).messages[1].calls
    assert [call.arguments for call in sent] == ["{}", '{"n":"Infinity"}']
