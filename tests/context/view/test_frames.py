"""Where frames stand: quotes of other times first in the conversation, replaced ones nowhere."""

from builders import AT, LEDGER, edited, pin, system, user
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Cover, Framed, ItemState, Slot, Undone
from plimsoll.context.log.messages import Role, Source
from plimsoll.context.report.report import file_uses, report_items
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.request_messages import render

QUOTE = Framed(id="f1", at=AT, slot="recall", kind=Slot.RECALL, text="once upon a time")
BIG_STEP = edited("e1", Cover(("u1",), "Summary."), why="w")


def rules(name: str, text: str | None, place="head", slot="instructions", **fields) -> Framed:
    return Framed(
        id=name, at=AT, slot=slot, kind=Slot.INSTRUCTIONS, text=text, place=place, **fields
    )


def texts(fold: Fold) -> list[tuple[Role, str]]:
    return [(message.role, message.text) for message in render(fold.view)]


def test_a_quote_is_the_first_message_and_never_in_the_system_text():
    fold = Fold(LEDGER, [system(), QUOTE, user("u1", "now"), user("u2", "then")])

    before = [
        (Role.SYSTEM, "You are the agent."),
        (Role.USER, "once upon a time"),
        (Role.USER, "now"),
        (Role.USER, "then"),
    ]
    assert texts(fold) == before
    fold.append(BIG_STEP)
    assert texts(fold) == [*before[:2], (Role.USER, "Summary."), before[3]]
    assert fold.view.tokens == sum(shown.tokens for shown in fold.view.items())
    assert fold.view.by_slot[Slot.RECALL] == LEDGER.text("once upon a time")


def test_a_quote_that_came_later_stays_where_it_entered():
    late = Framed(id="f9", at=AT, slot="recall", kind=Slot.RECALL, text="late", place="tail")
    fold = Fold(LEDGER, [system(), user("u1", "now"), late, user("u2", "then"), BIG_STEP])

    assert [text for _, text in texts(fold)] == ["You are the agent.", "Summary.", "late", "then"]


def test_a_quote_can_be_taken_out():
    gone = Framed(id="f2", at=AT, slot="recall", kind=Slot.RECALL, text=None)
    fold = Fold(LEDGER, [system(), QUOTE, user("u1", "now"), gone])

    assert [text for _, text in texts(fold)] == ["You are the agent.", "now"]


def test_a_frame_put_into_the_head_replaces_the_older_ones_wherever_they_stand():
    fold = Fold(LEDGER, [system(), user("u1", "a"), rules("f1", "old", "tail"), user("u2", "b")])
    assert [text for _, text in texts(fold)] == ["You are the agent.", "a", "old", "b"]

    fold.append(rules("f2", "new"))

    assert [text for _, text in texts(fold)] == ["You are the agent.\n\nnew", "a", "b"]


def test_what_was_taken_out_and_came_back_stands_once():
    entries = [system(), rules("f1", "rule"), user("u1", "a"), rules("f2", None)]
    fold = Fold(LEDGER, entries)
    assert [text for _, text in texts(fold)] == ["You are the agent.", "a"]

    fold.append(rules("f3", "rule"))

    assert [text for _, text in texts(fold)] == ["You are the agent.\n\nrule", "a"]


def test_the_rules_of_folders_stand_behind_those_of_the_root():
    nested = rules("f2", "nested", slot="instructions.pkg/api")
    fold = Fold(LEDGER, [system(), pin(1, "pinned"), nested, rules("f1", "root")])

    assert texts(fold)[0][1].split("\n\n")[1:3] == ["root", "nested"]


def test_a_frame_of_a_file_counts_among_the_files():
    cut = rules("f1", "three words here", source=Source("file:///w/AGENTS.md"), original=900)
    whole = rules("f2", "two words", slot="instructions.a", source=Source("file:///w/a/AGENTS.md"))
    fold = Fold(LEDGER, [system(), cut, whole])

    items = {item.id: item for item in report_items(Indexes(fold), fold.view)}
    assert items["frame.instructions"].state is ItemState.TRUNCATED
    assert items["frame.instructions"].original == 900
    assert [(use.path, use.raw, use.injected) for use in file_uses(list(items.values()))] == [
        ("file:///w/AGENTS.md", 900, 7),
        ("file:///w/a/AGENTS.md", 6, 6),
    ]


def test_what_nobody_said_is_told_apart():
    tail = rules("f1", "rule", "tail", slot="instructions.a")
    fold = Fold(LEDGER, [system(), QUOTE, user("u1", "a"), tail, pin(1, "p"), Undone("x", AT, "y")])

    framed = [message.text for message in render(fold.view) if message.framed]
    assert framed == ["You are the agent.", "once upon a time", "rule", "[pinned 1] p"]


def test_a_tool_whose_schema_is_no_valid_unicode_is_not_offered():
    def tool(name: str, text: str) -> Framed:
        schema = f'{{"name": "{name}", "description": "{text}", "parameters": {{}}}}'
        slot = f"tools.{name}"
        return Framed(id=f"f-{name}", at=AT, slot=slot, kind=Slot.TOOLS, text=schema)

    frames = [tool("grep", "seeks \\u00fc"), tool("glob", "lists \\ud800")]
    fold = Fold(LEDGER, [system(), *frames, user("u1", "now")])

    assert [shown.item for shown in fold.view.tools] == ["frame.tools.grep"]


def test_a_frame_stays_in_the_head_as_a_later_step_is_undone():
    """It moved there with the step before that one, which still stands."""
    steps = [edited(f"e{n}", Cover((f"u{n}",), f"Summary {n}."), why="w") for n in (1, 2, 3)]
    said = [user(f"u{n}", f"ask {n}") for n in (1, 2, 3, 4)]
    late = rules("f1", "late", "tail")
    before = [system(), said[0], steps[0], late, said[1], steps[1], said[2], said[3]]
    fold = Fold(LEDGER, before)
    head = texts(fold)
    assert head[0] == (Role.SYSTEM, "You are the agent.\n\nlate")
    fold.append(steps[2])
    fold.append(Undone("x1", AT, "e3"))
    assert texts(fold) == head
    fold.append(Undone("x2", AT, "e2"))
    assert [text for _, text in texts(fold)] == [
        *("You are the agent.", "Summary 1.", "late", "ask 2", "ask 3", "ask 4"),
    ]
