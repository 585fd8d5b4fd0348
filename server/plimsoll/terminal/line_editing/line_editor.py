"""The prompt of a chat on a terminal: lines that can be edited, pasted whole and found again."""

import asyncio
import signal
import termios
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import has_focus
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import History
from prompt_toolkit.input.typeahead import clear_typeahead, store_typeahead
from prompt_toolkit.key_binding import KeyBindings, KeyPress, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.styles import Style

from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.events import Event, Listener
from plimsoll.terminal.keyboard import NO_DRAFT, PROMPT, Choice, Offers
from plimsoll.terminal.line_editing.completion import PromptCompleter
from plimsoll.terminal.line_editing.pastes import Pastes
from plimsoll.terminal.line_editing.picker import Picker
from plimsoll.text.speech.pasted import Ranges, whole

STYLE = Style.from_dict(
    {
        "bottom-toolbar": "noreverse fg:ansibrightblack",
        "load-ok": "fg:ansigreen",
        "load-warning": "fg:ansiyellow",
        "load-compact": "fg:ansired",
        "load-blocking": "fg:ansired bold",
        "load-infeasible": "fg:ansired bold",
    }
)
_LOCAL_FLAGS = 3
"""The place of the local flags in what ``termios.tcgetattr`` returns."""


class LineEditor:
    """Reads prompts, answers and choices from a terminal; see ``Keyboard``."""

    def __init__(self, history: History | None = None, *, marked: bool = True) -> None:
        """``marked``: whether the terminal marks what is pasted."""
        self._pastes, self._marked = Pastes(), marked
        self._prompts: PromptSession[str] = PromptSession(
            history=history,
            multiline=True,
            key_bindings=_keys(self._pastes),
            prompt_continuation="  ",
            complete_while_typing=True,
            enable_suspend=True,
            style=STYLE,
            reserve_space_for_menu=6,
        )
        self._prompts.default_buffer.on_text_changed += self._follow
        self._typed: list[KeyPress] = []
        """Keys that were pressed while no prompt stood there."""
        self._keeps = False
        """Whether such keys are kept, a paste as one."""

    def _follow(self, buffer: Buffer) -> None:
        self._pastes.change(buffer.text, buffer.cursor_position)

    async def read(self, offers: Offers, draft: PromptText = NO_DRAFT) -> PromptText | None:
        """Read a prompt, which begins as the draft; None at the end of input.

        Raises:
            KeyboardInterrupt: Ctrl-C was pressed where nothing was typed.
        """

        def status() -> StyleAndTextTuples:
            return [(style and f"class:{style}", text) for text, style in offers.status()]

        source = self._prompts.input
        store_typeahead(source, [*self._typed, *source.flush_keys()])
        self._typed.clear()
        self._pastes.begin(draft)
        try:
            text = await self._prompts.prompt_async(
                PROMPT,
                completer=PromptCompleter(offers),
                bottom_toolbar=status,
                default=draft.text,
            )
            return PromptText(text, self._find_pasted(text, draft))
        except EOFError:
            return None
        finally:
            self._mark_pastes()

    def _find_pasted(self, text: str, draft: PromptText) -> Ranges | None:
        """Return what of a prompt was pasted: all of it, where its draft was and no mark tells."""
        if self._marked:
            return self._pastes.of(text)
        return whole(text) if draft.pasted else None

    async def pick(self, title: str, choices: Sequence[Choice]) -> str | None:
        """Let the person pick with the arrow keys; see ``Keyboard``."""
        try:
            return await Picker(title, choices).pick(self._prompts.input, self._prompts.output)
        finally:
            self._mark_pastes()

    async def answer(self, question: str) -> str | None:
        """Ask a question amid a turn; see ``Questions``."""
        self._typed.clear()
        clear_typeahead(self._prompts.input)
        asking: PromptSession[str] = PromptSession(
            input=self._prompts.input, output=self._prompts.output
        )
        try:
            return await asking.prompt_async(question)
        except EOFError:
            return None
        except KeyboardInterrupt:
            # Whoever handles Ctrl-C in a turn cancels it, and this question with it.
            signal.raise_signal(signal.SIGINT)
            return await asyncio.get_running_loop().create_future()
        finally:
            self._mark_pastes()

    @contextmanager
    def typing(self) -> Generator[None]:
        """Keep keys typed between the prompts of the block for the next one; see ``Keyboard``.

        They are not echoed. A paste stays one paste, however long. Ctrl-C stays a signal.
        """
        source = self._prompts.input
        with source.raw_mode(), source.attach(lambda: self._typed.extend(source.read_keys())):
            _keep_signals(source.fileno())
            self._keeps = True
            self._mark_pastes()
            try:
                yield
            finally:
                self._keeps = False
                self._mark_pastes()

    def _mark_pastes(self) -> None:
        """Let the terminal mark pastes while keys are kept; each prompt ends it for itself."""
        shown = self._prompts.output
        if self._keeps:
            shown.enable_bracketed_paste()
        else:
            shown.disable_bracketed_paste()
        shown.flush()

    def above(self, listener: Listener) -> Listener:
        """Return a listener that prints above the prompt while one stands there."""

        def tell_above_prompt(session_id: str, event: Event) -> None:
            if self._prompts.app.is_running:
                run_in_terminal(lambda: listener(session_id, event))
            else:
                listener(session_id, event)

        return tell_above_prompt


def _keep_signals(terminal: int) -> None:
    attributes: list[Any] = termios.tcgetattr(terminal)
    attributes[_LOCAL_FLAGS] |= termios.ISIG
    termios.tcsetattr(terminal, termios.TCSANOW, attributes)


def _keys(pastes: Pastes) -> KeyBindings:
    bindings = KeyBindings()
    editing = has_focus(DEFAULT_BUFFER)

    @bindings.add("enter", filter=editing)
    def _enter(event: KeyPressEvent) -> None:
        """Send the prompt; or insert the chosen completion, or begin a line after a backslash."""
        buffer = event.current_buffer
        if buffer.complete_state and buffer.complete_state.current_completion:
            buffer.complete_state = None
        elif buffer.document.text_before_cursor.endswith("\\"):
            buffer.delete_before_cursor()
            buffer.insert_text("\n")
        else:
            buffer.validate_and_handle()

    @bindings.add(Keys.BracketedPaste, filter=editing)
    def _paste(event: KeyPressEvent) -> None:
        """Insert the pasted text as one paste."""
        pastes.pasting = True
        try:
            event.current_buffer.insert_text(event.data.replace("\r\n", "\n").replace("\r", "\n"))
        finally:
            pastes.pasting = False

    @bindings.add("escape", "enter", filter=editing)
    def _new_line(event: KeyPressEvent) -> None:
        """Begin another line."""
        event.current_buffer.insert_text("\n")

    @bindings.add("c-c", filter=editing)
    def _clear_or_leave(event: KeyPressEvent) -> None:
        """Clear the typed text; on an empty line, leave."""
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            event.app.exit(exception=KeyboardInterrupt, style="class:aborting")

    return bindings
