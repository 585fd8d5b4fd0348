"""The thread that writes to a client, and what waits for it.

A client that does not read blocks no one: a waiting droppable message gives way to a newer one of
its key, whoever sends much looks at `waiting` first, and nothing else is ever dropped. A client
that takes nothing for `STALL_SECONDS` while what may not be dropped is over the bound is dead; one
that ended is noticed by its streams and its id.
"""

import itertools
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

QUEUE_LIMIT = 16 * 1024 * 1024
STALL_SECONDS = 120.0
"""An editor that was suspended, or stands at a breakpoint, lives on."""
CHUNK = 64 * 1024


class Backlog:
    """Framed messages in the order in which they are to be written; sizes in bytes. Pure."""

    def __init__(self) -> None:
        # An integer keys what must be written, a string what a newer one may replace.
        self._messages: OrderedDict[int | str, bytes] = OrderedDict()
        self._numbers = itertools.count()
        self.size = 0
        self.undroppable = 0

    def __bool__(self) -> bool:
        return bool(self._messages)

    def add(self, data: bytes, key: str | None) -> None:
        """Append one message; it replaces a waiting one of the same key."""
        if key is None:
            self.undroppable += len(data)
        else:
            self.size -= len(self._messages.pop(key, b""))
        self._messages[next(self._numbers) if key is None else key] = data
        self.size += len(data)

    def take(self, at_least: int) -> bytes:
        """Take whole messages from the front, until they have so many bytes or none is left."""
        batch: list[bytes] = []
        taken = 0
        while self._messages and taken < at_least:
            key, data = self._messages.popitem(last=False)
            batch.append(data)
            taken += len(data)
            self.undroppable -= len(data) if isinstance(key, int) else 0
        self.size -= taken
        return b"".join(batch)

    def clear(self) -> None:
        """Drop all messages."""
        self._messages.clear()
        self.size = self.undroppable = 0


class WriteQueue:
    """Takes framed messages from any thread and writes them in order on its own."""

    def __init__(
        self,
        write: Callable[[bytes], None],
        on_dead: Callable[[str], None],
        *,
        limit: int = QUEUE_LIMIT,
        stall_seconds: float = STALL_SECONDS,
    ) -> None:
        self._write = write
        self._on_dead = on_dead
        self._limit = limit
        self._stall_seconds = stall_seconds
        self._backlog = Backlog()
        self._writing = False
        self._dead = False
        self._moved_at = time.monotonic()
        self._changed = threading.Condition()

    def start(self) -> None:
        """Begin to write."""
        threading.Thread(target=self._run, name="plimsoll-writer", daemon=True).start()

    def put(self, data: bytes, key: str | None = None) -> None:
        """Queue one message; never blocks, and drops it when the client is gone."""
        with self._changed:
            if self._dead:
                return
            if self._idle():
                self._moved_at = time.monotonic()
            self._backlog.add(data, key)
            self._changed.notify_all()
        self.check()

    @property
    def waiting(self) -> int:
        """How many bytes wait to be written."""
        return self._backlog.size

    def check(self) -> None:
        """Declare the client dead when it has stalled; called on each put and by the watch."""
        stalled_for = time.monotonic() - self._moved_at
        if self._backlog.undroppable > self._limit and stalled_for > self._stall_seconds:
            self._die(f"the client has read nothing for {stalled_for:.0f} s")

    def drain(self, seconds: float) -> bool:
        """Wait at most so long until all messages are written; tell whether they are."""
        with self._changed:
            return self._changed.wait_for(self._idle, timeout=seconds)

    def _idle(self) -> bool:
        return self._dead or not (self._backlog or self._writing)

    def _run(self) -> None:
        try:
            while True:
                self._write_slices(self._take())
        except OSError as error:
            self._die(f"the client no longer reads ({error.strerror})")

    def _take(self) -> bytes:
        with self._changed:
            self._writing = False
            self._changed.notify_all()
            self._changed.wait_for(lambda: bool(self._backlog))
            self._writing = True
            return self._backlog.take(CHUNK)

    def _write_slices(self, data: bytes) -> None:
        for start in range(0, len(data), CHUNK):
            self._write(data[start : start + CHUNK])
            self._moved_at = time.monotonic()

    def _die(self, reason: str) -> None:
        with self._changed:
            if self._dead:
                return
            self._dead = True
            self._backlog.clear()
            self._changed.notify_all()
        self._on_dead(reason)
