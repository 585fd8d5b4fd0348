"""The encodings in which a secret can occur: plain, JSON, Base64, in a URL, hexadecimal."""

import base64
import json
import re
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

from plimsoll.redaction.variables import SHORTEST

_SHORTEST_LINE = 32
"""In a key of several lines, each line of this length is searched as a secret of its own."""


def forms_of(secret: str) -> Iterator[str]:
    """Yield the forms of a secret in each encoding; the same form can occur twice."""
    for text in (secret, *_long_lines(secret)):
        if len(text) >= SHORTEST:
            yield text
            yield from _in_json(text)
            yield from _encode(text)


def _in_json(text: str) -> Iterator[str]:
    """Yield a secret as written in JSON, and in JSON within JSON."""
    for escape in (_escape, _escape_to_ascii, _escape_for_html):
        once = escape(text)
        yield once
        yield escape(once)


def _encode(text: str) -> Iterator[str]:
    data = text.encode("utf-8", "surrogatepass")
    yield from _in_base64(data)
    for digits in (data.hex(), "".join(f"%{byte:02x}" for byte in data)):
        yield digits
        yield digits.upper()
    for form in (quote(data, safe=""), quote(data), quote_plus(data)):
        yield form
        # Both cases of the digits behind a percent sign are in use.
        yield _lower_escapes(form)


def _in_base64(data: bytes) -> Iterator[str]:
    """Yield a secret in Base64, at each offset within a group of three bytes.

    Characters that share bits with neighbouring text are left out.
    """
    for before in range(3):
        bits = 8 * before
        first, end = -(-bits // 6), 8 * (before + len(data)) // 6
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            yield encode(bytes(before) + data).decode()[first:end]


def _lower_escapes(form: str) -> str:
    head, *rest = form.split("%")
    return head + "".join(f"%{part[:2].lower()}{part[2:]}" for part in rest)


def _long_lines(secret: str) -> list[str]:
    lines = re.split(r"\r\n|\r|\n", secret.strip("\r\n"))
    return [line for line in lines if len(line) >= _SHORTEST_LINE] if len(lines) > 1 else []


def _escape(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _escape_to_ascii(text: str) -> str:
    return json.dumps(text)[1:-1]


def _escape_for_html(text: str) -> str:
    """Escape a text like Go's JSON encoder, which is safe in HTML."""
    return re.sub("[&<>]", lambda sign: f"\\u{ord(sign[0]):04x}", _escape(text))
