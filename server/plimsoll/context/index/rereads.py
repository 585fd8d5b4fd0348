"""How soon the files of a session are asked for again, and which were asked for lately.

The log alone decides: no count of tokens enters, so copies of a session that hardly differ give
the same answer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plimsoll.context.index.results import ResultIndex, ToolResult, Unread
from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import PartKind, Role, part_item

WITHIN = 12
"""Answers for which a reading counts: to keep a text that long costs as much as writing it anew,
where writing has 12.5 times the price of reading."""


@dataclass(slots=True)
class _Reading:
    """What one call of a reading tool has brought."""

    answer: int
    """The number of the answer that asked last."""
    items: list[str]
    """Its results, oldest first."""


class Rereads:
    """The calls that read a file, and after how many answers each was made again."""

    def __init__(self, results: ResultIndex, messages: Sequence[Said]) -> None:
        self._results = results
        self._readings: dict[tuple[str, str], _Reading] = {}
        """By tool and arguments, the one that was made last at the end."""
        self._answers = 0
        self._again = 0
        self._waited = 0
        """Answers from each reading to the next of the same, at most `WITHIN` of each."""
        self._unread = Unread(messages)

    def rate(self) -> float:
        """Return how often an answer asks again for a file, of those that were read lately.

        Repeats for each file and answer; 0 without a repeat.
        """
        self._read()
        waiting = (self._answers - each.answer for each in self._readings.values())
        waited = self._waited + sum(min(answers, WITHIN) for answers in waiting)
        return self._again / max(1, waited)

    def lately(self) -> Iterator[str]:
        """Yield the results of the files that were read lately, those asked for last first."""
        self._read()
        for each in reversed(self._readings.values()):
            if self._answers - each.answer > WITHIN:
                return
            yield from each.items

    def _read(self) -> None:
        for said in self._unread.take():
            self._answers += said.role is Role.ASSISTANT
            for number, part in enumerate(said.parts):
                found = self._results.of(part_item(said.id, number))
                if part.kind is PartKind.RESULT and found and found.traits.reads and found.file:
                    self._asked(found)

    def _asked(self, result: ToolResult) -> None:
        call = result.name, result.arguments
        reading = self._readings.pop(call, None) or _Reading(self._answers, [])
        waited = self._answers - reading.answer
        if waited:
            self._again += waited <= WITHIN
            self._waited += min(waited, WITHIN)
        reading.answer = self._answers
        reading.items.append(result.item)
        self._readings[call] = reading
