"""The units of a conversation: groups of messages, and the notes that entered between them."""

from dataclasses import dataclass, field

from plimsoll.context.entries import Cover, Framed, Pinned, Refer, Replace, Restore, Said
from plimsoll.context.view import Line, Shown

Form = Replace | Refer | Restore
Forms = dict[str, list[tuple[str, Form]]]
"""For each item the edits that gave it a form, oldest first."""


@dataclass(frozen=True, slots=True)
class Note:
    """A frame or pin, and where in the log it entered."""

    entry: Framed | Pinned
    index: int
    """Of the entry in the log."""
    head: bool
    """It stood before the conversation from the beginning."""


@dataclass(slots=True)
class Group:
    """Messages that stand or fall together, and the edits that decide about them."""

    id: str
    place: int
    """Its place in the conversation, from 0."""
    turn: int
    said: list[Said] = field(default_factory=list[Said])
    hidden: set[str] = field(default_factory=set[str])
    """Messages that a rewind hides."""
    covers: list[tuple[str, Cover | Restore]] = field(
        default_factory=list[tuple[str, Cover | Restore]]
    )
    notes: list[Note] = field(default_factory=list[Note])
    lines: tuple[Line, ...] = ()
    """As it was rendered last."""
    results: tuple[Shown, ...] = ()
    """The tool results in these lines."""
    tokens: int = 0
    """Of these lines."""

    @property
    def visible(self) -> list[Said]:
        """Its messages that no rewind hides."""
        if not self.hidden:
            return self.said
        return [said for said in self.said if said.id not in self.hidden]

    @property
    def cover(self) -> tuple[str, Cover] | None:
        """The edit and the cover that keep it out of view; the newest decides."""
        if not self.covers:
            return None
        edit, op = self.covers[-1]
        return (edit, op) if isinstance(op, Cover) else None
