"""Halves of characters: some hosts escape an emoji in two pieces, one in each event."""


def mended(text: str) -> str:
    """Valid Unicode: surrogate pairs joined, lone halves replaced."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


class Joiner:
    """Holds a first half back until the next piece brings the second."""

    def __init__(self) -> None:
        self._held = ""

    def join(self, piece: str) -> str:
        """The text that is valid so far."""
        text = self._held + piece
        self._held = text[-1] if text and "\ud800" <= text[-1] <= "\udbff" else ""
        return mended(text.removesuffix(self._held) if self._held else text)

    def end(self) -> str:
        """What stands for a half that never got its other half."""
        rest, self._held = mended(self._held), ""
        return rest
