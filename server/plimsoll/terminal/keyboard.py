"""Reads a person's words: from a terminal with an editor of lines, a plain one, or a pipe."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Protocol

from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.events import Listener
from plimsoll.terminal.lines import Lines
from plimsoll.terminal.screen import Screen, one_line
from plimsoll.text.speech.pasted import whole

PROMPT = "\n> "
NO_DRAFT = PromptText("", ())


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several things to pick from."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A completion of the typed text, and its description."""

    value: str
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offers:
    """What a prompt offers: the bar below it, and completions of commands and files."""

    status: Callable[[], Sequence[tuple[str, str]]]
    """Returns the pieces of the bar below the prompt, each with the name of its style."""
    arguments: Callable[[str], Awaitable[Sequence[Candidate]]]
    """Returns the known arguments of a slash command."""
    custom: Callable[[], Awaitable[Sequence[Candidate]]]
    """Lists the custom commands."""
    files: Callable[[], Sequence[str]]
    """Lists the files of the folder; called on a worker thread."""


class Questions(Protocol):
    """Puts questions to a person."""

    async def answer(self, question: str) -> str | None:
        """Ask a question and return the line typed in answer; earlier typing is dropped.

        Null: the input has ended.
        """
        ...


class Keyboard(Questions, Protocol):
    """Reads prompts, answers and choices."""

    async def read(self, offers: Offers, draft: PromptText = NO_DRAFT) -> PromptText | None:
        """Read a prompt, with its pasted ranges if they are known; None at the end of input.

        ``draft``: the text already on the line, if the line can be edited.
        """
        ...

    async def pick(self, title: str, choices: Sequence[Choice]) -> str | None:
        """Let the person pick one choice; None if they pick none."""
        ...

    def typing(self) -> AbstractContextManager[None]:
        """Keep keys typed between the prompts of the block as the beginning of the next prompt."""
        ...

    def above(self, listener: Listener) -> Listener:
        """Return a listener that prints above the prompt, and not into it."""
        ...


class PlainKeyboard:
    """Standard input in plain lines, as a pipe or a simple terminal gives them."""

    def __init__(self, screen: Screen, lines: Lines, *, person: bool) -> None:
        """``person``: whether a person types, who wants to see prompts."""
        self._screen = screen
        self._lines = lines
        self._person = person

    async def read(self, offers: Offers, draft: PromptText = NO_DRAFT) -> PromptText | None:
        """Read a line; see ``Keyboard``. A line from a pipe counts as not typed."""
        del offers, draft
        if self._person:
            self._screen.ask(PROMPT)
        line = await self._lines.read()
        if line is None:
            return None
        return PromptText(line) if self._person else PromptText(line, whole(line))

    async def answer(self, question: str) -> str | None:
        """Ask and read a line; see ``Questions``."""
        self._lines.forget()
        self._screen.ask(question)
        return await self._lines.read()

    async def pick(self, title: str, choices: Sequence[Choice]) -> str | None:
        """List the choices with numbers, and read one; see ``Keyboard``."""
        self._screen.note(title, "bold")
        for number, choice in enumerate(choices, 1):
            self._screen.note(f"  {number}  {one_line(choice.label)}", "")
        answer = (await self.answer("Number: ") or "").strip()
        at = int(answer) - 1 if answer.isascii() and answer.isdigit() else -1
        return choices[at].value if 0 <= at < len(choices) else None

    def typing(self) -> AbstractContextManager[None]:
        """Do nothing: the system keeps lines until they are read; see ``Keyboard``."""
        return nullcontext()

    def above(self, listener: Listener) -> Listener:
        """Return the listener; see ``Keyboard``."""
        return listener
