"""Caches the rows that a request shares with the one before it, nearly all of a conversation.

A message that stays in view is the same object in each request, so its row is built only once.
"""

from collections.abc import Callable, Sequence

from plimsoll.context.log.messages import Message
from plimsoll.providers.http.json_body import Body


class LastRows:
    """The messages of the last request in the API's form, called rows; never to be changed."""

    def __init__(self) -> None:
        self._asked: object = None
        # By identity: to compare messages takes as long as to make their rows. That a message is
        # kept beside its row keeps its identity from being another's.
        self._kept: dict[int, tuple[Message, Body]] = {}

    def of(
        self, messages: Sequence[Message], asked: object, row: Callable[[Message], Body]
    ) -> list[tuple[Message, Body]]:
        """Return the messages with their rows; ``row`` builds those that the last request lacked.

        ``asked``: the model and address of the request; for another pair all rows are built anew.
        """
        before = self._kept if asked == self._asked else {}
        found = [before.get(id(each)) or (each, row(each)) for each in messages]
        self._asked, self._kept = asked, {id(pair[0]): pair for pair in found}
        return found
