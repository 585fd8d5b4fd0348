"""Which earlier results share lines with a text."""

from collections.abc import Iterable

from plimsoll.context.entries import Said
from plimsoll.context.messages import Kind

LEAST_LINE = 8
"""Characters; shorter lines stand everywhere."""
MOST_HOLDERS = 8
"""Results remembered for a line, the newest ones."""


class LineIndex:
    """The lines of tool results; each message is read once, when somebody asks.

    Lines are kept as hashes: a collision would only propose a base that then does not match.
    """

    def __init__(self) -> None:
        self._holders: dict[int, list[str]] = {}
        self._age: dict[str, int] = {}
        self._waiting: list[Said] = []

    def learn(self, said: Said) -> None:
        """Take a new message."""
        self._waiting.append(said)

    def sharing(self, text: str, most: int) -> list[str]:
        """The items that share the most characters in whole lines; of equals the newest first."""
        self._read()
        shared: dict[str, int] = {}
        for line in _lines(text):
            for item in self._holders.get(hash(line), ()):
                shared[item] = shared.get(item, 0) + len(line)
        ordered = sorted(shared, key=lambda item: (-shared[item], -self._age[item]))
        return ordered[:most]

    def _read(self) -> None:
        waiting, self._waiting = self._waiting, []
        for said in waiting:
            for number, part in enumerate(said.parts):
                if part.kind is Kind.RESULT:
                    self._add(f"{said.id}.{number}", part.text)

    def _add(self, item: str, text: str) -> None:
        self._age[item] = len(self._age)
        for line in _lines(text):
            holders = self._holders.setdefault(hash(line), [])
            holders.append(item)
            del holders[:-MOST_HOLDERS]


def _lines(text: str) -> Iterable[str]:
    return (line for line in dict.fromkeys(text.split("\n")) if len(line) >= LEAST_LINE)
