"""The meter beside the server's own count, turn after turn of a conversation."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from product.harness import Product

ROOT = Path(__file__).parents[2]
LOW = 0.95
"""The least share of the server's count that the meter may show."""
LEARNING = 2
"""Requests from which the tokenizer is learned."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One request, as the server counted it and as the meter had before it was sent."""

    theirs: int
    ours: int
    stages: tuple[str, ...]
    """What was reduced before it."""
    stop: str
    """Why the turn ended."""

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs


def prose() -> str:
    names = ("context", "memory", "security", "settings", "wire")
    return "\n".join((ROOT / "docs" / f"{name}.md").read_text("utf-8") for name in names)


def numbers() -> str:
    """A table of which each line is another: most of its characters are digits."""
    lines = (f"{n * 7_919 % 100_003},{n * 31 % 977}.{n % 10},berth {n}" for n in range(4_000))
    return "\n".join(lines)


def code() -> str:
    files = sorted((ROOT / "server" / "plimsoll" / "session").glob("*.py"))
    return "\n".join(file.read_text("utf-8") for file in files)


KINDS = {"prose": prose, "numbers": numbers, "code": code}


def entries(*kinds: str, characters: int) -> Iterator[str]:
    """What is said turn after turn, of each kind in its turn, and never the same."""
    texts = {kind: KINDS[kind]() for kind in kinds}
    for number, kind in enumerate(cycle(kinds)):
        start = number // len(kinds) * characters
        yield f"Entry {number} of the log: {texts[kind][start : start + characters]}"


def reading(product: Product, session: str, text: str) -> Reading:
    """Take a turn of one request."""
    before = len(_reductions(product, session))
    updates = product.turn(session, text)
    measured = product.call("plimsoll/context/meter", {"sessionId": session})["lastMeasured"]
    return Reading(
        theirs=measured["inputTokens"],
        ours=measured["ourCount"],
        stages=tuple(_reductions(product, session)[before:]),
        stop=updates[-1]["stopReason"],
    )


def _reductions(product: Product, session: str) -> list[str]:
    updates = product.updates(session)
    return [update["receipt"]["stage"] for update in updates if update["kind"] == "reduction"]
