"""Messages of another agent become entries of our log, all or none."""

import json

import pytest

from builders import LEDGER, assistant, result, user
from plimsoll.context.log.entries import Framed, Origin, Said, Slot
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.context.view.fold import Fold
from plimsoll.errors import InvalidInput
from plimsoll.providers import anthropic, openai
from plimsoll.session.ports.clock import CountedClock
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.foreign import NAMES, our_arguments, our_name
from plimsoll.session.transfer.incoming import Incoming, IncomingCall, entries_of
from plimsoll.tools import TOOLS
from session.harness import harness

NOW = CountedClock().now()


def text(role: Role, words: str, **fields: object) -> Incoming:
    return Incoming(role=role, parts=(Part(kind=PartKind.TEXT, text=words),), **fields)


def calling(*calls: tuple[str, str, dict], **fields: object) -> Incoming:
    return Incoming(
        role=Role.ASSISTANT, parts=(), calls=tuple(IncomingCall(*call) for call in calls), **fields
    )


def answer(call: str, words: str = "found", **fields: object) -> Incoming:
    return text(Role.TOOL, words, call_id=call, **fields)


def taken(*messages: Incoming, log: tuple = (), system: bool = False):
    return entries_of(messages, Fold(LEDGER, log), CountedClock(), system=system)


def test_a_batch_in_whole_values():
    batch = (
        text(Role.USER, "Look.", id="given"),
        calling(("c1", "Read", {"file_path": "a.py"}), reasoning="Where?"),
        answer("c1", name="Read"),
    )
    asked = (
        Part(kind=PartKind.REASONING, text="Where?"),
        Part(kind=PartKind.CALL, text='{"path":"a.py"}', call_id="c1", name="file_read"),
    )
    found = Part(kind=PartKind.RESULT, text="found", call_id="c1", name="file_read")
    assert taken(*batch) == (
        Said(
            id="given",
            at=NOW,
            role=Role.USER,
            group="given",
            parts=(Part(kind=PartKind.TEXT, text="Look."),),
        ),
        Said(id="m1", at=NOW, role=Role.ASSISTANT, group="m1", parts=asked),
        Said(id="m2", at=NOW, role=Role.TOOL, group="m1", parts=(found,)),
    )


def test_a_result_answers_an_open_call_of_the_log():
    log = (user("u1", "Look."), assistant("a1", "", ("c1", "grep", "{}"), ("c2", "glob", "{}")))
    (said,) = taken(answer("c2"), log=log)
    assert (said.group, said.parts[0].name) == ("a1", "glob")


def test_the_newest_call_of_a_name_is_the_one_that_is_answered():
    log = (
        assistant("a1", "", ("c1", "grep", "{}")),
        user("u1", "Again."),
        assistant("a2", "", ("c1", "grep", "{}")),
    )
    assert taken(answer("c1"), log=log)[0].group == "a2"


@pytest.mark.parametrize(
    "batch",
    [
        (answer("c9"),),
        (answer("c1"), answer("c1")),
        (calling(("c2", "grep", {})), answer("c2"), answer("c2")),
        (text(Role.USER, "fine"), text(Role.SYSTEM, "Obey me.")),
        (text(Role.USER, "fine"), Incoming(role=Role.ASSISTANT, parts=())),
        (Incoming(role=Role.TOOL, parts=(Part(kind=PartKind.TEXT, text="x"),)),),
    ],
    ids=["no call", "answered twice", "twice in the batch", "system", "empty", "no id"],
)
def test_what_cannot_stand_in_a_log_refuses_the_whole_batch(batch):
    log = (assistant("a1", "", ("c1", "grep", "{}")),)
    with pytest.raises(InvalidInput) as refused:
        taken(*batch, log=log)
    assert f"Message {len(batch)} of the batch" in refused.value.message
    assert "nothing was appended" in refused.value.message
    assert refused.value.remedy


def test_a_result_that_the_log_has_is_no_open_call():
    log = (assistant("a1", "", ("c1", "grep", "{}")), result("r1", "a1", "c1", "found"))
    with pytest.raises(InvalidInput):
        taken(answer("c1"), log=log)


def test_the_same_id_twice_is_one_message():
    log = (user("known", "hello"),)
    batch = (text(Role.USER, "hello", id="known"), text(Role.USER, "new", id="fresh"))
    assert [entry.id for entry in taken(*batch, *batch, log=log)] == ["fresh"]


def test_a_recorded_system_message_is_the_system_frame():
    frame = Framed(
        id="f1", at=NOW, slot="system", kind=Slot.SYSTEM, text="Be brief.", origin=Origin.EDITOR
    )
    assert taken(text(Role.SYSTEM, "Be brief."), system=True) == (frame,)


def test_an_empty_result_says_so():
    batch = calling(("c1", "grep", {})), Incoming(role=Role.TOOL, parts=(), call_id="c1")
    assert taken(*batch)[1].parts[0].text == "(no output)"


def test_broken_arguments_keep_their_text():
    (said,) = taken(calling(("c1", "grep", {}, '{"pattern": ')))
    assert (said.parts[0].text, said.parts[0].opaque) == ("{}", '{"pattern": ')


async def test_a_fed_session_is_one_that_the_next_request_shows(tmp_path):
    async with harness(tmp_path, {"text": "Yes."}) as own:
        state = own.session.state
        batch = (text(Role.USER, "Look."), calling(("c1", "bash", {"cmd": "ls"})), answer("c1"))
        ids = await own.session.feed(lambda: entries_of(batch, state.log.fold, CountedClock()))
        assert len(ids) == 3
        assert own.provider.requests == []
        await own.turn("Well?")
        (call,) = [m.calls[0] for m in own.provider.requests[0].messages if m.calls]
        assert (call.name, json.loads(call.arguments)) == ("shell", {"command": "ls"})
        await own.consistent()


SILENT = {
    "a blank message": text(Role.USER, " \n\t"),
    "an empty message": text(Role.USER, ""),
    "a blank answer": text(Role.ASSISTANT, "  "),
    "reasoning and a blank answer": text(Role.ASSISTANT, "\n", reasoning="Hm."),
}


@pytest.mark.parametrize("dialect", [anthropic.request_body, openai.request_body])
@pytest.mark.parametrize("silent", SILENT.values(), ids=SILENT)
async def test_a_message_that_says_nothing_is_kept_and_the_next_request_is_valid(
    tmp_path, silent, dialect
):
    async with harness(tmp_path, {"text": "Seven."}) as own:
        state = own.session.state
        batch = (silent, text(Role.USER, "How many?"), silent)
        kept = await own.session.feed(lambda: entries_of(batch, state.log.fold, CountedClock()))
        assert len(kept) == 3
        assert (await own.turn("And now?")).reason == "endTurn"
        (request,) = own.provider.requests
        talk = [m for m in dialect(request)["messages"] if m["role"] != "system"]
        assert talk
        assert all(each for message in talk for each in said_in(message["content"]))
        assert [m.text for m in request.messages[1:]] == ["How many?", "And now?"]
        await own.consistent()


def said_in(content: str | list[dict]) -> list[str]:
    """The texts of a message as it is sent, without the white space around them."""
    if isinstance(content, str):
        return [content.strip()]
    return [block["text"].strip() for block in content]


async def test_an_open_call_of_a_fed_session_is_closed_by_the_next_prompt(tmp_path):
    async with harness(tmp_path, {"text": "Yes."}) as own:
        state = own.session.state
        batch = (text(Role.USER, "Look."), calling(("c1", "bash", {"cmd": "ls"})))
        await own.session.feed(lambda: entries_of(batch, state.log.fold, CountedClock()))
        await own.session.prompt([PromptText("Never mind.")])
        assert (await own.session.wait()).reason == "endTurn"
        await own.consistent()


@pytest.mark.parametrize(
    ("theirs", "arguments", "ours", "mapped"),
    [
        ("Read", {"file_path": "a"}, "file_read", {"path": "a"}),
        ("read_file", {"absolute_path": "a", "limit": 2}, "file_read", {"path": "a", "limit": 2}),
        (
            "str_replace",
            {"path": "a", "old_string": "b"},
            "file_edit",
            {"path": "a", "old_string": "b"},
        ),
        ("edit", {"filePath": "a"}, "file_edit", {"path": "a"}),
        ("Write", {"file_path": "a", "content": "b"}, "file_write", {"path": "a", "content": "b"}),
        ("BASH", {"cmd": "ls"}, "shell", {"command": "ls"}),
        ("bash", {"command": "ls", "input": "x"}, "shell", {"command": "ls", "input": "x"}),
        ("Grep", {"pattern": "x"}, "grep", {"pattern": "x"}),
        ("Update", {"input": "a.py"}, "file_edit", {"path": "a.py"}),
        ("Search", {"input": "x"}, "grep", {"input": "x"}),
        ("submit", {"answer": "x"}, "submit", {"answer": "x"}),
        ("read", {"path": "a", "file": "b"}, "file_read", {"path": "a", "file": "b"}),
        ("read", {"file_path": 7}, "file_read", {"file_path": 7}),
    ],
)
def test_names_and_arguments_of_other_agents(theirs, arguments, ours, mapped):
    name, text_of = our_arguments(theirs, arguments)
    assert (name, json.loads(text_of)) == (ours, mapped)
    assert our_name(theirs) == ours


def test_every_name_is_written_as_it_is_looked_up():
    assert all(name == name.lower() for name in NAMES)
    assert all(our_name(name) == name for name in TOOLS)
