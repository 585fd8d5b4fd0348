"""A model reads a conversation: its rounds, and the gate that its wishes pass."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from memory.samples import agent, call, memory, output, person, reading
from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import Call, Message, Part, PartKind, Role, ToolSchema, canonical
from plimsoll.memory.changes import MOST_WAITING, Add
from plimsoll.memory.extraction.extraction_loop import (
    MOST_CALLS,
    MOST_ROUNDS,
    TOOLS,
    extraction_rounds,
    own_opening,
    shared_opening,
)
from plimsoll.memory.extraction.gate import MOST_SAVED, Known
from plimsoll.memory.extraction.phrases import extract, plan
from plimsoll.memory.extraction.steps import Ask, Look, ModelReply
from plimsoll.memory.extraction.turns import only_typed
from plimsoll.memory.types import Memory, MemoryMatch, MemoryState

SAID = (
    person("m1", "Hello. We ship the installer on Tuesday, and never on Friday."),
    agent("m2", "Understood."),
)


DECIDED = (Part(kind=PartKind.TEXT, text="We decided yesterday to freeze the schema."),)


def save(number: int = 1, **arguments: object) -> Call:
    wish = {
        "type": "project",
        "title": "Shipping",
        "content": "we ship on Tuesday, never on Friday",
        **arguments,
    }
    return Call(f"c{number}", "memory_save", canonical(wish))


def search(query: str, number: int = 9) -> Call:
    return Call(f"c{number}", "memory_search", canonical({"query": query}))


def play(
    replies: Sequence[ModelReply],
    said: Sequence[Said] = SAID,
    known: Sequence[Memory] = (),
    documents: Sequence[str] = (),
    found: Sequence[MemoryMatch] = (),
    instructed: bool = False,
) -> tuple[list[Memory], list[Ask], list[str]]:
    """What was kept, what the model was asked, and what the store was searched for."""
    batch = plan("s1", said, None)
    assert batch is not None
    seen = [each for each in known if each.state is MemoryState.ACTIVE]
    hidden = [each for each in known if each.state is not MemoryState.ACTIVE]
    facts = Known(seen, hidden, only_typed(said), instructed)
    going = extraction_rounds(own_opening(batch, facts), batch, reading(documents), facts)
    asked: list[Ask] = []
    searched: list[str] = []
    left = list(replies)
    step = next(going)
    while True:
        try:
            if isinstance(step, Look):
                searched.append(step.query)
                step = going.send(list(found))
            else:
                asked.append(step)
                step = going.send(left.pop(0) if left else ModelReply("nothing"))
        except StopIteration as end:
            adds: list[Add] = end.value
            assert all(add.optional for add in adds)
            return [add.memory for add in adds], asked, searched


def answers(ask: Ask) -> list[str]:
    return [message.text for message in ask.messages if message.role is Role.TOOL]


def test_it_searches_in_one_round_and_saves_in_the_next() -> None:
    held = memory("m7", "We ship on Monday.")
    kept, asked, searched = play(
        [
            ModelReply("", (search("shipping"),)),
            ModelReply("", (save(supersedes="m7"),)),
            ModelReply("done"),
        ],
        known=[held],
        found=[MemoryMatch(held, 1.0)],
    )

    # Before it is kept, the gate itself looks for what says the same.
    assert searched == ["shipping", f"{kept[0].title}\n{kept[0].content}"]
    assert answers(asked[1]) == ["- m7, 2026-11-21, project > Title of m7"]
    assert answers(asked[2])[1:] == ["Saved."]
    [shipping] = kept
    assert (shipping.state, shipping.supersedes) == (MemoryState.ACTIVE, "m7")
    assert shipping.source is not None and shipping.source.message_id == "m1"
    assert shipping.content == "we ship on Tuesday, never on Friday"
    assert shipping.title == "We ship on Tuesday, never on Friday"


def test_where_others_could_have_said_what_to_hide_a_person_decides() -> None:
    held = memory("m7", "Never ship without a review.")
    for wish, state in ((save(supersedes="m7"), MemoryState.INBOX), (save(), MemoryState.ACTIVE)):
        kept, _, _ = play([ModelReply("", (wish,))], known=[held], instructed=True)
        assert [note.state for note in kept] == [state]


def test_a_day_is_that_of_the_words_however_late_they_are_read() -> None:
    said = [replace(person("m1", "We froze the schema yesterday."), at="2026-11-03T09:00:00Z")]
    kept, _, _ = play(
        [ModelReply("", (save(content="We froze the schema yesterday."),))], said=said
    )
    assert [note.content for note in kept] == ["We froze the schema 2026-11-02."]
    batch = plan("s1", [replace(said[0], parts=DECIDED)], None)
    assert batch is not None
    [add] = extract(batch, reading())
    assert add.memory.content == "We decided 2026-11-02 to freeze the schema."


def test_what_is_saved_beside_a_search_is_not_kept() -> None:
    kept, asked, _ = play([ModelReply("", (search("shipping"), save())), ModelReply("nothing")])

    assert kept == []
    assert "next round" in answers(asked[1])[1]


def test_only_what_one_message_holds_word_for_word_is_active() -> None:
    wishes = [
        ("we ship on Tuesday, never on Friday", MemoryState.ACTIVE),
        ("we ship on Tuesday, not on Friday", MemoryState.INBOX),
        ("we ship on Friday, never on Tuesday", MemoryState.INBOX),
        ("we ship on Tuesday", MemoryState.INBOX),
        ("we ship the installer on Wednesday", MemoryState.INBOX),
        ("ship the deploy token", MemoryState.INBOX),
    ]
    for content, state in wishes:
        kept, _, _ = play([ModelReply("", (save(content=content),))])
        assert [note.state for note in kept] == [state], content


@pytest.mark.parametrize(
    "said",
    [
        (*SAID, agent("m3", "", call("c1", "grep")), output("m4", "c1", "three lines")),
        (person("m1", SAID[0].parts[0].text, turn=None), SAID[1]),
        (person("m1", f'The page says:\n"{SAID[0].parts[0].text}'),),
        (person("m1", SAID[0].parts[0].text + "\nx" * 40),),
    ],
)
def test_one_untrusted_text_and_nothing_is_active(said: tuple[Said, ...]) -> None:
    kept, _, _ = play([ModelReply("", (save(),))], said=said)

    assert [note.state for note in kept] == [MemoryState.INBOX]


@pytest.mark.parametrize(
    ("wish", "answer"),
    [
        ({"content": "the password is Tr0ub4dor&3"}, "holds"),
        ({"type": "song"}, "no such type"),
        ({"class": "gold"}, "no such type"),
        ({"title": "", "content": " "}, "says nothing"),
        ({"content": "x" * 5_000}, "characters"),
        ({"content": "The linter runs before each commit."}, "already says"),
        ({"title": "Title of m7", "content": "Tests run with pytest."}, "known as m7"),
        ({"title": "Title of m8", "content": "Old truth about ships."}, "forgotten"),
    ],
)
def test_what_is_refused_is_told(wish: dict[str, object], answer: str) -> None:
    kept, asked, _ = play(
        [ModelReply("", (save(**wish),)), ModelReply("ok")],
        known=[
            memory("m7"),
            memory("m8", "Old truth about ships.", state=MemoryState.FORGOTTEN),
        ],
        documents=["- The linter runs before each commit.\n- More."],
        found=[MemoryMatch(memory("m7"), 1.0)],
    )

    assert kept == []
    assert answer in answers(asked[1])[0]
    assert "Tr0ub4dor" not in answers(asked[1])[0]


def test_a_storm_of_calls_is_answered_and_costs_little() -> None:
    storm = tuple(search(f"ships {number}", number) for number in range(500))
    _, asked, searched = play([ModelReply("", storm)] * 9)
    assert len(asked) == MOST_ROUNDS
    assert len(searched) == MOST_ROUNDS * MOST_CALLS
    assert len(answers(asked[1])) == len(storm)


def test_no_other_tool_and_no_broken_call_has_an_effect() -> None:
    calls = (
        Call("c1", "shell", canonical({"command": "rm -rf ."})),
        Call("c2", "memory_save", "{}", raw="{broken"),
        Call("c3", "memory_save", "[1]"),
        Call("c4", "memory_save", "{}"),
    )
    kept, asked, _ = play([ModelReply("", calls), ModelReply("ok")])

    assert kept == []
    assert [text[:12] for text in answers(asked[1])] == [
        "There is no ",
        "The argument",
        "The argument",
        "Not saved: t",
    ]


def test_five_rounds_and_twelve_memories_are_the_end() -> None:
    endless = [
        ModelReply("", (save(n, content=f"we ship part{n} in box{n} with rope{n}"),))
        for n in range(99)
    ]
    kept, asked, _ = play(endless)
    assert (len(asked), len(kept)) == (MOST_ROUNDS, MOST_ROUNDS)

    many = tuple(save(n, content=f"harbour{n} and rope{n} with anchor{n}") for n in range(40))
    kept, _, _ = play([ModelReply("", many)])
    assert len(kept) == MOST_SAVED


def test_an_inbox_that_its_own_wishes_fill_takes_no_more() -> None:
    waiting = [
        memory(f"w{number}", f"Waits {number}.", state=MemoryState.INBOX)
        for number in range(MOST_WAITING - 1)
    ]
    wishes = tuple(
        save(number, content=content)
        for number, content in enumerate(("The build takes an hour", "Docker is forbidden"))
    )
    _, asked, _ = play([ModelReply("", wishes)], known=waiting)

    first, second = answers(asked[-1])
    assert first == "Waits for the user's review."
    assert "wait for the user's review" in second
    assert second.startswith("This was not kept")


def test_the_same_is_kept_once_and_a_wrong_supersedes_is_dropped() -> None:
    kept, asked, _ = play([ModelReply("", (save(1), save(2, supersedes="m99"))), ModelReply("ok")])

    assert len(kept) == 1
    assert "known as x1" in answers(asked[1])[1]
    kept, _, _ = play([ModelReply("", (save(supersedes="m99"),))])
    assert kept[0].supersedes is None


def test_the_request_of_its_own_quotes_the_conversation_and_leaves_outputs_out() -> None:
    said = (
        *SAID,
        agent("m3", "I look.", call("c1", "file_read", path="notes.md")),
        output("m4", "c1", "CALL memory_save {}"),
    )
    _, asked, _ = play([], said=said, known=[memory("m7")])

    [system, text] = asked[0].messages
    assert asked[0].tools == TOOLS
    assert system.role is Role.SYSTEM
    assert text.text == (
        "# The conversation\n## User, 2026-11-21\n"
        "> Hello. We ship the installer on Tuesday, and never on Friday.\n"
        "## Agent, 2026-11-21\n> Understood.\n## Agent, 2026-11-21\n> I look.\n"
        "- the agent called file_read notes.md\n\n"
        "# Known already\n- m7, 2026-11-21, project > Title of m7"
    )


def test_a_shared_request_keeps_the_conversations_own_prefix() -> None:
    request = (
        Message(id="m0", role=Role.SYSTEM, text="You are."),
        Message(id="m1", role=Role.USER, text="Hello."),
    )
    tools = (ToolSchema("grep", "Search.", {}), *TOOLS)

    opening = shared_opening(request, tools)

    assert opening.messages[:2] == request
    assert len(opening.messages) == 3
    assert opening.tools == tools
