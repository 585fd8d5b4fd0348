"""A session whose model makes calls by a script, and what the processor spent at each of its steps.

All but the model is the product: the session, its store, the tools and the commands they start. A
request leaves when its body is rendered and encoded as chat completions; nothing is sent.
"""

import tempfile
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from uuid import uuid4

from common import Nobody, app

from plimsoll.providers.base import CallFinished, CallStarted, Chunk, Finished, Request, TextDelta
from plimsoll.providers.http.json_body import encode_body
from plimsoll.providers.http.rows import LastRows
from plimsoll.providers.mends.rendering import apply_mends
from plimsoll.providers.openai import request_body
from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.content import PromptText
from plimsoll.session.session import Session
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import AnyIntent, Outcome
from plimsoll.tools.ports.tool import AnyTool

REAL = Path(tempfile.gettempdir()).resolve()
"""A project is known by its real path."""
Called = tuple[str, str]
"""A tool, and its arguments as JSON."""


class Anybody(Nobody):
    """A person who allows everything."""

    async def ask(self, *_question: object) -> Decision:
        return Decision(allowed=True)


@dataclass(slots=True)
class Played:
    """The processor's milliseconds, of all threads of this process, at each mark."""

    ran: list[float] = field(default_factory=list)
    """A call was about to run."""
    came: list[float] = field(default_factory=list)
    """Its result came."""
    took: list[float] = field(default_factory=list)
    """The milliseconds by the clock from there to there."""
    left: list[float] = field(default_factory=list)
    """A request left; the first carries the prompt."""
    request: Request | None = None
    """The last one."""


@dataclass(frozen=True, slots=True)
class Scripted:
    """A model that makes one call after the other, and says in the end that it is done."""

    calls: Iterator[Called]
    played: Played
    rows: LastRows = field(default_factory=LastRows)

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        encode_body(request_body(apply_mends(request), rows=self.rows))
        self.played.left.append(now())
        self.played.request = request
        name, arguments = next(self.calls, ("", ""))
        if not name:
            yield TextDelta("Done.")
            yield Finished("endTurn")
            return
        call = f"call_{uuid4().hex}"
        yield CallStarted(call, name)
        yield CallFinished(call, name, arguments)
        yield Finished("toolCalls")

    async def close(self) -> None: ...


class Watched:
    """A tool of the product that marks when it runs."""

    def __init__(self, tool: AnyTool, played: Played) -> None:
        self.schema, self.traits, self.reading = tool.schema, tool.traits, tool.reading
        self.prepare, self._run, self._played = tool.prepare, tool.run, played

    async def run(self, intent: AnyIntent, context: CallContext) -> Outcome:
        begun = time.perf_counter()
        self._played.ran.append(now())
        outcome = await self._run(intent, context)
        self._played.came.append(now())
        self._played.took.append((time.perf_counter() - begun) * 1000)
        return outcome


def now() -> float:
    return time.process_time() * 1000


@asynccontextmanager
async def opened(folder: Path, window: int) -> AsyncIterator[Session]:
    async with app(folder, window, asker=Anybody()) as own:
        yield await (await own.project(folder.as_uri())).new()


async def play(session: Session, calls: Iterable[Called], steps: int = 1_000) -> Played:
    """Play one turn to its end, of so many steps at most."""
    played, state = Played(), session.state
    tools = {name: Watched(tool, played) for name, tool in state.environment.tools.items()}
    rules = replace(state.environment.rules(), steps=steps)
    environment = replace(state.environment, tools=tools, rules=lambda: rules)
    model = replace(state.model, provider=Scripted(iter(calls), played))
    state.environment = environment
    await state.load.use_model(model)
    await session.prompt([PromptText("Go through the parts.")])
    ended = await session.wait()
    if ended is None or ended.reason != "endTurn":
        raise SystemExit(f"the turn ended otherwise: {ended}")
    return played
