"""The scripted model: a program that waits for results as a model does, and its provider."""

from collections.abc import AsyncIterator, Generator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from plimsoll.context.log.messages import Role, canonical
from plimsoll.providers.base import (
    CallFinished,
    CallStarted,
    Chunk,
    Finished,
    Request,
    TextDelta,
)
from plimsoll.providers.reading.calls import fresh_call_id, used_call_ids


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call that the model wants."""

    tool: str
    arguments: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of the model; without calls it ends the turn."""

    text: str
    calls: tuple[Call, ...] = ()


Work = Generator[Answer, Sequence[str], None]
"""All answers of a session in order; each gets the results of its calls."""


class Worker:
    """A provider that lets the work go on with what the tools have returned."""

    def __init__(self, work: Work) -> None:
        """``work`` is begun with the first request."""
        self._work = work
        self._begun = False

    async def stream(self, request: Request) -> AsyncIterator[Chunk]:
        """Answer with the next step of the work."""
        newest = takewhile(
            lambda message: message.role is not Role.ASSISTANT, reversed(request.messages)
        )
        results = [message.text for message in newest if message.role is Role.TOOL]
        answer = self._work.send(results[::-1]) if self._begun else next(self._work)
        self._begun = True
        if answer.text:
            yield TextDelta(answer.text)
        taken = used_call_ids(request)
        for number, call in enumerate(answer.calls):
            own = fresh_call_id(request, number, taken)
            yield CallStarted(own, call.tool)
            yield CallFinished(own, call.tool, canonical(dict(call.arguments)))
        yield Finished("toolCalls" if answer.calls else "endTurn")

    async def close(self) -> None:
        """Do nothing: there is nothing to give back."""
