"""`/rewind` at the terminal: it says what it will do, file by file, and asks first."""

from collections.abc import Sequence
from contextlib import contextmanager, nullcontext
from io import StringIO

import pytest

from plimsoll.session.commands.rewinding import prompts_of
from plimsoll.session.ports.content import PromptText
from plimsoll.terminal.commands.chat import Chat
from plimsoll.terminal.commands.rewinding import QUESTION, QUESTION_FILES
from plimsoll.terminal.keyboard import NO_DRAFT, Choice
from plimsoll.terminal.screen import Screen
from plimsoll.terminal.show import Show
from plimsoll.terminal.turns import Interrupts
from session.checkpoints.clocks import late
from session.harness import Harness, harness

STEPS = (
    {
        "calls": [
            {"name": "file_write", "arguments": {"path": "a.txt", "content": "agent\n"}},
        ]
    },
    {"text": "Done."},
    {"text": "Yes."},
)


class Person:
    """Types answers in their order, and keeps the questions and what could be picked."""

    def __init__(self, *answers: str | None) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []
        self.offered: Sequence[Choice] = ()

    async def answer(self, question: str) -> str | None:
        self.asked.append(question)
        return self.answers.pop(0)

    async def pick(self, title: str, choices: Sequence[Choice]) -> str | None:
        self.asked.append(title)
        self.offered = choices
        return self.answers.pop(0)

    async def read(self, offers: object, draft: object) -> None: ...

    def typing(self):
        return nullcontext()

    def above(self, listener):
        return listener


@contextmanager
def chat_of(own: Harness, person: Person, out: StringIO, *, there: bool, edited: bool = False):
    """Yield a chat of a person in a session."""
    screen = Screen(out, out)
    with Interrupts() as interrupts:
        yield Chat(
            project=own.project,
            session=own.session,
            interrupts=interrupts,
            screen=screen,
            show=Show(screen),
            keyboard=person,
            edited=edited,
            person=there,
            long_turn_seconds=0,
        )


async def chatted(own: Harness, text: str, person: Person, *, there: bool = True) -> str:
    """Type a command in the chat; returns what the person sees."""
    out = StringIO()
    with chat_of(own, person, out, there=there) as chat:
        await chat.answer(PromptText(text))
    return out.getvalue()


async def changed(own: Harness) -> None:
    (own.folder / "a.txt").write_text("before\n")
    await own.turn("Change it.")
    await own.turn("Is it done?")


@pytest.mark.parametrize(
    ("typed", "question", "answer", "text", "left"),
    [
        ("/rewind 1 files", QUESTION_FILES, "y", "before\n", 0),
        ("/rewind 1 files", QUESTION_FILES, " Yes ", "before\n", 0),
        ("/rewind 1 files", QUESTION_FILES, "k", "agent\n", 0),
        ("/rewind 1 files", QUESTION_FILES, "n", "agent\n", 6),
        ("/rewind 1 files", QUESTION_FILES, "", "agent\n", 6),
        ("/rewind 1 files", QUESTION_FILES, None, "agent\n", 6),
        ("/rewind 1", QUESTION, "y", "agent\n", 0),
        ("/rewind 1", QUESTION, "k", "agent\n", 6),
    ],
)
async def test_it_asks_and_does_what_is_answered(tmp_path, typed, question, answer, text, left):
    async with harness(tmp_path, *STEPS, clock=late()) as own:
        await changed(own)
        person = Person(answer)
        seen = await chatted(own, typed, person)
        assert person.asked == [question]
        assert "it and what came after it leave the conversation" in seen
        assert ("`a.txt` would be as it was then" in seen) == typed.endswith("files")
        assert ("Nothing was changed." in seen) == (left == 6)
        assert (own.folder / "a.txt").read_text() == text
        said = [each for group in own.session.state.log.fold.groups for each in group.visible]
        assert len(said) == left


async def test_alone_it_lets_pick_a_prompt_by_its_number(tmp_path):
    async with harness(tmp_path, *STEPS, clock=late()) as own:
        await changed(own)
        person = Person("1", "y")
        seen = await chatted(own, "/rewind", person)
        assert [each.label for each in person.offered] == ["Change it.", "Is it done?"]
        assert person.asked == ["Go back to", QUESTION_FILES]
        assert "1 file restored." in seen
        assert (own.folder / "a.txt").read_text() == "before\n"


async def test_who_picks_nothing_goes_back_to_nothing(tmp_path):
    async with harness(tmp_path, *STEPS, clock=late()) as own:
        await changed(own)
        assert await chatted(own, "/rewind", Person(None)) == ""
        assert (own.folder / "a.txt").read_text() == "agent\n"


async def test_with_nothing_said_there_is_nothing_to_pick(tmp_path):
    async with harness(tmp_path) as own:
        person = Person()
        assert "Nothing was said yet." in await chatted(own, "/rewind", person)
        assert person.asked == []


async def test_a_wrong_number_is_told_unasked(tmp_path):
    async with harness(tmp_path, *STEPS) as own:
        person = Person()
        assert "No prompt '7'." in await chatted(own, "/rewind 7", person)
        assert person.asked == []


async def test_through_a_pipe_nobody_is_asked(tmp_path):
    async with harness(tmp_path, *STEPS, clock=late()) as own:
        await changed(own)
        person = Person()
        assert "1. Change it.\n" in await chatted(own, "/rewind", person, there=False)
        await chatted(own, "/rewind 1 files", person, there=False)
        assert person.asked == []
        assert (own.folder / "a.txt").read_text() == "before\n"


async def test_a_prompt_that_failed_stands_on_the_line_and_leaves_with_the_next(tmp_path):
    failed = {"error": "auth"}
    async with harness(tmp_path, failed, {"text": "Yes."}) as own:
        prompt = PromptText("//help me with it.", ((0, 3),))
        with chat_of(own, Person("y"), StringIO(), there=True, edited=True) as chat:
            await chat.answer(prompt)
            assert chat.draft == prompt
            chat.draft = NO_DRAFT
            await chat.answer(PromptText("Help me."))
            assert chat.draft == NO_DRAFT
            fold = own.session.state.log.fold
            assert [each.words for each in prompts_of(fold)] == ["Help me."]
            await chat.answer(PromptText("/rewind 1"))
            assert chat.draft == PromptText("Help me.")
