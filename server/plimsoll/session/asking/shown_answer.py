"""What people see of an answer while it arrives, without secrets."""

from collections.abc import Callable

from plimsoll.providers.base import ReasoningDelta, TextDelta
from plimsoll.redaction.secrets import StreamRedactor
from plimsoll.redaction.variables import SHORTEST
from plimsoll.session.ports.events import ReasoningArrived, TextArrived


class ShownAnswer:
    """What people see of an answer while it arrives: its text and its reasoning without secrets."""

    def __init__(
        self,
        open_stream: Callable[[], StreamRedactor],
        show: Callable[[type[TextArrived | ReasoningArrived], str], None],
    ) -> None:
        self._show = show
        self._streams: dict[type[TextArrived | ReasoningArrived], StreamRedactor] = {
            ReasoningArrived: open_stream(),
            TextArrived: open_stream(),
        }

    def hear(self, chunk: TextDelta | ReasoningDelta) -> None:
        """Show a piece of text, but hold back an end that may be the beginning of a secret."""
        kind = TextArrived if isinstance(chunk, TextDelta) else ReasoningArrived
        for other, stream in self._streams.items():
            # A few characters of the other kind are no secret, and it may be over.
            if other is not kind and stream.held < SHORTEST:
                self._show(other, stream.end())
        self._show(kind, self._streams[kind].feed(chunk.text))

    def end(self) -> None:
        """Show the text that was held back."""
        for kind, stream in self._streams.items():
            self._show(kind, stream.end())
