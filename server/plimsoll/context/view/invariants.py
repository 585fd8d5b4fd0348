"""What must hold of every request before it leaves (law 3): the one check, and its findings."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from plimsoll.context.log.entries import Pinned
from plimsoll.context.log.item_ids import pin_item
from plimsoll.context.log.messages import Message, Role


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that would make the provider refuse the request, or break a promise."""

    law: str
    """``pairing``, ``pins``, ``window`` or ``content``."""
    message: str


def violations(
    messages: Sequence[Message], pins: Iterable[Pinned], tokens: int, limit: int
) -> tuple[Violation, ...]:
    """Everything that is wrong with a request of so many tokens under a limit of tokens."""
    return (
        *_pairing(messages),
        *_pins(messages, pins),
        *_window(tokens, limit),
        *_content(messages),
    )


def _pairing(messages: Sequence[Message]) -> Iterator[Violation]:
    """Each call is answered once, directly behind its message and in no other place."""
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
    """A user message without content, or an assistant message without anything, is refused."""
    for message in messages:
        empty = not message.text.strip() and not message.images
        if message.role is Role.USER and empty:
            yield Violation("content", f"message {message.id} is empty")
        if message.role is Role.ASSISTANT and empty and not message.calls:
            yield Violation("content", f"message {message.id} is empty")
