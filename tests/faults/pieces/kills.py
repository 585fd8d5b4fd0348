"""SIGKILL at random moments of the real server while it opens, reads, edits, runs and compacts."""

import random
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

from faults.piece import Piece, Run
from faults.server import Died, started
from faults.work import SETTINGS, Work, chosen, furnish, script

KILLS = 6
"""Of one store."""
LONGEST_LIFE = 1.2
"""Seconds after the opening; a turn takes a tenth."""


def run(found: Run) -> None:
    for number, chance in found.each():
        home = found.folder / str(number)
        furnish(home / "workspace")
        work = Work()
        with found.case(number):
            for _ in range(KILLS):
                life(found, home, work, chance)
            last_look(home, work)


def life(found: Run, home: Path, work: Work, chance: random.Random) -> None:
    """Check what the lives before left, work, and die."""
    with started(home, script(), **SETTINGS) as server:
        early = chance.random() < 0.15
        wait = chance.uniform(0, LONGEST_LIFE if work.session and not early else LONGEST_LIFE / 2)
        killer = threading.Timer(wait, server.process.kill)
        if early:
            killer.start()
        try:
            server.open(resume="latest" if work.session else None)
            work.session = work.session or server.new_session()
            if not early:
                work.check(server)
                killer.start()
            while True:
                chosen(chance, work, server)
        except Died:
            work.hear(server)
            killer.cancel()
            if server.process.wait(10) != -9:
                raise
    found.count("kills")


def last_look(home: Path, work: Work) -> None:
    with started(home, script(), **SETTINGS) as server:
        server.open(resume="latest")
        if work.session:
            work.check(server)
            work.check_free(server)
        server.call("shutdown")
        server.notify("exit")
        server.wait_closed()
    for store in (home / "data").rglob("*.db"):
        with closing(sqlite3.connect(store)) as connection:
            answer = connection.execute("PRAGMA integrity_check").fetchone()[0]
        assert answer == "ok", f"{store.name}: {answer}"


PIECE = Piece(run=run, short=1, full=170)
