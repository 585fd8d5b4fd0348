"""Watches a command and all that it started, and ends them.

Standard library only: a supervisor runs without the packages that Plimsoll needs.
"""

import contextlib
import os
import select
import signal
import time
from collections.abc import Mapping
from enum import IntEnum
from typing import Any

from plimsoll.tools.process.confinement.kernel.namespace import NameSpace
from plimsoll.tools.process.supervision.descendants import (
    is_childless,
    running_below,
    send_signal,
)
from plimsoll.tools.process.supervision.disk import DiskSpace
from plimsoll.tools.process.supervision.memory import MemoryCount
from plimsoll.tools.process.supervision.patience import GRACE_SECONDS, KILL_SECONDS

_BOMB_SECONDS = 60.0
_PAUSE_MILLISECONDS = 10
_LOOK_SECONDS = 0.25
_SHORTEST_LOOK_SECONDS = 0.02
# No machine writes its memory faster: when a limit can be passed, somebody looks.
_BYTES_A_SECOND = 4_000_000_000
# Of the time, looking takes at most so much.
_SHARE_OF_LOOKING = 0.1


class Wish(IntEnum):
    """The server's wish for the command: to go on, to end or to be killed."""

    NONE = 0
    END = 1
    KILL = 2


class Watch:
    """Watches the command and all its child processes, and ends them."""

    def __init__(
        self, process: int, woken: int, limits: Mapping[str, Any], space: NameSpace | None
    ) -> None:
        self._process = process
        self._woken = woken
        self._limits = limits
        self._space = space
        folders = limits.get("folders", ())
        self._memory = MemoryCount(folders) if limits else None
        self._disk = DiskSpace(folders, limits.get("disk"))
        self.limit: str | None = None
        """What the command took too much of; it was ended for that."""
        self._wish = Wish.NONE
        self._poll = select.poll()
        self._poll.register(0, select.POLLIN)
        self._poll.register(woken, select.POLLIN)
        if space is not None:
            self._poll.register(space.made, select.POLLIN)
            self._poll.register(space.told, select.POLLIN)
        self.code: int | None = None
        """The exit code as in a shell: 128 plus its number for a signal; none while it runs."""

    def until_ended(self) -> None:
        """Wait until the command has ended, or the server wishes to end it."""
        pause = self._first_pause()
        again = time.monotonic() + pause
        while self.code is None and self._wish is Wish.NONE:
            self._turn(int(pause * 1000) if self._limits else None)
            # Looking takes longer than most of what wakes this; a bomb wakes it all the time.
            if self.code is not None or time.monotonic() < again:
                continue
            began = time.monotonic()
            self.limit = self.limit or self._find_exceeded_limit()
            took = time.monotonic() - began
            pause = max(self._first_pause(), took / _SHARE_OF_LOOKING)
            again = time.monotonic() + pause
            if self.limit is not None:
                self._wish = Wish.KILL

    def _first_pause(self) -> float:
        fill = self._limits.get("memory", 0) / _BYTES_A_SECOND
        return min(_LOOK_SECONDS, max(_SHORTEST_LOOK_SECONDS, fill))

    def end_rest(self) -> int:
        """End all that still runs, and return how many processes the ended command left behind."""
        if self._space is not None and self.code is not None:
            self._until_childless()
        left = running_below(self._process) if self._wish is Wish.NONE else {}
        # A program that makes a name space ends all in it as it ends: it comes last, or at once.
        keeper = self._process if self._space is not None else None
        end = time.monotonic() + GRACE_SECONDS
        if self._wish is not Wish.KILL:
            send_signal(
                [one for one in running_below(self._process) if one != keeper], signal.SIGTERM
            )
        elif keeper is not None:
            send_signal([keeper], signal.SIGKILL)
        while (running := running_below(self._process)) and self._wish is not Wish.KILL:
            if time.monotonic() >= end or self._is_bomb(running):
                break
            self._turn(_PAUSE_MILLISECONDS)
        end = time.monotonic() + (KILL_SECONDS if self.limit is None else _BOMB_SECONDS)
        while (running := running_below(self._process)) and time.monotonic() < end:
            # A group is ended at a stroke: one by one, a bomb makes more than are ended.
            groups = set(running.values()) - {0, os.getpgrp()}
            send_signal([*(-group for group in groups), *running], signal.SIGKILL)
            self._turn(0 if self.limit else _PAUSE_MILLISECONDS)
        self._reap()
        return len(left)

    def _until_childless(self) -> None:
        """Wait for the kernel to end the processes of a name space whose maker has ended."""
        end = time.monotonic() + GRACE_SECONDS
        while not is_childless() and time.monotonic() < end:
            self._turn(_PAUSE_MILLISECONDS)

    def _find_exceeded_limit(self) -> str | None:
        if not self._limits:
            return None
        running = running_below(self._process)
        if self._is_bomb(running):
            return "processes"
        first = self._space.first if self._space else None
        if self._memory and self._memory.exceeds(self._limits["memory"], running, first):
            return "memory"
        return "disk" if self._disk.is_exceeded() else None

    def _is_bomb(self, running: Mapping[int, int]) -> bool:
        if not self._limits or len(running) <= self._limits["processes"]:
            return False
        self.limit = "processes"
        # Whoever ends them must come before them; not everybody may.
        with contextlib.suppress(PermissionError):
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        return True

    def _turn(self, milliseconds: int | None) -> None:
        ready = {descriptor for descriptor, _ in self._poll.poll(milliseconds)}
        if self._woken in ready:
            told = os.read(self._woken, 64)
            if any(number != signal.SIGCHLD for number in told):
                self._wish = Wish.KILL
        if self._space is not None and self._space.made in ready:
            self._poll.unregister(self._space.made)
            self._space.was_made()
        if self._space is not None and self._space.told in ready:
            self._poll.unregister(self._space.told)
            self._space.first_began()
        if 0 in ready:
            self._wish = max(self._wish, Wish.END if os.read(0, 1) == b"t" else Wish.KILL)
        if self._wish is Wish.KILL and 0 in ready:
            # The end of a pipe is ready for ever: polled on, it would burn the processor.
            self._poll.unregister(0)
        self._reap()

    def _reap(self) -> None:
        # No child at all is the end of the list too.
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == self._process:
                    code = os.waitstatus_to_exitcode(ended[1])
                    self.code = 128 - code if code < 0 else code
