"""Output of programs as text: what a terminal would have acted on is taken out."""

import re

_SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)"  # OSC, DCS
    r"|\x1b[ -/]*[0-Z\\^-~]"
)
_OVERSTRUCK = re.compile(r"[^\n\x08]\x08")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def cleaned(data: bytes) -> str:
    """Whole output as text; of a line that was drawn again and again, the last state."""
    text = _SEQUENCE.sub("", data.decode("utf-8", "replace"))
    text = text.replace("\r\n", "\n")
    if "\r" in text:
        text = "\n".join(map(_last_state, text.split("\n")))
    return _bare(text)


def _last_state(line: str) -> str:
    return next((state for state in reversed(line.split("\r")) if state), "")


def _bare(text: str) -> str:
    while "\x08" in text:
        struck = _OVERSTRUCK.sub("", text)
        if struck == text:
            break
        text = struck
    return _CONTROL.sub("", text)


class Captured:
    """The first and the last bytes of an output, and how many are missing between."""

    def __init__(self, limit: int = 10_000_000) -> None:
        self._half = limit // 2
        self._head = bytearray()
        self._tail = bytearray()
        self.left_out = 0
        """Bytes that were not kept."""

    def feed(self, data: bytes) -> None:
        """Take what came."""
        room = self._half - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        # Cut in big steps: cutting at each piece would move the whole tail every time.
        if len(self._tail) > 2 * self._half:
            self._cut()

    def text(self) -> str:
        """The text of what is kept; a gap says how much is missing there."""
        self._cut()
        if not self.left_out:
            return cleaned(bytes(self._head + self._tail))
        return cleaned(bytes(self._head)) + self._gap() + cleaned(bytes(self._tail))

    def _gap(self) -> str:
        return f"\n[{self.left_out} bytes of output left out here]\n"

    def _cut(self) -> None:
        extra = max(0, len(self._tail) - self._half)
        del self._tail[:extra]
        self.left_out += extra
