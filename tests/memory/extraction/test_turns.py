"""Turns of a conversation, and what of them a person wrote."""

from dataclasses import replace

import pytest

from memory.samples import agent, call, output, person
from plimsoll.context.log.entries import Origin
from plimsoll.context.log.messages import Part, PartKind
from plimsoll.memory.extraction.turns import (
    Turn,
    cursor_behind,
    holds_paste,
    is_said_by_person,
    only_typed,
    said_sentences,
    saved_by_agent,
    turns_from,
    written_text,
)

ASKED = person("m1", "Keep that the port is 8017.")
SAVE, LOOK = call("c1", "memory_save", title="Port"), call("c1", "file_read", path="a.py")
FILE = Part(kind=PartKind.FILE, text="of a file")


def turn(*said) -> Turn:
    return Turn((ASKED, *said), 1 + len(said))


@pytest.mark.parametrize(
    ("said", "saved"),
    [
        ([], False),
        ([agent("m2", "", SAVE), output("m3", "c1", "Kept.", "memory_save")], True),
        ([agent("m2", "", SAVE), output("m3", "c1", "No.", "memory_save", failed=True)], False),
        ([agent("m2", "", SAVE)], False),
        ([agent("m2", "", LOOK), output("m3", "c1", "text")], False),
        ([output("m3", "c1", "Kept.", "memory_save")], False),
    ],
    ids=["nothing", "saved", "failed", "unanswered", "another call", "no call"],
)
def test_the_agent_saved_a_memory_if_such_a_call_succeeded(said, saved):
    assert saved_by_agent(turn(*said)) is saved


@pytest.mark.parametrize(
    ("said", "typed"),
    [
        ([ASKED], True),
        ([ASKED, agent("m2", "Kept.", SAVE), output("m3", "c1", "Kept.", "memory_save")], True),
        ([ASKED, output("m3", "c1", "No.", "memory_save", failed=True)], False),
        ([ASKED, agent("m2", "", LOOK), output("m3", "c1", "text")], False),
        ([replace(ASKED, parts=(*ASKED.parts, FILE))], False),
        ([ASKED, replace(ASKED, origin=Origin.IMPORT)], False),
        ([], True),
    ],
    ids=["typed", "with a receipt", "with an error", "with a result", "a file", "import", "none"],
)
def test_a_conversation_has_only_typed_words_until_anything_else_came_in(said, typed):
    assert only_typed(said) is typed


def test_a_turn_begins_with_each_message_of_a_person():
    first, second = agent("m2", "Yes."), person("m3", "And?")
    assert list(turns_from([ASKED, first, second], 0)) == [
        Turn((ASKED, first), 2),
        Turn((second,), 3),
    ]
    (cut,) = turns_from([ASKED, first], 1)
    assert (cut, cut.opening) == (Turn((first,), 2), None)
    assert Turn((second,), 3).opening == second
    assert list(turns_from([ASKED], 1)) == []


def test_a_person_wrote_what_is_no_file():
    said = replace(ASKED, parts=(*ASKED.parts, FILE, Part(kind=PartKind.TEXT, text="Now.")))
    assert written_text(said) == "Keep that the port is 8017.\nNow."
    assert is_said_by_person(said)
    assert not is_said_by_person(replace(said, origin=Origin.EDITOR))


@pytest.mark.parametrize(
    ("pasted", "texts", "holds"),
    [
        ((), ["Never push.", "Always squash."], False),
        (((0, 11),), ["Always squash."], True),
    ],
)
def test_what_was_pasted_is_no_sentence_of_the_person(pasted, texts, holds):
    said = person("m1", "Never push. Always squash.", pasted=pasted)
    assert [each.text for each in said_sentences(said)] == texts
    assert holds_paste(said) is holds
    assert not holds_paste(agent("m2", "Never push."))


def test_a_cursor_stands_behind_the_last_message_read():
    cursor = cursor_behind("s1", [ASKED, agent("m2", "Yes."), person("m3", "And?")], 2, "model")
    assert (cursor.session_id, cursor.message_id, cursor.count) == ("s1", "m2", 2)
    assert cursor.read_by == "model"
