"""Carries messages to and from a server's process: a line a message, what is none is left out."""

import json
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import cast

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from plimsoll.tools.mcp.client.mending import Streams, mend
from plimsoll.tools.mcp.process import ServerProcess

log = logging.getLogger(__name__)

_Sent = MemoryObjectReceiveStream[SessionMessage]
_Heard = MemoryObjectSendStream[SessionMessage | Exception]


@asynccontextmanager
async def carry_lines(process: ServerProcess) -> AsyncGenerator[Streams]:
    """Carry messages while the context lasts; neither starts nor ends the process."""
    into, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, out_of = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as group:
        group.start_soon(_hear, process, into)
        group.start_soon(_send, process, out_of, into)
        try:
            yield incoming, outgoing
        finally:
            for stream in (into, incoming, outgoing, out_of):
                stream.close()
            group.cancel_scope.cancel()


async def _hear(process: ServerProcess, into: _Heard) -> None:
    try:
        async with into:
            async for line in process.lines():
                message = _read(line)
                if message is not None:
                    await into.send(SessionMessage(mend(message)))
    except (anyio.BrokenResourceError, anyio.ClosedResourceError):
        # The session has ended.
        return


async def _send(process: ServerProcess, out_of: _Sent, into: _Heard) -> None:
    try:
        async with out_of:
            async for sent in out_of:
                await process.write(_write_message(sent.message).encode())
    except (OSError, anyio.ClosedResourceError):
        # Nobody may wait for an answer that cannot come.
        await into.aclose()


def _write_message(message: types.JSONRPCMessage) -> str:
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True)
    except ValueError:
        # One message with half a character must not end the conversation.
        return json.dumps(_in_unicode(message.model_dump(by_alias=True, exclude_unset=True)))


def _read(line: bytes) -> types.JSONRPCMessage | None:
    """Read a message, also behind what a library printed; None for anything else."""
    begin = line.find(b"{")
    if begin < 0:
        return None
    try:
        told: object = json.loads(line[begin:])
        if b"\\ud" in line.lower():
            told = _in_unicode(told)
        return types.jsonrpc_message_adapter.validate_python(told, by_name=False)
    except (ValueError, RecursionError):
        log.debug("a server wrote a line of %d bytes that is no message", len(line))
        return None


def _in_unicode(told: object) -> object:
    """Replace halves of characters, which no file and no other program takes."""
    if isinstance(told, str):
        return told.encode("utf-8", "replace").decode()
    if isinstance(told, list):
        return [_in_unicode(one) for one in cast("list[object]", told)]
    if isinstance(told, dict):
        members = cast("dict[str, object]", told).items()
        return {str(_in_unicode(name)): _in_unicode(one) for name, one in members}
    return told
