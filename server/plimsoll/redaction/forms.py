"""How a secret can be spelled: plain, in JSON, in Base64, in an address, in hexadecimal digits."""

import base64
import json
import re
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

from plimsoll.redaction.variables import SHORTEST

_SHORTEST_LINE = 32
"""Of a key of several lines, each line of at least this length is a secret of its own."""


def forms_of(secret: str) -> Iterator[str]:
    """Spell a secret in each way that is looked for; the same form can come twice."""
    for text in (secret, *_long_lines(secret)):
        if len(text) >= SHORTEST:
            yield text
            yield from _in_json(text)
            yield from _encoded(text)


def _in_json(text: str) -> Iterator[str]:
    """Spell it as it stands in JSON, and in JSON within JSON."""
    for escape in (_escaped, _escaped_to_ascii, _escaped_for_pages):
        once = escape(text)
        yield once
        yield escape(once)


def _encoded(text: str) -> Iterator[str]:
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
    """Spell it in Base64 wherever it may begin within a group of three bytes.

    The characters that also carry bits of what stands beside it are left off.
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


def _escaped(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _escaped_to_ascii(text: str) -> str:
    return json.dumps(text)[1:-1]


def _escaped_for_pages(text: str) -> str:
    """Escape it as Go and others do, whose JSON may stand in a page of HTML."""
    return re.sub("[&<>]", lambda sign: f"\\u{ord(sign[0]):04x}", _escaped(text))
