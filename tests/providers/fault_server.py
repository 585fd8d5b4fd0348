"""A loopback HTTP server that answers byte for byte as told, unkind ways included."""

import asyncio
import json
import socket
import struct
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Reply:
    """What is written on the wire, piece by piece, and how the connection is left."""

    pieces: Iterable[bytes]
    end: str = "keep"
    """``keep`` open for the next request, ``close``, ``reset``, or ``hold`` silently."""
    drip: bytes = b""
    """Sent again and again after the pieces, until the client goes away."""
    every: float = 0.01


@dataclass(kw_only=True)
class FaultServer:
    port: int = 0
    replies: list[Reply] = field(default_factory=list)
    """Used up one a request; the last one stays."""
    decide: Callable[[bytes], Reply] | None = None
    """Answers each body, where that is for it to say."""
    connections: int = 0
    """How many were made."""
    heads: list[str] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    left: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a client closed a connection on which we were still holding or dripping."""
    gone: threading.Event = field(default_factory=threading.Event)
    """The same, for a test on another thread."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            self._note_left()
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        if head.startswith("GET "):
            # The question what is served here, and how large its window is: nobody knows.
            writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
            return False
        length = next(
            int(line.split(":")[1])
            for line in head.lower().splitlines()
            if line.startswith("content-length")
        )
        self.heads.append(head)
        self.bodies.append(await reader.readexactly(length))
        self.asked.set()
        if self.decide is not None:
            reply = self.decide(self.bodies[-1])
        else:
            reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        for piece in reply.pieces:
            writer.write(piece)
            await writer.drain()
        while reply.drip:
            writer.write(reply.drip)
            await writer.drain()
            await asyncio.sleep(reply.every)
        if reply.end == "hold":
            await reader.read()
            self._note_left()
        if reply.end == "reset":
            linger = struct.pack("ii", 1, 0)
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            writer.transport.abort()
        return reply.end == "keep"

    def _note_left(self) -> None:
        self.left.set()
        self.gone.set()


TURNS = 3


@asynccontextmanager
async def fault_server(
    *replies: Reply, decide: Callable[[bytes], Reply] | None = None
) -> AsyncIterator[FaultServer]:
    faults = FaultServer(replies=list(replies), decide=decide)
    tasks: set[asyncio.Task[None]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            await faults.serve(reader, writer)
        except asyncio.CancelledError:
            writer.transport.abort()
        finally:
            tasks.discard(task)

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    faults.port = server.sockets[0].getsockname()[1]
    try:
        yield faults
    finally:
        server.close()
        # What was accepted a moment ago is served in the next turns of the loop, and ends with it.
        for _ in range(TURNS):
            await asyncio.sleep(0)
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        # A transport that is given up closes its socket in the turn after.
        for _ in range(TURNS):
            await asyncio.sleep(0)


@contextmanager
def running(
    *replies: Reply, decide: Callable[[bytes], Reply] | None = None
) -> Iterator[FaultServer]:
    """The server on a loop and a thread of its own, for tests that wait without one."""
    loop, ready, done = asyncio.new_event_loop(), threading.Event(), asyncio.Event()
    box: list[FaultServer] = []

    async def serve() -> None:
        async with fault_server(*replies, decide=decide) as faults:
            box.append(faults)
            ready.set()
            await done.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),), daemon=True)
    thread.start()
    ready.wait(120)
    try:
        yield box[0]
    finally:
        loop.call_soon_threadsafe(done.set)
        thread.join(120)
        loop.close()


def head(status: int = 200, **headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} X", *(f"{k.replace('_', '-')}: {v}" for k, v in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def framed(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data) if data else b""


def stream(
    body: bytes | Sequence[bytes], end: str = "keep", kind: str = "text/event-stream"
) -> Reply:
    """A whole chunked answer."""
    parts = [body] if isinstance(body, bytes) else list(body)
    opening = head(content_type=kind, transfer_encoding="chunked")
    return Reply([opening, *map(framed, parts), b"0\r\n\r\n"], end)


def broken(body: bytes, end: str = "close") -> Reply:
    """A chunked answer that ends without its last chunk."""
    return Reply(
        [head(content_type="text/event-stream", transfer_encoding="chunked"), framed(body)], end
    )


def document(status: int, payload: object, headers: Mapping[str, str] | None = None) -> Reply:
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    told = {"content_type": "application/json", "content_length": str(len(raw)), **(headers or {})}
    return Reply([head(status, **told) + raw])
