"""The embedded provider: no network, no key, no weights; the same request gives the same answer."""

import asyncio
import re
from collections.abc import AsyncGenerator

from plimsoll.context.log.messages import canonical
from plimsoll.providers.base import (
    CallFinished,
    CallStarted,
    Chunk,
    Finished,
    ProviderOptions,
    Request,
    TextDelta,
)
from plimsoll.providers.embedded.decide import next_move
from plimsoll.providers.reading.call_ids import fresh_call_id, used_call_ids

DELTA = re.compile(r"(?s).{1,24}(?=\s|$)\s?|.{1,24}")
"""A few words at a time, as a model sends them."""


class Embedded:
    """Runs the search in the same tool loop as a model; reports no usage."""

    def __init__(self, options: ProviderOptions | None = None) -> None:
        """Ignore the options, which the interface requires."""
        del options

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Stream the next step of the search as chunks; see ``Provider``."""
        move = next_move(request)
        for piece in DELTA.findall(move.text):
            yield TextDelta(piece)
            # Lets a cancellation in between two pieces of a long answer.
            await asyncio.sleep(0)
        taken = used_call_ids(request)
        calls = [
            CallFinished(
                fresh_call_id(request, number, taken), call.name, canonical(call.arguments)
            )
            for number, call in enumerate(move.calls)
        ]
        for call in calls:
            yield CallStarted(call.id, call.name)
        for call in calls:
            yield call
        yield Finished("toolCalls" if calls else "endTurn")

    async def close(self) -> None:
        """Do nothing: there are no connections."""
