"""The output of commands: answers go to standard output, all other lines to standard error.

Texts of models, tools and files are shown, never obeyed: control characters are taken out.
"""

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TextIO

from plimsoll.terminal.markdown import Blocks

_KEPT = "\n\t"
_CONTROLS = [*range(0x20), 0x7F, *range(0x80, 0xA0)]
_TURNING = [0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
"""Line separators, and marks that make a text appear in another order."""
_SHOWN = {
    code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    for code in (*_CONTROLS, *_TURNING)
    if chr(code) not in _KEPT
}


def plain(text: str) -> str:
    """Write every character that could steer the terminal as an escape.

    A command that is to be approved must be the one that is seen.
    """
    return text.replace("\r\n", "\n").translate(_SHOWN)


def one_line(text: str, most: int = 160) -> str:
    """Return the beginning of a text as one line."""
    words = " ".join(plain(text[: 4 * most]).split())
    return words if len(words) <= most else f"{words[: most - 1]}…"


def tail(text: str, columns: int) -> str:
    """Return the end of a line that fits into so many columns."""
    from rich.cells import cell_len

    kept = text[-columns:] if columns > 0 else ""
    while cell_len(kept) > columns:
        kept = kept[1:]
    return kept


def head(line: str, columns: int) -> str:
    """Return the beginning of a line that fits into so many columns; its indent stays."""
    from rich.cells import cell_len

    shown = plain(line[: 4 * columns].expandtabs())
    if cell_len(shown) <= columns:
        return shown
    kept = shown[: columns - 1]
    while cell_len(kept) > columns - 1:
        kept = kept[:-1]
    return f"{kept}…"


if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_STYLES = {"markdown.code": "cyan", "markdown.h1": "bold underline"}
"""Styles of Markdown that are readable on a light ground and on a dark one."""
_ERASE_ABOVE = "\x1b[A\x1b[K"
_ERASE_LINE, _DIM, _NO_STYLE, _ELLIPSIS = "\r\x1b[K", "\x1b[2m", "\x1b[0m", " …"
_STYLING = re.compile(r"\x1b\[[0-9;]*m")

Pieces = Sequence[tuple[str, str]]
"""Texts with their styles; an empty style is the terminal's own."""


class Screen:
    """Standard output and standard error of a command; coloured where a person looks at them."""

    def __init__(self, out: TextIO, err: TextIO) -> None:
        self._out = out
        self._err = err
        self._consoles: dict[int, Console] = {}
        self._open_line = False
        self._blocks = Blocks()
        self._after_block = False
        self._previewed = False
        self._passing = 0
        """The lines on standard error that are to be taken away."""

    @property
    def watched(self) -> bool:
        """Whether a person watches: standard output is a terminal."""
        return self._out.isatty()

    def stream(self, text: str) -> None:
        """Print more of an answer, as it arrives; on a terminal as Markdown, block by block."""
        shown = plain(text)
        self.passing("")
        if self.watched:
            for block in self._blocks.feed(shown):
                self._markdown(block)
            self._preview(self._blocks.begun)
            return
        self._write(self._out, shown)
        self._open_line = not shown.endswith("\n") if shown else self._open_line

    def line(self, text: str = "") -> None:
        """Print a line of the answer."""
        self.end_line()
        self._write(self._out, plain(text) + "\n")

    def markdown(self, text: str) -> None:
        """Print a Markdown text, drawn on a terminal, otherwise as it is written."""
        if not self.watched:
            self.line(text)
            return
        self.end_line()
        self._markdown(plain(text))

    def print_coloured(self, pieces: Pieces) -> None:
        """Print a line of the answer, in colours on a terminal."""
        self.end_line()
        self._print_coloured(self._out, pieces)

    def note(self, text: str, style: str = "dim") -> None:
        """Print a line to standard error, beside the answer."""
        self.end_line()
        self._print_coloured(self._err, ((plain(text), style),))

    @property
    def can_pass(self) -> bool:
        """Whether lines on standard error can be erased again."""
        return self._err.isatty()

    def passing(self, text: str) -> None:
        """Show lines on standard error until the next output erases them; empty: erase them.

        If lines cannot be erased here, nothing is shown. Of more lines than the terminal
        has, the last ones are shown, each cut to its width.
        """
        if not self.can_pass or not (text or self._passing):
            return
        if not self._passing:
            self.end_line()
        columns, rows = shutil.get_terminal_size()
        lines = text.split("\n")[1 - rows :] if text else []
        erase = _ERASE_LINE + _ERASE_ABOVE * (self._passing - 1)
        self._write(self._err, erase + "\n".join(head(line, columns - 1) for line in lines))
        self._passing = len(lines)

    def ask(self, text: str) -> None:
        """Print a question, with the cursor behind it."""
        self.end_line()
        self._write(self._err, plain(text))

    def object(self, value: Mapping[str, object]) -> None:
        """Print a JSON object on a line of its own, in ASCII: nothing in it steers a terminal."""
        self._write(self._out, json.dumps(value) + "\n")

    def table(self, title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Print a table; columns are numbers if their heading begins with ``#``.

        Without rows the title says that there are none.
        """
        self.end_line()
        if not rows:
            self.line(f"{title}: none")
            return
        clean = [[plain(cell).replace("\n", " ") for cell in row] for row in rows]
        if self.watched:
            self._rich_table(title, headings, clean)
        else:
            self._plain_table(title, headings, clean)

    def ring(self) -> None:
        """Ring the terminal's bell, if a person watches the terminal."""
        if self.watched:
            self._write(self._out, "\a")

    def end_line(self) -> None:
        """End an unfinished line or block of the answer, and erase the passing lines."""
        self.passing("")
        if block := self._blocks.end():
            self._markdown(block)
        self._preview("")
        self._after_block = False
        if self._open_line:
            self._write(self._out, "\n")
            self._open_line = False

    def _write(self, stream: TextIO, text: str) -> None:
        stream.write(text)
        stream.flush()

    def _print_coloured(self, stream: TextIO, pieces: Pieces) -> None:
        if not stream.isatty():
            self._write(stream, "".join(text for text, _ in pieces) + "\n")
            return
        self._console(stream).print(_text(pieces), soft_wrap=True)

    def _console(self, stream: TextIO) -> "Console":
        # Loaded late: rich costs 80 ms, and only a terminal needs it.
        from rich.console import Console
        from rich.theme import Theme

        key = id(stream)
        if key not in self._consoles:
            self._consoles[key] = Console(
                file=stream, highlight=False, markup=False, emoji=False, theme=Theme(_STYLES)
            )
        return self._consoles[key]

    def _preview(self, begun: str) -> None:
        """Show the end of an unfinished block on one line, which the next such line replaces.

        Otherwise a slow model would seem to hang until a paragraph ends.
        """
        if not begun and not self._previewed:
            return
        columns = self._console(self._out).width - len(_ELLIPSIS) - 1
        shown = tail(" ".join(begun[-4 * columns :].split()), columns)
        self._write(
            self._out, f"{_ERASE_LINE}{_DIM}{shown}{_ELLIPSIS}{_NO_STYLE}" if shown else _ERASE_LINE
        )
        self._previewed = bool(shown)

    def _markdown(self, block: str) -> None:
        self._preview("")
        # Loaded late: it brings a parser and the lexers of many languages.
        from plimsoll.terminal.drawn_markdown import DrawnMarkdown

        # A link shows where it leads: its text alone could name another place.
        drawn = DrawnMarkdown(block, code_theme="ansi_dark", hyperlinks=False)
        console = self._console(self._out)
        with console.capture() as captured:
            console.print(drawn)
        # Each kind of block brings blank lines of its own, or none.
        lines = captured.get().split("\n")
        full = [at for at, line in enumerate(lines) if _STYLING.sub("", line).strip()]
        if full:
            self._write(self._out, "\n" * self._after_block)
            self._write(self._out, "\n".join((*lines[full[0] : full[-1] + 1], "")))
            self._after_block = True

    def _rich_table(self, title: str, headings: Sequence[str], rows: list[list[str]]) -> None:
        from rich.table import Table

        table = Table(title=title, title_justify="left", title_style="bold", box=None)
        for heading in headings:
            numbers = heading.startswith("#")
            table.add_column(heading.lstrip("#"), justify="right" if numbers else "left")
        for row in rows:
            table.add_row(*(_text(((cell, ""),)) for cell in row))
        self._console(self._out).print(table)

    def _plain_table(self, title: str, headings: Sequence[str], rows: list[list[str]]) -> None:
        shown = [[heading.lstrip("#") for heading in headings], *rows]
        widths = [max(len(row[i]) for row in shown) for i in range(len(headings))]
        self._write(self._out, f"{title}\n")
        for row in shown:
            cells = (
                cell.rjust(width) if heading.startswith("#") else cell.ljust(width)
                for cell, width, heading in zip(row, widths, headings, strict=True)
            )
            self._write(self._out, f"  {'  '.join(cells).rstrip()}\n")


def _text(pieces: Pieces) -> "Text":
    from rich.text import Text

    text = Text()
    for piece, style in pieces:
        text.append(piece, style or None)
    return text
