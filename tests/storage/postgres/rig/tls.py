"""A door of the tests that speaks TLS as a PostgreSQL does, and has nothing behind it."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

REQUEST = 8
"""The bytes with which a client asks for TLS."""


@asynccontextmanager
async def tls_door(context: ssl.SSLContext) -> AsyncIterator[int]:
    """Have a port where a certificate is shown, and whoever takes it is sent away."""

    shown = set[asyncio.Task[None]]()

    async def show(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        shown.add(task)
        with suppress(OSError, asyncio.IncompleteReadError):
            await reader.readexactly(REQUEST)
            writer.write(b"S")
            await writer.start_tls(context)
        writer.close()

    server = await asyncio.start_server(show, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await asyncio.gather(*shown)
