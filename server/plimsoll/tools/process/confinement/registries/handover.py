"""Takes the socket that listens inside a sandbox from the supervisor, which made it there."""

import asyncio
import contextlib
import socket


async def take_listener(handover: socket.socket) -> socket.socket | None:
    """Wait for the listening socket; None if it could not be made or no command began."""
    handover.setblocking(False)
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(handover, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(handover)
    with contextlib.suppress(OSError):
        _, found, *_ = socket.recv_fds(handover, 1, 1)
        for descriptor in found:
            listener = socket.socket(fileno=descriptor)
            listener.setblocking(False)
            return listener
    return None
