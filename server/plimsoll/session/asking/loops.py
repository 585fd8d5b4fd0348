"""Loops of a model: a call that fails alike again and again, a phrase without an end. Pure."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from plimsoll.context.log.messages import Part
from plimsoll.tools.ports.intent import Outcome

TOLD_AFTER = 3
"""Equal failing calls after which the model is told."""
STOPPED_AFTER = 5
"""Equal failing calls after which the turn stops."""
TOLD = (
    "\n\n[This call has failed {count} times in the same way, and nothing has changed in between. "
    "Do not send it again as it is: change its arguments, find another way, or tell the user what "
    "is missing. After {most} times the turn is stopped.]"
)
"""What the model reads behind the result of such a call."""
LOOPED = (
    "Stopped: the model sent the same failing call {count} times: {call}. Send a message that says "
    "what to do instead, or choose another model."
)
MOST_REPEATED = 2_000
"""Tokens of one repeated phrase after which an answer is stopped."""
MOST_UNRUN = 2
"""Answers of a turn with calls where no tool runs, after which it ends."""
LAST_ANSWER_REFUSED = (
    "Stopped: the context is nearly full and the model was asked for its last answer without "
    "tools, but it went on calling them. None was run. Send `/compact` or remove what is not "
    "needed, then send a message to go on."
)
ASK_MODE_REFUSED = (
    "Stopped: no tool runs in ask mode, but the model went on calling them. None was run. Switch "
    "to plan or edit mode and send a message to go on, or choose another model."
)
REPEATED = (
    "Stopped: the model repeated {phrase!r} without an end. Send a message that says how to go on, "
    "or choose another model."
)
_MOST_CHARACTERS = 16_000
"""The newest characters that are looked at; a phrase that fills them is repeated too often."""
_LEAST_CHARACTERS = 2_000
"""No token is shorter than a character, so fewer are not counted."""
_LONGEST_PHRASE = 2_000
_LEAST_REPEATS = 5
_LOOK_EVERY = 1_000
"""Characters that arrive between two looks."""
_END = 64
_NUMBER = re.compile(r"0x[0-9a-fA-F]+|\d+")
_LONGEST_REASON = 1_000
_LONGEST_SHOWN = 80


Failures = dict[tuple[object, ...], set[str]]
"""The messages of a turn whose calls failed, by the call and by how it failed."""


@dataclass(slots=True)
class TurnLoops:
    """The failures of a turn so far that may become a loop."""

    failures: Failures = field(default_factory=Failures)
    unrun: int = 0
    """Answers with calls although no tool runs."""


def count_failure(
    failures: Failures, message: str, call: Part, outcome: Outcome, *, changes: bool
) -> int:
    """Count the equal calls that failed alike while nothing was changed between them.

    0 if this call did not fail; a message counts once. Alike: the same exit code, and the same end
    of the output but for its numbers, which may be times or addresses. ``changes``: the call may
    change something if it succeeds, so that what failed may not fail any more.
    """
    if not outcome.failed and outcome.exit_code in {None, 0}:
        if changes:
            failures.clear()
        return 0
    reason = _NUMBER.sub("0", outcome.text[-_LONGEST_REASON:])
    key = call.name, call.text, call.opaque, outcome.exit_code, reason
    messages = failures.setdefault(key, set())
    messages.add(message)
    return len(messages)


def with_loop_warning(outcome_text: str, count: int) -> str:
    """Return a failed call's result, with a warning once it has failed alike several times."""
    if count < TOLD_AFTER:
        return outcome_text
    return outcome_text + TOLD.format(count=count, most=STOPPED_AFTER)


@dataclass(frozen=True, slots=True)
class Repeated:
    """A phrase that ends a text over and over."""

    phrase: str
    characters: int
    """Of all its repeats together."""

    @property
    def shown(self) -> str:
        """The phrase on one line, for people."""
        words = " ".join(self.phrase.split())
        return words if len(words) <= _LONGEST_SHOWN else f"{words[:_LONGEST_SHOWN]} …"

    def cut(self, text: str) -> str:
        """Return the text with the phrase once and the number of its repeats."""
        head = text[: len(text) - self.characters]
        times = self.characters // len(self.phrase)
        return f"{head}{self.phrase}\n[this repeated {times:,} times, so the answer was stopped]"


class Repetition:
    """Watches a text that arrives in pieces for one phrase that is repeated without an end."""

    def __init__(self, count: Callable[[str], int]) -> None:
        """``count`` counts tokens."""
        self._count = count
        self._newest = ""
        self._fresh = 0

    def feed(self, piece: str) -> Repeated | None:
        """Add a piece of the text; return the phrase once it was repeated too often."""
        self._newest = (self._newest + piece)[-_MOST_CHARACTERS:]
        self._fresh += len(piece)
        if self._fresh < _LOOK_EVERY or len(self._newest) < _LEAST_CHARACTERS:
            return None
        self._fresh = 0
        found = repeated_end(self._newest)
        if found is None:
            return None
        text = self._newest[len(self._newest) - found.characters :]
        # A blank line costs a token for scores of characters: what fills the window is enough.
        fills = _MOST_CHARACTERS - len(text) < len(found.phrase)
        enough = fills or self._count(text) >= MOST_REPEATED
        return found if enough else None


def repeated_end(text: str) -> Repeated | None:
    """Find the phrase that a text repeats at its end, if it does so often and at length."""
    end, before = text[-_END:], len(text) - 1
    while (place := text.rfind(end, 0, before)) >= 0:
        period = len(text) - _END - place
        if period > _LONGEST_PHRASE:
            return None
        characters = _periodic_end(text, period)
        if characters >= max(_LEAST_CHARACTERS, _LEAST_REPEATS * period):
            return Repeated(text[-period:], characters - characters % period)
        before = place + _END - 1
    return None


def _periodic_end(text: str, period: int) -> int:
    """Return the length of the longest end of a text that repeats with a period."""
    low, high = period, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        tail = text[len(text) - middle :]
        if tail[period:] == tail[: middle - period]:
            low = middle
        else:
            high = middle - 1
    return low
