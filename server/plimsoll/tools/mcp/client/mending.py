"""Mends the tools that a server lists, so that one odd tool takes no other along.

The library refuses a whole list of tools for the sake of one whose schema is none, and the answer
of a tool that does not keep to the schema it has for its answers, after the tool has acted.
"""

from collections.abc import AsyncGenerator, AsyncIterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, cast

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

Streams = tuple[
    MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]
]
"""What a server sends, and what is sent to it."""


def mend(message: types.JSONRPCMessage) -> types.JSONRPCMessage:
    """Return a message with the tools that it lists as the library takes them."""
    if not isinstance(message, types.JSONRPCResponse) or "tools" not in message.result:
        return message
    listed: object = message.result["tools"]
    if not isinstance(listed, list):
        return message
    tools = [mended for one in cast("list[object]", listed) if (mended := _mend(one))]
    return message.model_copy(update={"result": {**message.result, "tools": tools}})


def _mend(sent: object) -> dict[str, Any] | None:
    if not isinstance(sent, Mapping):
        return None
    tool = dict(cast("Mapping[str, Any]", sent))
    if not isinstance(tool.get("name"), str):
        return None
    for name, kind in (("description", str), ("title", str), ("annotations", Mapping)):
        if not isinstance(tool.get(name), kind):
            tool.pop(name, None)
    for name in ("outputSchema", "icons", "execution", "_meta"):
        tool.pop(name, None)
    schema = tool.get("inputSchema")
    given = dict(cast("Mapping[str, Any]", schema)) if isinstance(schema, Mapping) else {}
    properties = given.get("properties")
    if properties is not None and not isinstance(properties, Mapping):
        del given["properties"]
    tool["inputSchema"] = {**given, "type": "object"}
    return tool


@asynccontextmanager
async def mend_transport(transport: AbstractAsyncContextManager[Any]) -> AsyncGenerator[Streams]:
    """Mend all that comes by a transport of the library."""
    into, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)

    async def hear(coming: AsyncIterable[SessionMessage | Exception]) -> None:
        try:
            async with into:
                async for one in coming:
                    if isinstance(one, SessionMessage):
                        await into.send(SessionMessage(mend(one.message), one.metadata))
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            # The session has ended.
            return

    async with transport as (coming, outgoing), anyio.create_task_group() as group:
        group.start_soon(hear, coming)
        try:
            yield incoming, outgoing
        finally:
            incoming.close()
            group.cancel_scope.cancel()
