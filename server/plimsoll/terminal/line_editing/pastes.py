"""Tracks the pasted ranges of the prompt being written, as far as the terminal marks them."""

from plimsoll.session.ports.content import PromptText
from plimsoll.text.speech.pasted import Ranges, after_change, in_order, replacement, whole

UNMARKED_TERMINALS = frozenset({"", "ansi", "dumb", "linux", "vt100", "vt102", "vt220", "vt52"})
"""Values of TERM whose terminals do not mark what is pasted."""


class Pastes:
    """Follows the pasted ranges of a prompt through its changes."""

    def __init__(self) -> None:
        self.pasting = False
        """Whether what comes in now is a paste."""
        self._text = ""
        self._pasted: Ranges = ()
        self._known: dict[str, Ranges] = {}

    def begin(self, draft: PromptText) -> None:
        """Begin with the draft on the line, which counts as pasted unless it says otherwise."""
        text, pasted = draft.text, draft.pasted
        self._text, self._pasted = text, whole(text) if pasted is None else pasted
        self._known = {"": (), text: self._pasted}

    def change(self, text: str, cursor: int) -> None:
        """Follow a change of the text; ``cursor``: its place behind the inserted text."""
        change = replacement(self._text, text, cursor)
        came = text[change.start : change.start + change.length]
        # A recalled prompt, a word put back, an undo: only a name that was completed is typed.
        typed = not self.pasting and (len(came) < 2 or (came.isascii() and came.split() == [came]))
        known = None if typed or self.pasting else self._known.get(text)
        self._text = text
        self._pasted = after_change(self._pasted, change, typed=typed) if known is None else known
        before = self._known.get(text, ())
        self._known[text] = in_order((*before, *self._pasted))

    def of(self, text: str) -> Ranges:
        """Return the ranges of the sent prompt that were pasted."""
        return self._pasted if text == self._text else whole(text)
