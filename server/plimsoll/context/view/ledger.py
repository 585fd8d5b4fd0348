"""Counts the tokens of each item of the next request, and checks the request before it is sent.

Law 4: every token belongs to exactly one item and the parts add up to the total. Only the ledger
counts the tokens of a view. Law 3: `violations` finds what must not be sent.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from plimsoll.context.log.entries import Pinned, Slot
from plimsoll.context.log.messages import Message, Part, PartKind, Role, pin_item
from plimsoll.context.view.request_messages import INTERRUPTED
from plimsoll.context.view.view import IMAGE_TOKENS, View

MESSAGE_TOKENS = 4
"""Role and separators of a message, in the chat formats of today's models."""
PART_TOKENS = 3
"""The markup around a call, a result or an attachment."""
SEALED_CHARACTERS = 6
"""Characters per token of encrypted reasoning: base64 of about four bytes a token, and markup."""

SLOT_OF_KIND: dict[PartKind, Slot] = {
    PartKind.REASONING: Slot.REASONING,
    PartKind.CALL: Slot.ASSISTANT,
    PartKind.RESULT: Slot.TOOL_RESULTS,
    PartKind.IMAGE: Slot.ATTACHMENTS,
    PartKind.FILE: Slot.ATTACHMENTS,
    PartKind.SELECTION: Slot.ATTACHMENTS,
}


def slot_of(role: Role, kind: PartKind) -> Slot:
    """Return the part of the meter to which an item of a message belongs."""
    if kind is PartKind.TEXT:
        return Slot.ASSISTANT if role is Role.ASSISTANT else Slot.USER
    return SLOT_OF_KIND[kind]


class Ledger:
    """Prices items in tokens with one tokenizer."""

    def __init__(
        self,
        count: Callable[[str], int],
        count_schema: Callable[[str], int] | None = None,
        likely: Callable[[str], int] | None = None,
    ) -> None:
        """``count_schema`` counts the schemas of tools, where they are counted differently.

        ``likely`` counts without the safety margin of ``count`` for an unknown tokenizer.
        """
        self._count = count
        self._likely = likely or count
        self._count_schema = count_schema or count
        self._interrupted = MESSAGE_TOKENS + PART_TOKENS + count(INTERRUPTED)

    def part(self, part: Part, *, first: bool, closing: bool = False) -> int:
        """Count the tokens of a part; the ``first`` of a message includes the message's markup.

        ``closing``: a call without a result also includes the text that answers it.
        """
        tokens = MESSAGE_TOKENS if first else 0
        if closing:
            tokens += self._interrupted + self._count(part.call_id or "")
        return tokens + self._body(part)

    def text(self, text: str) -> int:
        """Count the tokens of a frame, a pin or a summary as a message of its own."""
        return MESSAGE_TOKENS + self._count(text)

    def frame(self, text: str, kind: Slot) -> int:
        """Count the tokens of a frame: a tool's schema or a text."""
        return MESSAGE_TOKENS + self._count_schema(text) if kind is Slot.TOOLS else self.text(text)

    def count_ahead(self, view: View) -> None:
        """Count the texts of a view to fill the tokenizer's cache; may run on any thread."""
        for shown in view.items():
            self._body(shown.part)

    def bare(self, text: str) -> int:
        """Count the tokens of a text by itself."""
        return self._count(text)

    def likely(self, text: str) -> int:
        """Count the tokens that a text by itself most likely has, at least half of `bare`.

        For soft limits: before the provider has reported usage, the cautious count would cut too
        much. Whether a request fits is decided by the other counts.
        """
        return max(self._likely(text), self._count(text) // 2)

    def _body(self, part: Part) -> int:
        fixed, texts = tokens_and_texts(part)
        return fixed + sum(map(self._count, texts))


def tokens_and_texts(part: Part) -> tuple[int, tuple[str, ...]]:
    """Return a part's fixed tokens and the texts to count beside them."""
    if part.kind is PartKind.IMAGE:
        return IMAGE_TOKENS, ()
    if part.kind is PartKind.CALL:
        return PART_TOKENS, (f"{part.call_id} {part.name}\n{part.text}",)
    if part.kind is PartKind.RESULT:
        return PART_TOKENS, (part.call_id or "", part.text)
    if part.kind in (PartKind.FILE, PartKind.SELECTION):
        return PART_TOKENS, (part.text,)
    if part.kind is PartKind.REASONING:
        return _reasoning(part)
    return 0, (part.text,)


def _reasoning(part: Part) -> tuple[int, tuple[str, ...]]:
    """Count only the reasoning that its provider wants to be sent back."""
    if part.opaque is None:
        return 0, ()
    return (0, (part.text,)) if part.text else (len(part.opaque) // SEALED_CHARACTERS, ())


@dataclass(frozen=True, slots=True)
class Violation:
    """One reason not to send a request: the provider would refuse it, or a law is broken."""

    law: str
    """``pairing``, ``pins``, ``window`` or ``content``."""
    message: str


def violations(
    messages: Sequence[Message], pins: Iterable[Pinned], tokens: int, limit: int
) -> tuple[Violation, ...]:
    """List everything that is wrong with a request that has ``tokens`` of at most ``limit``."""
    return (
        *_pairing(messages),
        *_pins(messages, pins),
        *_window(tokens, limit),
        *_content(messages),
    )


def _pairing(messages: Sequence[Message]) -> Iterator[Violation]:
    """Report calls that are not answered exactly once, directly after their message."""
    waiting: list[str] = []
    seen: set[str] = set()
    for message in messages:
        if message.role is Role.TOOL:
            if message.call_id not in waiting:
                yield Violation("pairing", f"result {message.id} answers no open call")
            else:
                waiting.remove(message.call_id)
            continue
        if waiting:
            yield Violation("pairing", f"calls {waiting} are unanswered before {message.id}")
            waiting = []
        for call in message.calls:
            if call.id in seen:
                yield Violation("pairing", f"call {call.id} occurs twice")
            seen.add(call.id)
            waiting.append(call.id)
    if waiting:
        yield Violation("pairing", f"calls {waiting} are unanswered at the end")


def _pins(messages: Sequence[Message], pins: Iterable[Pinned]) -> Iterator[Violation]:
    for pin in pins:
        item = pin_item(pin.id)
        if not any(item in message.items and pin.text in message.text for message in messages):
            yield Violation("pins", f"pin {pin.number} is not in the request")


def _window(tokens: int, limit: int) -> Iterator[Violation]:
    if tokens > limit:
        yield Violation("window", f"{tokens:,} tokens do not fit in {limit:,}")


def _content(messages: Sequence[Message]) -> Iterator[Violation]:
    """Report user messages without content and assistant messages without anything."""
    for message in messages:
        empty = not message.text.strip() and not message.images
        if message.role is Role.USER and empty:
            yield Violation("content", f"message {message.id} is empty")
        if message.role is Role.ASSISTANT and empty and not message.calls:
            yield Violation("content", f"message {message.id} is empty")
