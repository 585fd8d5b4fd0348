"""Secrets that Plimsoll knows, replaced in whatever is about to be kept.

This finds the values it was given, wherever they stand. It does not guess: what merely looks like
a secret in somebody's file is their text, and a log that garbles it would be no log.
"""

import json
import re
from collections.abc import Iterator, Mapping

from plimsoll.redaction.variables import SHORTEST

_SHORTEST_LINE = 32
"""Of a key of several lines, each line of at least this length is a secret of its own."""

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_.-]")


class Secrets:
    """Replaces known secrets in a text by markers such as ``[redacted: OPENAI_API_KEY]``.

    One object serves the store, the spill files and the logs, so a key that arrives later is
    known to all of them. Safe to call from several threads.
    """

    def __init__(self, values: Mapping[str, str]) -> None:
        """``values``: secret by name; values shorter than eight characters are left out."""
        self._forms: tuple[tuple[str, str], ...] = ()
        for name, value in values.items():
            self.add(name, value)

    def add(self, name: str, value: str) -> None:
        """Know one more secret; what was known under the name before stays known."""
        marker = f"[redacted: {_NOT_IN_NAMES.sub('-', name)}]"
        forms = {**dict.fromkeys(_forms(value), marker), **dict(self._forms)}
        # The longest first, so that a secret that holds another one is replaced as a whole.
        self._forms = tuple(sorted(forms.items(), key=lambda form: -len(form[0])))

    def __call__(self, text: str) -> str:
        """Replace each known secret in a text by a marker that names it."""
        for form, marker in self._forms:
            if form in text:
                text = text.replace(form, marker)
        return text


def _forms(secret: str) -> Iterator[str]:
    """Spell the secret as it stands in a plain text, in JSON, and in JSON within JSON."""
    for text in (secret, *_long_lines(secret)):
        if len(text) < SHORTEST:
            continue
        yield text
        for escape in (_escaped, _escaped_to_ascii):
            once = escape(text)
            yield once
            yield escape(once)


def _long_lines(secret: str) -> list[str]:
    lines = secret.splitlines()
    return [line for line in lines if len(line) >= _SHORTEST_LINE] if len(lines) > 1 else []


def _escaped(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _escaped_to_ascii(text: str) -> str:
    return json.dumps(text)[1:-1]
