"""The rows that a request shares with the one before it: of a conversation nearly all.

What stands in a view is rendered once, so that a message that stays is the same object in each
request. Its row is made once too, as long as requests carry it.
"""

from collections.abc import Callable, Sequence

from plimsoll.context.log.messages import Message
from plimsoll.providers.http.json_body import Body


class LastRows:
    """Keeps the rows of the last request; nobody may change a row."""

    def __init__(self) -> None:
        self._asked: object = None
        # By identity: to compare messages takes as long as to make their rows. That a message is
        # kept beside its row keeps its identity from being another's.
        self._kept: dict[int, tuple[Message, Body]] = {}

    def of(
        self, messages: Sequence[Message], asked: object, row: Callable[[Message], Body]
    ) -> list[tuple[Message, Body]]:
        """Return the messages with their rows; ``row`` makes one that the last request had not.

        ``asked``: who is asked; another gets rows of its own.
        """
        before = self._kept if asked == self._asked else {}
        found = [before.get(id(each)) or (each, row(each)) for each in messages]
        self._asked, self._kept = asked, {id(pair[0]): pair for pair in found}
        return found
