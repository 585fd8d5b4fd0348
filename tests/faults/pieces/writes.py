"""The n-th write, sync, truncation or rename of a turn fails (ENOSPC, EIO) or kills the server."""

import errno
import mmap
import random
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from faults.piece import Piece, Run, fail
from faults.server import Died, Mortal, started
from faults.work import SETTINGS, Work, chosen, furnish, script

SHIM = Path(__file__).with_name("disk_faults.c")
FAULTS = 10
"""Of one store; a SIGKILL starts its server anew."""
KINDS = {"ENOSPC": errno.ENOSPC, "EIO": errno.EIO, "SIGKILL": 0}
LAYOUT = struct.Struct("6q")


class Control:
    """The page that the shim in the server reads: which write is to fail, and how."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "control"
        self.file.write_bytes(bytes(LAYOUT.size))
        with self.file.open("r+b") as opened:
            self._page = mmap.mmap(opened.fileno(), LAYOUT.size)

    def arm(self, kind: int, at: int, *, lasts: bool) -> None:
        self._page[: LAYOUT.size] = LAYOUT.pack(0, at, kind, int(lasts), 0, 0)
        self._page[:8] = struct.pack("q", 1)

    def disarm(self) -> tuple[int, int]:
        """Return how many writes were seen, and how many failed."""
        self._page[:8] = struct.pack("q", 0)
        *_, seen, hit = LAYOUT.unpack(self._page[: LAYOUT.size])
        return seen, hit


def run(found: Run) -> None:
    shim = found.folder / "disk_faults.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", shim, SHIM, "-ldl"], check=True)
    for number, chance in found.each():
        home = found.folder / str(number)
        furnish(home / "workspace")
        control = Control(home)
        settings = {
            **SETTINGS,
            "LD_PRELOAD": str(shim),
            "FAULTS_CONTROL": str(control.file),
            "FAULTS_FOLDER": str(home),
        }
        with found.case(number):
            Story(found, home, control, settings).tell(chance)


class Story:
    """One store that meets one fault after another."""

    def __init__(self, found: Run, home: Path, control: Control, settings: dict[str, str]) -> None:
        self._found = found
        self._home = home
        self._control = control
        self._settings = settings
        self._work = Work()
        self._left = FAULTS
        self._writes = 60
        """Of one turn; measured, so that every one of them is hit."""

    def tell(self, chance: random.Random) -> None:
        while self._left:
            with self._server() as server:
                self._live(server, chance)
        with self._server() as server:
            self._work.check(server)
            self._work.check_free(server)

    @contextmanager
    def _server(self) -> Iterator[Mortal]:
        with started(self._home, script(), **self._settings) as server:
            server.open(resume="latest" if self._work.session else None)
            self._work.session = self._work.session or server.new_session()
            yield server

    def _live(self, server: Mortal, chance: random.Random) -> None:
        self._work.check(server)
        self._control.arm(0, 10**9, lasts=False)
        self._work.check_free(server)
        self._writes, _ = self._control.disarm()
        if not self._writes:
            fail("no write of the server is seen: its faults would be none")
        while self._left:
            kind = chance.choice(list(KINDS))
            at, lasts = chance.randrange(1, self._writes + 1), chance.random() < 0.3
            self._left -= 1
            self._control.arm(KINDS[kind], at, lasts=lasts)
            died: Died | None = None
            ended: str | None = None
            try:
                ended = chosen(chance, self._work, server)
            except Died as error:
                died = error
            _, hit = self._control.disarm()
            # A write of its own, after the turn, can kill it before anybody has seen that.
            if died or (hit and kind == "SIGKILL"):
                self._work.hear(server)
                if kind != "SIGKILL" or server.process.wait(server.timeout) != -9:
                    raise died or AssertionError("a SIGKILL that killed nothing")
                self._found.count("killed at a write")
                return
            if hit:
                self._found.count(f"failed by {kind}")
            self._found.count(
                {"ok": "ended well", "failed": "told at the end"}.get(ended or "", "refused")
            )
            try:
                self._work.check_free(server)
                self._work.check(server)
            except AssertionError as broken:
                fail(f"after {kind} at write {at}{' and all later' if lasts else ''}: {broken}")


PIECE = Piece(run=run, short=1, full=200, needs=("linux", "cc"))
