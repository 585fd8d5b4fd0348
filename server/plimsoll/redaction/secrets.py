"""Secrets that Plimsoll knows, replaced in whatever is kept or shown.

This finds the values it was given, wherever they stand, also in JSON, in Base64, in an address or
in hexadecimal digits. It does not guess: what merely looks like a secret in somebody's file is
their text, and a log that garbles it would be no log.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from plimsoll.redaction.forms import forms_of
from plimsoll.redaction.variables import SHORTEST

LONGEST_HELD = 64
"""Characters of a stream that wait for what follows them, at most."""
MARK = "[redacted: "
"""How each text begins that stands for a secret."""
_PIECE = 65_536
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_.-]")


@dataclass(frozen=True, slots=True)
class SecretMatch:
    """A secret in a text."""

    start: int
    end: int
    marker: str


class SecretForms:
    """All forms of a set of secrets, to be searched for in one pass; never changed.

    One expression finds where the first characters of a form stand; only there whole forms are
    compared, so the time grows with the text and hardly with the number of secrets.
    """

    def __init__(self, markers: Mapping[str, str]) -> None:
        """``markers``: for each form, of at least ``SHORTEST`` characters, what replaces it."""
        self.markers = markers
        self._by_start: dict[str, list[str]] = {}
        # The longest first, so that a secret that holds another one is replaced as a whole.
        for form in sorted(markers, key=len, reverse=True):
            self._by_start.setdefault(form[:SHORTEST], []).append(form)
        self._start = re.compile(_either(self._by_start)) if markers else None
        self._beginnings = frozenset(
            form[:end] for form in markers for end in range(1, min(len(form), LONGEST_HELD))
        )

    def find(self, text: str, at: int = 0) -> Iterator[SecretMatch]:
        """Find secrets from a place on, none overlapping another."""
        while (match := self._next_start(text, at)) is not None:
            begin = match.start()
            whole = (form for form in self._by_start[match[0]] if text.startswith(form, begin))
            form = next(whole, None)
            if form is None:
                at = begin + 1
            else:
                at = begin + len(form)
                yield SecretMatch(begin, at, self.markers[form])

    def _next_start(self, text: str, at: int) -> re.Match[str] | None:
        """Search piece by piece: other threads stand still while an expression is matched."""
        if self._start is None:
            return None
        pieces = (
            self._start.search(text, begin, begin + _PIECE + SHORTEST - 1)
            for begin in range(at, len(text), _PIECE)
        )
        return next((match for match in pieces if match is not None), None)

    def replaced(self, text: str) -> str:
        """Replace each secret in a text by its marker."""
        pieces: list[str] = []
        at = 0
        for found in self.find(text):
            pieces += (text[at : found.start], found.marker)
            at = found.end
        return "".join((*pieces, text[at:])) if pieces else text

    def begun(self, text: str, at: int = 0) -> int:
        """Return where the end of a text could be the beginning of a secret; else its length."""
        first = max(at, len(text) - LONGEST_HELD)
        held = (place for place in range(first, len(text)) if text[place:] in self._beginnings)
        return next(held, len(text))


class Secrets:
    """Replaces known secrets in a text by markers such as ``[redacted: OPENAI_API_KEY]``.

    One object serves the store, the spill files, the logs and what people see, so a key that
    arrives later is known to all of them. Safe to call from several threads.
    """

    def __init__(self, values: Mapping[str, str]) -> None:
        """``values``: secret by name; values shorter than eight characters are left out."""
        self._markers: dict[str, str] = {}
        self._forms = SecretForms({})
        self._starts = (self._forms, self._forms)
        for name, value in values.items():
            self.add(name, value)

    def add(self, name: str, value: str) -> None:
        """Know one more secret; what was known under the name before stays known."""
        marker = f"{MARK}{_NOT_IN_NAMES.sub('-', name)}]"
        fresh = {form: marker for form in forms_of(value) if form not in self._markers}
        if fresh:
            self._markers = {**self._markers, **fresh}

    @property
    def forms(self) -> SecretForms:
        """All that is known now; made when it is first needed, since a start must be quick."""
        forms, markers = self._forms, self._markers
        if forms.markers is not markers:
            forms = self._forms = SecretForms(markers)
        return forms

    @property
    def starts(self) -> SecretForms:
        """The forms as a stream looks for them: of a long one as much as may be held back."""
        forms, (made_of, starts) = self.forms, self._starts
        if made_of is not forms:
            markers: dict[str, str] = {}
            for form, marker in forms.markers.items():
                markers.setdefault(form[:LONGEST_HELD], marker)
            starts = SecretForms(markers)
            self._starts = forms, starts
        return starts

    def rests(self, start: str) -> list[str]:
        """Return what the forms that begin so, and are longer, go on with."""
        longer = (form for form in self._markers if len(form) > len(start))
        return [form[len(start) :] for form in longer if form.startswith(start)]

    def __call__(self, text: str) -> str:
        """Replace each known secret in a text by a marker that names it."""
        return self.forms.replaced(text)


class StreamRedactor:
    """Replaces secrets in a text that comes in pieces, also those that stand in two of them.

    What could be the beginning of a secret waits for the next piece; of a longer secret the rest
    is left out as it comes.
    """

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets
        self._held = ""
        self._rests: list[str] = []
        """What a secret that was replaced by its first characters may go on with."""

    @property
    def held(self) -> int:
        """How many characters wait."""
        return len(self._held)

    def feed(self, piece: str) -> str:
        """Take a piece and return what can be shown now."""
        starts, shown = self._secrets.starts, list[str]()
        text = self._held + piece
        at = self._after_rest(text, 0)
        while True:
            begun, found = starts.begun(text, at), next(starts.find(text, at), None)
            if found is None or found.start >= begun:
                self._held = text[begun:]
                return "".join((*shown, text[at:begun]))
            shown += (text[at : found.start], found.marker)
            if found.end - found.start == LONGEST_HELD:
                # So many characters are a secret, whatever the rest of it will be.
                self._rests = self._secrets.rests(text[found.start : found.end])
            at = self._after_rest(text, found.end)

    def end(self) -> str:
        """Return what waited: nothing comes after it."""
        held, self._held = self._held, ""
        self._rests = []
        return self._secrets(held)

    def _after_rest(self, text: str, at: int) -> int:
        """Return where the rest of a long secret ends, or the text."""
        if not self._rests or at == len(text):
            return at
        longest = max(map(len, self._rests))
        follows = text[at : at + longest]
        common = max(_common(rest, follows) for rest in self._rests)
        going_on = [rest[common:] for rest in self._rests if _common(rest, follows) == common]
        at += common
        self._rests = [rest for rest in going_on if rest] if at == len(text) else []
        return at


def _common(one: str, other: str) -> int:
    """Count the characters with which both begin."""
    length = min(len(one), len(other))
    return next((n for n in range(length) if one[n] != other[n]), length)


def _either(words: Iterable[str]) -> str:
    """Write an expression for some words of one length, branching as they do."""
    tails: dict[str, list[str]] = {}
    for word in words:
        if word:
            tails.setdefault(word[0], []).append(word[1:])
    branches = [re.escape(first) + _either(rest) for first, rest in tails.items()]
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})" if branches else ""
