"""Lists in the prompt of what the model may ask for by name: skills, and agents to call.

Name and description of each stand in a frame for the person's own and one for the folder's, within
a share of the window. A list that has changed enters at the tail, or in the head when the
provider's cache is cold anyway (law 5).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from plimsoll.context.log.entries import Framed, Place, Slot
from plimsoll.context.log.messages import clean
from plimsoll.session.layers.instructions import INVISIBLE
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_frame
from plimsoll.session.ports.model import Model
from plimsoll.session.state.session_state import SessionState

SHARE = 50
"""All lists of a kind together take at most this part of the effective window: 2 %."""
Whose = Literal["person", "folder"]
_MOST = 1_024
"""Characters of a description, uncut."""


@dataclass(frozen=True, slots=True)
class OfferedLine:
    """A line of such a list."""

    name: str
    description: str
    source: Whose

    def line(self, most: int) -> str:
        """Write the line, with at most so many characters of the description."""
        told = INVISIBLE.sub("", self.description)
        cut = told if len(told) <= most else f"{told[:most].rstrip()}…"
        return f"- {self.name}: {cut}" if most else f"- {self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedList:
    """A kind of list in the prompt: its two slots, and the texts around its lines."""

    slots: Mapping[Whose, str]
    heads: Mapping[Whose, str]
    end: str

    def texts(self, listed: Sequence[OfferedLine], model: Model) -> dict[str, str]:
        """Write the text of each source's list, by slot."""
        return self._texts(listed, self.longest(listed, model))

    def longest(self, listed: Sequence[OfferedLine], model: Model) -> int:
        """Return the most characters of a description with which all lists fit their share."""
        budget, count = model.budget.effective // SHARE, model.ledger.bare

        def fits(most: int) -> bool:
            return sum(map(count, self._texts(listed, most).values())) <= budget

        return _MOST if fits(_MOST) else _search(fits)

    def first_frames(self, texts: Mapping[str, str], clock: Clock) -> tuple[Framed, ...]:
        """Return the frames with which a session begins."""
        return tuple(_frame(slot, text, clock, "head") for slot, text in texts.items())

    def changed_frames(self, texts: Mapping[str, str], state: SessionState) -> tuple[Framed, ...]:
        """Return the frames to append so that the view has these texts and no other."""
        frames, environment = state.log.fold.frames, state.environment
        anew = state.load.cache_expired or not state.instructions_read
        fresh: list[Framed] = []
        for slot in self.slots.values():
            held, text = frames.get(slot), texts.get(slot)
            before = held.text if held is not None else None
            now = None if text is None else environment.redact(clean(text))
            if before != now:
                # What comes back after it was taken out stands where its older version would show.
                back = held is not None and before is None
                place = "head" if anew or back else "tail"
                fresh.append(_frame(slot, text, environment.clock, place))
        return tuple(fresh)

    def _texts(self, listed: Sequence[OfferedLine], most: int) -> dict[str, str]:
        texts: dict[str, str] = {}
        for source, slot in self.slots.items():
            lines = [one.line(most) for one in listed if one.source == source]
            if lines:
                texts[slot] = "\n".join([self.heads[source], *lines, self.end])
        return texts


def _search(fits: Callable[[int], bool]) -> int:
    low, high = 0, _MOST - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low


def _frame(slot: str, text: str | None, clock: Clock, place: Place) -> Framed:
    return new_frame(clock, slot, Slot.INSTRUCTIONS, text, place=place)
