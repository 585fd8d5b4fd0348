"""A provider that says given chunks, and what is heard of them."""

from plimsoll.providers.base import (
    CallFinished,
    CallStarted,
    Finished,
    ReasoningDelta,
    TextDelta,
    Usage,
)
from plimsoll.session.asking.response import ask, new_response


async def anywhere() -> None:
    """Let a request through that belongs to no session."""


class Stream:
    """A provider that says these chunks."""

    def __init__(self, *chunks):
        self.chunks = chunks

    async def stream(self, _request):
        for chunk in self.chunks:
            yield chunk


async def heard(*chunks):
    response, told = new_response(), []
    await ask(Stream(*chunks), None, response, len, let_through=anywhere, hear=told.append)
    return response, told


WHOLE = (
    ReasoningDelta("Let "),
    ReasoningDelta("me see.", "signed"),
    TextDelta("Look"),
    TextDelta("ing."),
    CallStarted("c1", "grep"),
    CallFinished("c1", "grep", '{ "b": 1, "a": "ü" }'),
    Usage(9, 3, 5),
    Finished("toolCalls"),
)
