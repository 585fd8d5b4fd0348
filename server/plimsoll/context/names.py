"""The names in a text: identifiers, paths and long numbers, by which it can be found again."""

import re
from collections.abc import Iterable, Iterator

_NAME = re.compile(
    r"(?:[\w.~-]*/)+[\w.-]*\w"  # paths
    r"|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+"  # dotted names
    r"|[A-Za-z]+_\w+|_+[A-Za-z]\w*"  # snake case
    r"|[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*"  # camel case
    r"|[A-Za-z_]\w{2,}(?=\()"  # calls and definitions
    r"|\b[A-Z][A-Z0-9_]{3,}\b"  # constants
    r"|#\d{2,}|\b\d{3,}\b|\b0x[0-9a-fA-F]{4,}\b|\b[0-9a-f]{7,40}\b"  # issues, numbers, hashes
)
LONGEST_NAME = 120
"""Characters; what is longer is data, not a name."""


def names_in(text: str) -> Iterator[str]:
    """The names of a text in order of appearance, each once."""
    seen: set[str] = set()
    for match in _NAME.finditer(text):
        name = match.group()
        if name not in seen and len(name) <= LONGEST_NAME:
            seen.add(name)
            yield name


class NameIndex:
    """The names of texts, each text read once."""

    def __init__(self) -> None:
        self._names: dict[str, tuple[str, ...]] = {}

    def of(self, text: str) -> tuple[str, ...]:
        """The names of a text in order of appearance."""
        known = self._names.get(text)
        if known is None:
            known = self._names[text] = tuple(names_in(text))
        return known

    def standing(self, texts: Iterable[str]) -> frozenset[str]:
        """All names of some texts."""
        return frozenset(name for text in texts for name in self.of(text))
