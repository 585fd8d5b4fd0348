"""Markdown as it is drawn on a terminal; it brings rich's parser, so it is loaded when needed."""

from typing import ClassVar

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Heading, Markdown, MarkdownElement


class LeftHeading(Heading):
    """A heading that begins where its text begins, on a wide terminal too."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render it; see ``Heading``."""
        text = self.text.copy()
        text.justify = "left"
        yield text


class DrawnMarkdown(Markdown):
    """Markdown with headings of ours."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "heading_open": LeftHeading,
    }
