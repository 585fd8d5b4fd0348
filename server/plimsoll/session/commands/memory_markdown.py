"""Memories in Markdown, the same words in the chat, in a terminal and as answers of commands.

What waits for a review was suggested by a tool, a page or a file: it is shown whole, since a person
must see what is accepted, and between code fences, where it is no link, picture or word of ours.
"""

import re
from collections.abc import Sequence
from typing import Protocol

from plimsoll.memory.fence import fenced_line, harmless

MOST_LISTED = 100
WAITS = "inbox"


class MemoryOrigin(Protocol):
    """Where a memory comes from."""

    @property
    def session_id(self) -> str | None:
        """The session in which it was said."""
        ...

    @property
    def uri(self) -> str | None:
        """The file that it was taken from."""
        ...


class MemoryRow(Protocol):
    """A memory, of the core or of the wire."""

    @property
    def id(self) -> str:
        """The memory's id."""
        ...

    @property
    def type(self) -> str:
        """The memory's type."""
        ...

    @property
    def title(self) -> str:
        """The memory's title."""
        ...

    @property
    def content(self) -> str:
        """The memory's text."""
        ...

    @property
    def state(self) -> str:
        """The memory's state."""
        ...

    @property
    def author(self) -> str:
        """The author who wrote the memory down."""
        ...

    @property
    def created_at(self) -> str:
        """RFC 3339."""
        ...

    @property
    def source(self) -> MemoryOrigin | None:
        """The source that the memory comes from."""
        ...

    @property
    def supersedes(self) -> str | None:
        """The memory that it hides, once it has an effect."""
        ...


def memories_markdown(memories: Sequence[MemoryRow], nothing: str) -> str:
    """Write memories in lines; those that wait whole, with their source. ``nothing``: for none."""
    rows = [memory_markdown(memory) for memory in memories[:MOST_LISTED]]
    if len(memories) > MOST_LISTED:
        rows.append(f"- and {len(memories) - MOST_LISTED} more")
    return "\n".join(rows) or nothing


def memory_markdown(memory: MemoryRow) -> str:
    """Write a memory in a line, or one that waits with its whole text and its source."""
    state = "" if memory.state == "active" else f", {memory.state}"
    facts = f"{memory.type}, {memory.created_at[:10]}{state}"
    head = f"- `{memory.id}` **{title_markdown(memory.title)}** ({facts})"
    if memory.state != WAITS:
        return head
    instead = f", takes the place of `{memory.supersedes}`" if memory.supersedes else ""
    return f"{head}, from {_from(memory)}{instead}\n{_block(memory.content)}"


def title_markdown(title: str) -> str:
    """Escape a title so that it marks nothing up."""
    line = fenced_line(title)
    return "".join(f"\\{letter}" if letter in "\\`*[]<|" else letter for letter in line)


def _block(text: str) -> str:
    """Put a text between fences that it cannot close."""
    shown = harmless(text).strip("\n")
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{shown}\n{fence}"


def _from(memory: MemoryRow) -> str:
    source = memory.source
    author = "the agent" if memory.author == "agent" else memory.author
    if source is not None and source.uri is not None:
        return f"{author}, file {title_markdown(source.uri)}"
    if source is not None and source.session_id is not None:
        return f"{author}, session `{source.session_id}`"
    return author
