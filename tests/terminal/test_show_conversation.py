"""What a person sees of a session that they go on with, and of those that they may go on with."""

import io

from builders import LEDGER, exchange, system, user
from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.context.view.fold import Fold
from plimsoll.session.ports.content import PromptText
from plimsoll.terminal.offers import session_choices
from plimsoll.terminal.screen import Screen
from plimsoll.terminal.show import show_conversation
from session.harness import harness


def answer(name: str, text: str) -> Said:
    part = Part(kind=PartKind.TEXT, text=text)
    return Said(id=name, at="2026", role=Role.ASSISTANT, group=name, parts=(part,))


def shown(*entries) -> str:
    both = io.StringIO()
    show_conversation(Fold(LEDGER, [system(), *entries]), Screen(both, both))
    return both.getvalue()


def test_the_last_prompts_stand_there_with_their_answers_and_how_much_was_done():
    turns = [(user(f"u{n}", f"Question {n}?"), answer(f"a{n}", f"Answer {n}.")) for n in range(5)]
    last = (
        user("u9", "Fix it."),
        *exchange(11, "a file"),
        *exchange(12, "b"),
        answer("a9", "Done."),
    )
    text = shown(*[entry for turn in turns for entry in turn], *last)
    assert text.splitlines() == [
        "… 3 earlier prompts",
        "",
        "> Question 3?",
        "Answer 3.",
        "",
        "> Question 4?",
        "Answer 4.",
        "",
        "> Fix it.",
        "step 11",
        "· 1 tool call",
        "step 12",
        "· 1 tool call",
        "Done.",
    ]


def test_of_a_session_in_which_nothing_was_said_nothing_is_shown():
    assert shown() == ""


def test_what_was_said_steers_no_terminal():
    assert "\x1b" not in shown(user("u1", "a \x1b[2J b"), answer("a1", "c \x1b]0;t\x07 d"))


async def test_sessions_to_go_on_with_show_their_last_prompt_and_not_the_empty_one(tmp_path):
    async with harness(tmp_path, {"text": "Yes."}, {"text": "No."}) as own:
        await own.turn("Rename the harbour.")
        await own.turn("And its tests?")
        fresh = await own.project.new()
        (choice,) = await session_choices(own.project, fresh)
        assert choice.value == own.session.id
        assert choice.label.startswith("Rename the harbour. · ")
        assert choice.label.endswith(" · 2 turns · And its tests?")
        assert " ago · " in choice.label or " just now · " in choice.label
        await fresh.prompt([PromptText("Hello.")])
        await fresh.wait()
        # Nobody goes on with the one that is open.
        assert len(await session_choices(own.project, fresh)) == 1
