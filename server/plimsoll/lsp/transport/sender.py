"""Messages to the client, one after the other, from any thread."""

from collections.abc import Callable, Mapping

from plimsoll.lsp.transport.bodies import PlainForm, encode
from plimsoll.lsp.transport.framing import BY_LENGTH, Framing

Write = Callable[[bytes, str | None], None]
"""Takes a framed message, and the key under which a newer one may replace it while it waits."""


class Sender:
    """Sends one message after the other, from any thread."""

    def __init__(self, plain_form: PlainForm, framing: Framing = BY_LENGTH) -> None:
        self._plain_form = plain_form
        self._framing = framing
        self._write: Write | None = None

    def connect(self, write: Write) -> None:
        """Set the function that writes framed messages from now on."""
        self._write = write

    def send(self, message: Mapping[str, object], droppable_key: str | None = None) -> None:
        """Send one message, given without its `jsonrpc` member; dropped if there is no client.

        Raises:
            TypeError, ValueError: when it is no JSON.
        """
        if self._write is not None:
            body = encode({"jsonrpc": "2.0", **message}, self._plain_form)
            self._write(self._framing.frame(body), droppable_key)

    def notify(self, method: str, params: object, droppable_key: str | None = None) -> None:
        """Send a notification; of those with one key, a client that lags sees the newest."""
        self.send({"method": method, "params": params}, droppable_key)
