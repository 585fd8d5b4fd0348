"""A list on the terminal from which one thing is picked with the arrow keys."""

from collections.abc import Sequence
from functools import partial

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, Layout, ScrollOffsets, Window
from prompt_toolkit.layout.dimension import Dimension
from prompt_toolkit.output import Output

from plimsoll.terminal.keyboard import Choice
from plimsoll.terminal.screen import one_line

MOST_ROWS = 12


class Picker:
    """A list of which one row is marked; typed letters narrow it."""

    def __init__(self, title: str, choices: Sequence[Choice]) -> None:
        self._title = title
        self._choices = choices
        self._typed = ""
        self._at = 0

    @property
    def fitting(self) -> list[Choice]:
        """The choices that contain the typed letters."""
        words = self._typed.lower().split()
        return [c for c in self._choices if all(word in c.label.lower() for word in words)]

    @property
    def marked(self) -> str | None:
        """The value of the marked row; None if no choice fits."""
        fitting = self.fitting
        return fitting[self._at].value if fitting else None

    def move(self, rows: int) -> None:
        """Mark another row, the first behind the last."""
        self._at = (self._at + rows) % max(1, len(self.fitting))

    def narrow(self, typed: str) -> None:
        """Set the letters by which the list is narrowed."""
        self._typed, self._at = typed, 0

    async def pick(self, given: Input, shown: Output) -> str | None:
        """Show the list until a row is picked; None for Escape and Ctrl-C."""
        control = FormattedTextControl(self._rows, focusable=True, show_cursor=False)
        window = Window(
            control,
            height=Dimension(max=MOST_ROWS + 1),
            dont_extend_height=True,
            scroll_offsets=ScrollOffsets(top=1, bottom=1),
        )
        app: Application[str | None] = Application(
            Layout(window),
            key_bindings=self._keys(),
            input=given,
            output=shown,
            erase_when_done=True,
        )
        return await app.run_async()

    def _rows(self) -> StyleAndTextTuples:
        hint = self._typed or "arrows, letters to narrow, Enter, Esc"
        rows: StyleAndTextTuples = [("bold", self._title), ("fg:ansibrightblack", f"  {hint}")]
        for at, choice in enumerate(self.fitting):
            words = one_line(choice.label)
            marked = at == self._at
            # Before the words: the window follows the cursor, and would show the end of a long row.
            rows += [("", "\n"), ("[SetCursorPosition]" if marked else "", "")]
            rows.append(("fg:ansicyan", f"> {words}") if marked else ("", f"  {words}"))
        return rows

    def _on_move(self, rows: int, _event: KeyPressEvent) -> None:
        self.move(rows)

    def _keys(self) -> KeyBindings:
        bindings = KeyBindings()
        steps = {"up": -1, "c-p": -1, "s-tab": -1, "down": 1, "c-n": 1, "tab": 1}
        for key, step in {**steps, "pageup": -MOST_ROWS, "pagedown": MOST_ROWS}.items():
            bindings.add(key)(partial(self._on_move, step))

        @bindings.add("enter")
        def _take(event: KeyPressEvent) -> None:
            if self.marked is not None:
                event.app.exit(result=self.marked)

        @bindings.add("escape", eager=True)
        @bindings.add("c-c")
        @bindings.add("c-d")
        def _leave(event: KeyPressEvent) -> None:
            event.app.exit(result=None)

        @bindings.add("backspace")
        def _widen(_event: KeyPressEvent) -> None:
            self.narrow(self._typed[:-1])

        @bindings.add("<any>")
        def _letter(event: KeyPressEvent) -> None:
            if event.data.isprintable():
                self.narrow(self._typed + event.data)

        return bindings
