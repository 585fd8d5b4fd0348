"""The output of a command as text: what a terminal would have acted on is taken out of it."""

import codecs
import re

_SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c)"  # OSC
    r"|\x1b[ -/]*[0-Z\\^-~]"
)
# The beginning of one of these, at the end of what was written so far.
_UNFINISHED = re.compile(
    r"(?:(?:\x1b\[|\x9b)[0-?]*[ -/]*"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*\x1b?"
    r"|\x1b[ -/]*)\Z"
)
_LONGEST_UNFINISHED = 4_096
"""Bytes; what begins earlier is no sequence that somebody waits for the end of."""
_WORD = re.compile(r"[^\W\d_]+")
_MOST_TEXTS = 40
"""Texts of one line that are kept, each on a line of its own."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def clean_output(data: bytes) -> str:
    """Clean a command's whole output; of a line that was redrawn, keep only the last state.

    Carriage returns also end lines that are not redrawn, as in old files and logs of devices: texts
    that begin with different words become lines, and a note says how many are left out.
    """
    text = _SEQUENCE.sub("", data.decode("utf-8", "replace"))
    text = text.replace("\r\n", "\n")
    if "\r" in text:
        text = "\n".join(map(_undrawn, text.split("\n")))
    return _bare(text)


def _undrawn(line: str) -> str:
    texts: list[str] = []
    drawn: str | None = None
    for state in filter(str.strip, line.split("\r")):
        word = _WORD.search(state)
        first = word.group() if word else None
        if texts and first == drawn:
            texts[-1] = state
        else:
            texts.append(state)
        drawn = first
    half = _MOST_TEXTS // 2
    if (more := len(texts) - 2 * half) > 0:
        texts[half:-half] = [f"[{more} texts of this line left out here]"]
    return "\n".join(texts)


def _count_unfinished(data: bytes) -> int:
    """Return how many last bytes are the beginning of a character or of a terminal's sequence."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    text = decoder.decode(data)
    begun = _UNFINISHED.search(text)
    rest, _ = decoder.getstate()
    return len(rest) + (len(begun.group().encode()) if begun else 0)


def _bare(text: str) -> str:
    return _CONTROL.sub("", _apply_backspaces(text) if "\x08" in text else text)


def _apply_backspaces(text: str) -> str:
    """Remove each character that a backspace erases, in one pass; no line end is erased."""
    kept: list[str] = []
    for character in text:
        if character != "\x08":
            kept.append(character)
        elif kept and kept[-1] != "\n":
            kept.pop()
    return "".join(kept)


class Captured:
    """Keeps the first and last bytes of an output, and counts the bytes between."""

    def __init__(self, limit: int = 10_000_000) -> None:
        self._half = limit // 2
        self._head = bytearray()
        self._tail = bytearray()
        self.left_out = 0
        """The number of bytes that were not kept."""

    @property
    def size(self) -> int:
        """The number of bytes of the output, also of those that were not kept."""
        return len(self._head) + len(self._tail) + self.left_out

    def feed(self, data: bytes) -> None:
        """Add the next bytes of the output."""
        room = self._half - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        # Cut in big steps: cutting at each piece would move the whole tail every time.
        if len(self._tail) > 2 * self._half:
            self._cut()

    def take_unfinished(self) -> bytes:
        """Remove and return an incomplete character or escape sequence at the end."""
        kept = self._tail or self._head
        count = _count_unfinished(bytes(kept[-_LONGEST_UNFINISHED:]))
        begun = bytes(kept[len(kept) - count :])
        del kept[len(kept) - count :]
        return begun

    def text(self) -> str:
        """Return the text of the kept bytes; a note in the gap says how much is missing."""
        self._cut()
        if not self.left_out:
            return clean_output(bytes(self._head + self._tail))
        return clean_output(bytes(self._head)) + self._gap() + clean_output(bytes(self._tail))

    def so_far(self) -> "Captured":
        """Return a copy of the kept output, without an incomplete character at its end."""
        now = Captured(2 * self._half)
        now._head, now._tail, now.left_out = self._head[:], self._tail[:], self.left_out
        now.take_unfinished()
        return now

    def end(self, limit: int) -> str:
        """Return the text of at most this many last bytes, from the beginning of a line."""
        kept = self._tail[-limit:]
        if len(kept) < limit:
            kept = self._head[-(limit - len(kept)) :] + kept
        if len(kept) < len(self._head) + len(self._tail):
            _, _, kept = kept.partition(b"\n")
        shown = len(kept) - _count_unfinished(bytes(kept[-_LONGEST_UNFINISHED:]))
        return clean_output(bytes(kept[:shown]))

    def _gap(self) -> str:
        return f"\n[{self.left_out} bytes of output left out here]\n"

    def _cut(self) -> None:
        extra = max(0, len(self._tail) - self._half)
        del self._tail[:extra]
        self.left_out += extra
