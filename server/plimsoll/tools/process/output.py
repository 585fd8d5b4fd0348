"""The output of a command as text: what a terminal would have acted on is taken out of it."""

import re

_SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c)"  # OSC
    r"|\x1b[ -/]*[0-Z\\^-~]"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def cleaned(data: bytes) -> str:
    """Clean the whole output as text; of a line that was drawn repeatedly, keep the last state."""
    text = _SEQUENCE.sub("", data.decode("utf-8", "replace"))
    text = text.replace("\r\n", "\n")
    if "\r" in text:
        text = "\n".join(map(_last_state, text.split("\n")))
    return _bare(text)


def _last_state(line: str) -> str:
    return next((state for state in reversed(line.split("\r")) if state), "")


def _bare(text: str) -> str:
    return _CONTROL.sub("", _struck(text) if "\x08" in text else text)


def _struck(text: str) -> str:
    """Take out each character that a backspace went over, in one pass; a line has its own end."""
    kept: list[str] = []
    for character in text:
        if character != "\x08":
            kept.append(character)
        elif kept and kept[-1] != "\n":
            kept.pop()
    return "".join(kept)


class Captured:
    """Keeps the first and the last bytes of an output, and counts those between."""

    def __init__(self, limit: int = 10_000_000) -> None:
        self._half = limit // 2
        self._head = bytearray()
        self._tail = bytearray()
        self.left_out = 0
        """The number of bytes that were not kept."""

    def feed(self, data: bytes) -> None:
        """Add the next bytes of the output."""
        room = self._half - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        # Cut in big steps: cutting at each piece would move the whole tail every time.
        if len(self._tail) > 2 * self._half:
            self._cut()

    def text(self) -> str:
        """Return the text of what is kept; a gap says how much is missing there."""
        self._cut()
        if not self.left_out:
            return cleaned(bytes(self._head + self._tail))
        return cleaned(bytes(self._head)) + self._gap() + cleaned(bytes(self._tail))

    def end(self, limit: int) -> str:
        """Return the text of at most so many last bytes, from the beginning of a line."""
        kept = self._tail[-limit:]
        if len(kept) < limit:
            kept = self._head[-(limit - len(kept)) :] + kept
        if len(kept) < len(self._head) + len(self._tail):
            _, _, kept = kept.partition(b"\n")
        return cleaned(bytes(kept))

    def _gap(self) -> str:
        return f"\n[{self.left_out} bytes of output left out here]\n"

    def _cut(self) -> None:
        extra = max(0, len(self._tail) - self._half)
        del self._tail[:extra]
        self.left_out += extra
