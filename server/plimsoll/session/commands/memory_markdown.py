"""Memories in Markdown, the same words in the chat, in a terminal and as answers of commands.

What waits for a review was suggested by a tool, a page or a file: it is shown whole, since a person
must see what is accepted, and between code fences, where it is no link, picture or word of ours.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from plimsoll.memory.fence import strip_markers
from plimsoll.memory.sharing import colleague
from plimsoll.session.layers.wording import title_markdown

MOST_LISTED = 100
WAITS = "inbox"
TEAM = "team"


class MemoryOrigin(Protocol):
    """The source of a memory."""

    @property
    def session_id(self) -> str | None:
        """The session from which the memory stems."""
        ...

    @property
    def uri(self) -> str | None:
        """The file from which the memory was taken."""
        ...


class MemoryWords(Protocol):
    """The text of a memory."""

    @property
    def title(self) -> str:
        """The memory's title."""
        ...

    @property
    def content(self) -> str:
        """The memory's text."""
        ...


class MemoryRow(MemoryWords, Protocol):
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
    def class_(self) -> str:
        """The memory's class."""
        ...

    @property
    def scope(self) -> str:
        """Whom the memory is for."""
        ...

    @property
    def pinned(self) -> bool:
        """Whether the memory comes first in new sessions and does not expire."""
        ...

    @property
    def importance(self) -> int | None:
        """The memory's importance from 1 to 5; None if it was never set."""
        ...

    @property
    def tags(self) -> Sequence[str] | None:
        """The memory's tags."""
        ...

    @property
    def removal(self) -> bool | None:
        """Whether the memory suggests that another one be forgotten."""
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
    def trust(self) -> str:
        """Whose words the memory is."""
        ...

    @property
    def author_name(self) -> str | None:
        """The colleague who wrote it; None for the person's own."""
        ...

    @property
    def created_at(self) -> str:
        """When the memory was written down, as RFC 3339."""
        ...

    @property
    def source(self) -> MemoryOrigin | None:
        """The source that the memory comes from."""
        ...

    @property
    def supersedes(self) -> str | None:
        """The older memory that this one hides, once it has an effect."""
        ...


NO_TEAM = "Scope `team` has no effect here: the folder takes part in no team."


@dataclass(frozen=True, slots=True)
class TeamView:
    """What a list of memories tells of a folder's team."""

    joined: bool = False
    waiting: frozenset[str] = frozenset()
    """The ids of what waits to be sent."""
    last_heard: str | None = None
    """When the server was last heard, where that is long ago."""


def memories_markdown(
    memories: Sequence[MemoryRow],
    nothing: str,
    superseded: Mapping[str, MemoryWords] | None = None,
    team: TeamView = TeamView(),
) -> str:
    """List memories, those of the inbox in full with their source; ``nothing``: for an empty list.

    ``superseded``: by the id of a memory in the inbox, the memory that it would hide.
    """
    old = superseded or {}
    shown = memories[:MOST_LISTED]
    rows = [memory_markdown(each, old.get(each.id), waiting=team.waiting) for each in shown]
    if len(memories) > MOST_LISTED:
        rows.append(f"- and {len(memories) - MOST_LISTED} more")
    if not team.joined and any(memory.scope == TEAM for memory in memories):
        rows.append(f"\n{NO_TEAM}")
    if rows and team.last_heard is not None:
        rows.append(f"\nThe team's server was last heard on {team.last_heard[:10]}.")
    return "\n".join(rows) or nothing


def memory_markdown(
    memory: MemoryRow,
    superseded: MemoryWords | None = None,
    *,
    waiting: frozenset[str] = frozenset(),
) -> str:
    """Write a memory in a line; one of the inbox in full, with the memory that it would hide.

    ``waiting``: the ids of what waits to be sent to a team's server.
    """
    facts = [*_facts(memory), *(["waits to be sent"] if memory.id in waiting else [])]
    head = f"- `{memory.id}` **{title_markdown(memory.title)}** ({', '.join(facts)})"
    if memory.state != WAITS:
        return head
    lines = [f"{head}, from {_from(memory)}{_instead(memory)}"]
    if superseded is not None:
        lines += ["Now:", _block(f"{superseded.title}\n{superseded.content}")]
        lines += [] if memory.removal else ["Then:"]
    if not memory.removal:
        lines.append(_block(memory.content))
    return "\n".join(lines)


def _facts(memory: MemoryRow) -> Iterator[str]:
    yield from (memory.type, memory.class_, memory.scope, memory.state)
    # What waits says it behind: where it comes from.
    if memory.trust == TEAM and memory.state != WAITS:
        yield f"by {colleague(memory.author_name)}"
    if memory.pinned:
        yield "pinned"
    if memory.importance is not None:
        yield f"importance {memory.importance}"
    yield from (f"#{tag}" for tag in memory.tags or ())
    yield memory.created_at[:10]


def _instead(memory: MemoryRow) -> str:
    if not memory.supersedes:
        return ""
    if memory.removal:
        return f", suggests to forget `{memory.supersedes}`"
    return f", takes the place of `{memory.supersedes}`"


def imported_markdown(waiting: int, left_out: int) -> str:
    """Say how many memories of an imported document were added or left out."""
    words = f"In the inbox, without effect until you accept them: {waiting}. `/inbox` shows them."
    if not left_out:
        return words
    return f"{words} Left out, as they are known, were forgotten or find no room: {left_out}."


def _block(text: str) -> str:
    """Put a text between fences that it cannot close."""
    shown = strip_markers(text).strip("\n")
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{shown}\n{fence}"


def _from(memory: MemoryRow) -> str:
    source = memory.source
    author = "the agent" if memory.author == "agent" else memory.author
    if memory.trust == TEAM:
        author = colleague(memory.author_name)
    if source is not None and source.uri is not None:
        return f"{author}, file {title_markdown(source.uri)}"
    if source is not None and source.session_id is not None:
        return f"{author}, session `{source.session_id}`"
    return author
