"""What the assistant referred to after it had seen it.

Only the log decides, so the same log gives the same answer on every machine.
"""

import re
from collections.abc import Mapping
from posixpath import basename

from plimsoll.context.index.names import NameIndex, words_of
from plimsoll.context.index.results import ResultIndex
from plimsoll.context.log.entries import Said
from plimsoll.context.log.item_ids import part_item
from plimsoll.context.log.messages import PartKind, Role

_DECISION = re.compile(
    r"\b(based on|I'll use|I will use|let's use|we'll use|the (?:issue|bug|problem|cause) is"
    r"|the fix is|decided|turns out|confirmed)\b",
    re.IGNORECASE,
)
MOST_HOLDERS = 4
"""Results in which a name may stand for its use to say which of them was meant."""


class References:
    """What the assistant referred to later; each message is read once."""

    def __init__(self, names: NameIndex, results: ResultIndex) -> None:
        self._names = names
        self._results = results
        self._holders: dict[str, list[str]] = {}
        self._spoken: set[str] = set()
        self._references: dict[str, int] = {}
        self._decided: set[str] = set()
        self._meant_by: list[set[str]] = []
        """For each answer the results that it referred to."""
        self._words: set[str] = set()
        self._waiting: list[Said] = []

    def learn(self, said: Said) -> None:
        """Take a new message; it is read when somebody asks."""
        self._waiting.append(said)

    def counts(self) -> Mapping[str, int]:
        """For each result the later messages of the assistant that referred to it."""
        self._read()
        return self._references

    def decided(self) -> frozenset[str] | set[str]:
        """The results by which the assistant said that it decided."""
        self._read()
        return self._decided

    def recent(self, answers: int) -> frozenset[str]:
        """The results to which one of the last so many answers referred."""
        self._read()
        recent = self._meant_by[-answers:] if answers else []
        return frozenset(item for meant in recent for item in meant)

    def spoken_words(self) -> set[str]:
        """The words that people and the assistant have said, those in calls included."""
        self._read()
        return self._words

    def _read(self) -> None:
        waiting, self._waiting = self._waiting, []
        for said in waiting:
            if said.role is Role.TOOL:
                self._held(said)
            else:
                self._said(said)

    def _held(self, said: Said) -> None:
        """Note the names of a result, and its file; those that people said before say nothing."""
        for number, part in enumerate(said.parts):
            item = part_item(said.id, number)
            result = self._results.of(item)
            path = result.path if result else None
            own = (path, basename(path)) if path else ()
            fresh = (name for name in self._names.of(part.text) if name not in self._spoken)
            for name in (*own, *fresh):
                self._holders.setdefault(name, []).append(item)

    def _said(self, said: Said) -> None:
        texts = [part.text for part in said.parts if part.kind in _SPEAKING]
        names = {name for text in texts for name in self._names.of(text)}
        if said.role is Role.ASSISTANT:
            meant = {item for name in names for item in self._meant(name)}
            self._meant_by.append(meant)
            for item in meant:
                self._references[item] = self._references.get(item, 0) + 1
            if meant and any(_DECISION.search(text) for text in texts):
                self._decided |= meant
        self._spoken |= names
        for text in texts:
            self._words |= words_of(text)

    def _meant(self, name: str) -> list[str]:
        holders = self._holders.get(name, [])
        return holders if len(holders) <= MOST_HOLDERS else []


_SPEAKING = frozenset({PartKind.TEXT, PartKind.REASONING, PartKind.CALL})
