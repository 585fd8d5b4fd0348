"""The prompt of a chat on a terminal of its own: what is typed between two prompts is not lost."""

import asyncio
import os
import pty
import select
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from prompt_toolkit.application import create_app_session, get_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.output import DummyOutput

from plimsoll.session.ports.content import PromptText
from plimsoll.terminal.keyboard import Candidate, Offers
from plimsoll.terminal.line_editing.completion import PromptCompleter
from plimsoll.terminal.line_editing.line_editor import LineEditor

CTRL_D = b"\x04"


class Pasting(DummyOutput):
    """Knows whether the terminal marks what is pasted."""

    marked = False

    def enable_bracketed_paste(self) -> None:
        self.marked = True

    def disable_bracketed_paste(self) -> None:
        self.marked = False


@dataclass(frozen=True)
class TypedAt:
    """A terminal: what is written to its one end is typed at the other."""

    ours: int
    theirs: int

    async def read_by_whoever_listens(self) -> None:
        """Wait until what was typed has arrived and has been taken."""
        for has_come in (True, False):
            while bool(select.select([self.theirs], [], [], 0)[0]) is not has_come:
                await asyncio.sleep(0)


@pytest.fixture
def keyboard() -> Iterator[TypedAt]:
    ours, theirs = pty.openpty()
    with (
        os.fdopen(theirs, encoding="utf-8") as stream,
        create_app_session(input=Vt100Input(stream), output=Pasting()),
    ):
        yield TypedAt(ours, theirs)
    os.close(ours)


async def no_arguments(_command: str) -> list:
    return []


async def one_command() -> list[Candidate]:
    return [Candidate("git:commit", "[what]  Commits.")]


NOTHING = Offers(status=list, arguments=no_arguments, custom=one_command, files=list)


async def test_the_end_of_input_between_two_prompts_ends_the_next(keyboard: TypedAt):
    editor = LineEditor()
    with editor.typing():
        os.write(keyboard.ours, b"one\r")
        assert await editor.read(NOTHING) == PromptText("one", ())
        os.write(keyboard.ours, b"two\r")
        assert await editor.read(NOTHING) == PromptText("two", ())
        os.write(keyboard.ours, CTRL_D)
        await keyboard.read_by_whoever_listens()
        assert await editor.read(NOTHING) is None


async def test_what_is_pasted_after_a_prompt_is_marked_as_pasted(keyboard: TypedAt):
    editor, shown = LineEditor(), get_app_session().output
    with editor.typing():
        os.write(keyboard.ours, b"one\r")
        await editor.read(NOTHING)
        assert shown.marked
        os.write(keyboard.ours, b"y\r")
        await editor.answer("Allow? ")
        assert shown.marked
    assert not shown.marked


PASTE = b"\x1b[200~%s\x1b[201~"
UNDO, UP, LEFT, YANK = b"\x1f", b"\x1b[A", b"\x1b[D", b"\x19"
KILL = b"\x1b[H\x0b"


@pytest.mark.parametrize(
    ("keys", "text", "pasted"),
    [
        (b"Read " + PASTE % b"a mail", "Read a mail", ((5, 11),)),
        (PASTE % b"a\nb" + b" it", "a\nb it", ((0, 3),)),
        (PASTE % b"ab" + LEFT + b"X", "aXb", ((0, 3),)),
        (PASTE % b"ab" + LEFT * 2 + b"X", "Xab", ((1, 3),)),
        (PASTE % b"aa" + LEFT + b"a", "aaa", ((0, 3),)),
        (PASTE % b"x", "x", ((0, 1),)),
        (b"a b" + KILL + YANK, "a b", ()),
        (b"a b" + KILL + b"c" + YANK, "ca b", ((1, 4),)),
        (PASTE % b"a b" + UNDO + b"c", "c", ()),
        ("必ず".encode(), "必ず", ()),
    ],
)
async def test_it_tells_what_was_pasted(keyboard: TypedAt, keys: bytes, text: str, pasted: tuple):
    os.write(keyboard.ours, keys + b"\r")
    assert await LineEditor().read(NOTHING) == PromptText(text, pasted)


async def test_a_prompt_that_is_found_again_counts_as_pasted(keyboard: TypedAt):
    editor = LineEditor()
    os.write(keyboard.ours, b"never push\r")
    assert await editor.read(NOTHING) == PromptText("never push", ())
    os.write(keyboard.ours, UP + b"!\r")
    assert await editor.read(NOTHING) == PromptText("never push!", ((0, 10),))


async def test_a_terminal_that_marks_no_paste_says_nothing(keyboard: TypedAt):
    os.write(keyboard.ours, b"one\r")
    assert await LineEditor(marked=False).read(NOTHING) == PromptText("one")


async def test_what_a_custom_command_begins_with_counts_as_pasted_also_without_marks(
    keyboard: TypedAt,
):
    os.write(keyboard.ours, b"\r")
    draft = PromptText("Never push x", ((0, 11),))
    found = await LineEditor(marked=False).read(NOTHING, draft)
    assert found == PromptText("Never push x", ((0, 12),))


@pytest.mark.parametrize("typed", ["/g", "/git:", "/git:com"])
async def test_custom_commands_are_completed(typed: str):
    found = PromptCompleter(NOTHING).get_completions_async(Document(typed), CompleteEvent())
    assert [each.text async for each in found] == ["git:commit"]


async def test_behind_an_at_the_changes_stand_before_files():
    offers = replace(NOTHING, files=lambda: ["src/changes.py"])
    document = Document("Why @chan")
    found = PromptCompleter(offers).get_completions_async(document, CompleteEvent())
    assert [each.text async for each in found] == ["changes", "src/changes.py"]


@pytest.mark.parametrize(
    ("typed", "whole"),
    [
        ("See @odd", "See @odd⟨U+00A0⟩b⟨U+0022⟩.md"),
        ('See @"odd b', 'See @"odd⟨U+00A0⟩b⟨U+0022⟩.md"'),
        ('See @"odd⟨U+00A0⟩b', 'See @"odd⟨U+00A0⟩b⟨U+0022⟩.md"'),
    ],
)
async def test_a_file_of_an_odd_name_is_offered_as_it_is_opened(typed: str, whole: str):
    names = ['odd\u00a0b".md', "other.md"]
    offers = replace(NOTHING, files=lambda: names)
    found = PromptCompleter(offers).get_completions_async(Document(typed), CompleteEvent())
    (offered,) = [each async for each in found]
    assert f"{typed[: len(typed) + offered.start_position]}{offered.text}" == whole
