"""Whether an editor shows a file in another encoding than it is written in.

An editor that takes all for UTF-8 shows U+FFFD for what is none, and saves that in its place.
"""

import re

REPLACEMENT = "\ufffd"
_SEVERAL = re.compile(f"{REPLACEMENT}+")
_ENDING = re.compile("\r\n?")


def is_misreading(text: str, data: bytes) -> bool:
    """Tell whether a text is exactly what bytes in another encoding give when read as UTF-8."""
    if REPLACEMENT not in text:
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return _bare(text) == _bare(data.decode("utf-8", "replace"))
    return False


def _bare(text: str) -> str:
    """Remove from a text what editors read differently: BOMs, line endings, repeated U+FFFD."""
    return _SEVERAL.sub(REPLACEMENT, _ENDING.sub("\n", text.removeprefix("\ufeff")))
