"""Replaces known secrets in everything that is stored or shown.

It finds the given values anywhere, even in JSON, Base64, URLs or hexadecimal digits. It does not
guess: a text that only looks like a secret is somebody's text, and a log must not garble it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from plimsoll.redaction.forms import forms_of
from plimsoll.redaction.variables import SHORTEST

LONGEST_HELD = 64
"""The most characters of a stream that are held back."""
MARK = "[redacted: "
"""The beginning of each marker that replaces a secret."""
_PIECE = 65_536
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_.-]")


@dataclass(frozen=True, slots=True)
class SecretMatch:
    """An occurrence of a secret in a text."""

    start: int
    end: int
    marker: str


class SecretForms:
    """All forms of a set of secrets, searched in one pass; immutable.

    One expression finds where the first characters of a form occur; only there whole forms are
    compared, so that the time grows with the text and hardly with the number of secrets.
    """

    def __init__(self, markers: Mapping[str, str]) -> None:
        """``markers``: the replacement of each form, which has at least ``SHORTEST`` characters."""
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
        """Find the secrets in a text from an offset on, without overlaps."""
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
        """Find where the next form may begin; in pieces, since a search holds up other threads."""
        if self._start is None:
            return None
        pieces = (
            self._start.search(text, begin, begin + _PIECE + SHORTEST - 1)
            for begin in range(at, len(text), _PIECE)
        )
        return next((match for match in pieces if match is not None), None)

    def replace_all(self, text: str) -> str:
        """Replace each secret in a text by its marker."""
        pieces: list[str] = []
        at = 0
        for found in self.find(text):
            pieces += (text[at : found.start], found.marker)
            at = found.end
        return "".join((*pieces, text[at:])) if pieces else text

    def find_beginning(self, text: str, at: int = 0) -> int:
        """Return the offset at which a secret may begin that the text cuts off; else its length."""
        first = max(at, len(text) - LONGEST_HELD)
        held = (place for place in range(first, len(text)) if text[place:] in self._beginnings)
        return next(held, len(text))


class Secrets:
    """Replaces known secrets in a text by markers such as ``[redacted: OPENAI_API_KEY]``.

    One object serves the store, the spill files, the logs and all that people see, so that a key
    that is added later is known to all of them. Safe to call from several threads.
    """

    def __init__(self, values: Mapping[str, str]) -> None:
        """``values``: secret by name; values shorter than eight characters are left out."""
        self._markers: dict[str, str] = {}
        self._forms = SecretForms({})
        self._starts = (self._forms, self._forms)
        for name, value in values.items():
            self.add(name, value)

    def add(self, name: str, value: str) -> None:
        """Add a secret; earlier values of the same name stay known."""
        marker = f"{MARK}{_NOT_IN_NAMES.sub('-', name)}]"
        fresh = {form: marker for form in forms_of(value) if form not in self._markers}
        if fresh:
            self._markers = {**self._markers, **fresh}

    @property
    def forms(self) -> SecretForms:
        """All known forms; compiled when first needed, since a start must be quick."""
        forms, markers = self._forms, self._markers
        if forms.markers is not markers:
            forms = self._forms = SecretForms(markers)
        return forms

    @property
    def starts(self) -> SecretForms:
        """The forms for streams, each cut to the length that a stream may hold back."""
        forms, (made_of, starts) = self.forms, self._starts
        if made_of is not forms:
            markers: dict[str, str] = {}
            for form, marker in forms.markers.items():
                markers.setdefault(form[:LONGEST_HELD], marker)
            starts = SecretForms(markers)
            self._starts = forms, starts
        return starts

    def rests(self, start: str) -> list[str]:
        """Return the remainders of all longer forms that begin with ``start``."""
        longer = (form for form in self._markers if len(form) > len(start))
        return [form[len(start) :] for form in longer if form.startswith(start)]

    def __call__(self, text: str) -> str:
        """Replace each known secret in a text by a marker that names it."""
        return self.forms.replace_all(text)


class StreamRedactor:
    """Replaces secrets in a text that comes in pieces, even across two of them.

    A possible beginning of a secret is held back for the next piece; the rest of a longer secret is
    dropped as it comes.
    """

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets
        self._held = ""
        self._rests: list[str] = []
        """The possible rests of a secret whose beginning was replaced."""

    @property
    def held(self) -> int:
        """How many characters are held back."""
        return len(self._held)

    def feed(self, piece: str) -> str:
        """Add a piece and return the text that can be shown now."""
        starts, shown = self._secrets.starts, list[str]()
        text = self._held + piece
        at = self._after_rest(text, 0)
        while True:
            begun, found = starts.find_beginning(text, at), next(starts.find(text, at), None)
            if found is None or found.start >= begun:
                self._held = text[begun:]
                return "".join((*shown, text[at:begun]))
            shown += (text[at : found.start], found.marker)
            if found.end - found.start == LONGEST_HELD:
                # So many characters are a secret, whatever the rest of it will be.
                self._rests = self._secrets.rests(text[found.start : found.end])
            at = self._after_rest(text, found.end)

    def end(self) -> str:
        """Return the text held back, at the end of the stream."""
        held, self._held = self._held, ""
        self._rests = []
        return self._secrets(held)

    def _after_rest(self, text: str, at: int) -> int:
        """Return the offset behind the remainder of a long secret that has begun earlier."""
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
    """Return the length of the common prefix of two texts."""
    length = min(len(one), len(other))
    return next((n for n in range(length) if one[n] != other[n]), length)


def _either(words: Iterable[str]) -> str:
    """Build an expression that matches words of one length, as a prefix tree."""
    tails: dict[str, list[str]] = {}
    for word in words:
        if word:
            tails.setdefault(word[0], []).append(word[1:])
    branches = [re.escape(first) + _either(rest) for first, rest in tails.items()]
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})" if branches else ""
