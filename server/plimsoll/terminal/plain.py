"""Texts of models, tools and files on a terminal: shown, never obeyed."""

_KEPT = "\n\t"
_CONTROLS = [*range(0x20), 0x7F, *range(0x80, 0xA0)]
_TURNING = [0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
"""Line separators, and marks that let a text read in another order than it stands."""
_SHOWN = {
    code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    for code in (*_CONTROLS, *_TURNING)
    if chr(code) not in _KEPT
}


def plain(text: str) -> str:
    """The text with every character that could steer the terminal written out.

    A command that is to be approved must be the one that is seen.
    """
    return text.replace("\r\n", "\n").translate(_SHOWN)


def one_line(text: str, most: int = 160) -> str:
    """The beginning of a text as one line."""
    words = " ".join(plain(text[: 4 * most]).split())
    return words if len(words) <= most else f"{words[: most - 1]}…"
