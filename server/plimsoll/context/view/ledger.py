"""The one ledger: how many tokens each item of the next request costs.

Law 4: every token belongs to exactly one item and the parts add up to the total. Whoever needs a
token count of a view asks here; nothing else counts.
"""

from collections.abc import Callable

from plimsoll.context.log.entries import Slot
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.context.view.view import IMAGE_TOKENS, INTERRUPTED

MESSAGE_TOKENS = 4
"""Role and separators of a message, in the chat formats of today's models."""
PART_TOKENS = 3
"""The frame around a call, a result or an attachment."""

SLOT_OF_KIND: dict[PartKind, Slot] = {
    PartKind.REASONING: Slot.REASONING,
    PartKind.CALL: Slot.ASSISTANT,
    PartKind.RESULT: Slot.TOOL_RESULTS,
    PartKind.IMAGE: Slot.ATTACHMENTS,
    PartKind.FILE: Slot.ATTACHMENTS,
    PartKind.SELECTION: Slot.ATTACHMENTS,
}


def slot_of(role: Role, kind: PartKind) -> Slot:
    """The part of the meter to which an item of a message belongs."""
    if kind is PartKind.TEXT:
        return Slot.ASSISTANT if role is Role.ASSISTANT else Slot.USER
    return SLOT_OF_KIND[kind]


class Ledger:
    """Prices items in tokens with one tokenizer."""

    def __init__(self, count: Callable[[str], int]) -> None:
        self._count = count
        self._interrupted = MESSAGE_TOKENS + PART_TOKENS + count(INTERRUPTED)

    def part(self, part: Part, *, first: bool, closing: bool = False) -> int:
        """Tokens of a part as it stands; ``first`` bears its message's frame.

        ``closing``: a call without a result also bears the words that answer it.
        """
        tokens = MESSAGE_TOKENS if first else 0
        if closing:
            tokens += self._interrupted + self._count(part.call_id or "")
        return tokens + self._body(part)

    def text(self, text: str) -> int:
        """Tokens of a frame, a pin or a summary with its own frame."""
        return MESSAGE_TOKENS + self._count(text)

    def bare(self, text: str) -> int:
        """Tokens of a text by itself."""
        return self._count(text)

    def _body(self, part: Part) -> int:
        if part.kind is PartKind.IMAGE:
            return IMAGE_TOKENS
        if part.kind is PartKind.CALL:
            return PART_TOKENS + self._count(f"{part.call_id} {part.name}\n{part.text}")
        if part.kind is PartKind.RESULT:
            return PART_TOKENS + self._count(part.call_id or "") + self._count(part.text)
        if part.kind in (PartKind.FILE, PartKind.SELECTION):
            return PART_TOKENS + self._count(part.text)
        return self._count(part.text)
