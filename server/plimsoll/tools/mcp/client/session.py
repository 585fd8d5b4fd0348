"""A conversation with one server: handshake, calls, prompts, resources, and news of its lists."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeVar

import mcp_types as types
from mcp.client.session import ClientRequestContext, ClientSession, IncomingMessage
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost, listen
from mcp.shared.exceptions import MCPError
from mcp_types.version import LATEST_MODERN_VERSION, MODERN_PROTOCOL_VERSIONS

from plimsoll import __version__
from plimsoll.tools.mcp.client.answers import prompt_answer, resource_answer, tool_answer
from plimsoll.tools.mcp.client.listing import list_offered
from plimsoll.tools.mcp.client.mending import Streams
from plimsoll.tools.mcp.client.questions import RunningCall, ServerQuestions
from plimsoll.tools.mcp.offered import Offered
from plimsoll.tools.ports.mcp import McpAnswer, McpListener

log = logging.getLogger(__name__)

CALL_SECONDS = 600.0
"""How long a server may neither answer a call nor report progress of it."""
_MOST_ROUNDS = 10
_CHANGED = (
    types.ToolListChangedNotification,
    types.PromptListChangedNotification,
    types.ResourceListChangedNotification,
)
_MODERN_ALONE = (types.UNSUPPORTED_PROTOCOL_VERSION, types.METHOD_NOT_FOUND)
_Result = TypeVar("_Result")
_Send = Callable[
    [types.InputResponses | None, str | None], Awaitable[_Result | types.InputRequiredResult]
]


@dataclass(frozen=True, slots=True)
class ServerSession:
    """A conversation with a server that answered the handshake."""

    name: str
    session: ClientSession
    questions: ServerQuestions
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a list of the server has changed."""

    async def read_offers(self, now: str) -> Offered:
        """Ask for all that the server offers; raises MCPError."""
        return await list_offered(self.session, self.name, now)

    async def call(
        self, tool: str, arguments: Mapping[str, object], listener: McpListener
    ) -> McpAnswer:
        """Call a tool; a cancelled task cancels the call, and the conversation goes on.

        Raises:
            TimeoutError: There was no answer, and no progress, for long.
        """
        async with self._listening(listener) as running:
            result = await self._until_answered(
                lambda replies, state: self.session.call_tool(
                    tool,
                    dict(arguments),
                    progress_callback=running.report,
                    input_responses=replies,
                    request_state=state,
                    allow_input_required=True,
                )
            )
        return tool_answer(result)

    async def prompt(
        self, name: str, arguments: Mapping[str, str], listener: McpListener
    ) -> McpAnswer:
        """Return the text of a prompt."""
        async with self._listening(listener):
            result = await self._until_answered(
                lambda replies, state: self.session.get_prompt(
                    name,
                    dict(arguments),
                    input_responses=replies,
                    request_state=state,
                    allow_input_required=True,
                )
            )
        return prompt_answer(result)

    async def read(self, uri: str, listener: McpListener) -> McpAnswer:
        """Return what a resource holds."""
        async with self._listening(listener):
            result = await self._until_answered(
                lambda replies, state: self.session.read_resource(
                    uri, input_responses=replies, request_state=state, allow_input_required=True
                )
            )
        return resource_answer(result)

    async def hear_changes(self) -> None:
        """Subscribe to news of the lists, where the protocol wants that; return when it ends."""
        if self.session.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            return
        able = self.session.server_capabilities or types.ServerCapabilities()
        try:
            async with listen(
                self.session,
                tools_list_changed=able.tools is not None,
                prompts_list_changed=able.prompts is not None,
                resources_list_changed=able.resources is not None,
            ) as news:
                async for _ in news:
                    self.changed.set()
        except (MCPError, ListenNotSupportedError, SubscriptionLost, TimeoutError) as error:
            log.info("no news of a server's lists: %s", type(error).__name__)

    @asynccontextmanager
    async def _listening(self, listener: McpListener) -> AsyncGenerator[RunningCall]:
        async with asyncio.timeout(CALL_SECONDS) as limit:
            running = RunningCall(listener=listener, seconds=CALL_SECONDS, limit=limit)
            with self.questions.during(running):
                yield running

    async def _until_answered(self, send: _Send[_Result]) -> _Result:
        """Send a request, and once more with the replies to what the server asks, until it answers.

        Raises:
            TimeoutError: It goes on asking.
        """
        replies: types.InputResponses | None = None
        state: str | None = None
        for _ in range(_MOST_ROUNDS):
            result = await send(replies, state)
            if not isinstance(result, types.InputRequiredResult):
                return result
            state, replies = result.request_state, {}
            for key, request in (result.input_requests or {}).items():
                context = ClientRequestContext(session=self.session, request_id=key, meta=None)
                reply = await self.session.dispatch_input_request(context, request)
                if isinstance(reply, types.ErrorData):
                    raise MCPError.from_error_data(reply)
                replies[key] = reply
        raise TimeoutError


@asynccontextmanager
async def open_session(
    name: str, transport: AbstractAsyncContextManager[Streams]
) -> AsyncGenerator[ServerSession]:
    """Shake hands with a server; the context must be left by the task that entered it.

    Raises:
        MCPError: The server refuses, or the connection ended.
    """
    questions = ServerQuestions(name)
    changed = asyncio.Event()

    async def hear(message: IncomingMessage) -> None:
        if isinstance(message, _CHANGED):
            changed.set()

    async with (
        transport as (incoming, outgoing),
        ClientSession(
            incoming,
            outgoing,
            elicitation_callback=questions.ask,
            message_handler=hear,
            client_info=types.Implementation(name="plimsoll", version=__version__),
        ) as session,
    ):
        await _shake_hands(session)
        yield ServerSession(name, session, questions, changed)


async def _shake_hands(session: ClientSession) -> None:
    """Shake hands by the older protocol; by the newer one if the server takes no other.

    Servers that know only the older one end, or are silent, at the newer one's first message.
    """
    try:
        await session.initialize()
    except MCPError as error:
        if error.code not in _MODERN_ALONE:
            raise
        found = await session.send_discover(LATEST_MODERN_VERSION)
        session.adopt(types.DiscoverResult.model_validate(found))
