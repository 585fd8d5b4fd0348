"""SIGKILL at random moments of the real server while it opens, reads, edits, runs and compacts.

The model lives outside of it and keeps a log of all requests and of each order that it gave, so
that a call which the server ran twice is told from work that the model ordered again.
"""

import random
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from faults.orders import Orders, ordering
from faults.piece import Piece, Run, fail
from faults.server import Died, Mortal, started
from faults.work import Work, chosen, furnish, ran

KILLS = 6
"""Of one store."""
LONGEST_LIFE = 1.2
"""Seconds after the opening; a turn takes a tenth."""
MOST_REQUESTS = 9
"""Of a life that ends shortly after one of its requests: three are a turn."""
SHORTLY = 0.25
LONGEST_WAIT = 20.0


def run(found: Run) -> None:
    for number, chance in found.each():
        home = found.folder / str(number)
        furnish(home / "workspace")
        work = Work()
        with found.case(number), ordering(chance) as orders:
            for _ in range(KILLS):
                life(found, home, work, chance, orders)
            last_look(home, work, orders)
            look_at_orders(found, home, orders)


def life(found: Run, home: Path, work: Work, chance: random.Random, orders: Orders) -> None:
    """Check what the lives before left, work, and die."""
    with started(home, None, **orders.settings) as server:
        early = chance.random() < 0.15
        wait = chance.uniform(0, LONGEST_LIFE if work.session and not early else LONGEST_LIFE / 2)
        killer = threading.Timer(wait, server.process.kill)
        if early:
            killer.start()
        elif chance.random() < 0.6:
            killer = threading.Timer(LONGEST_WAIT, server.process.kill)
            orders.on_request = dying(chance, orders, server)
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
            if server.process.wait(server.timeout) != -9:
                raise
    found.count("kills")


def dying(chance: random.Random, orders: Orders, server: Mortal) -> Callable[[int], None]:
    """Kill a server shortly after one of the requests to come."""
    last = len(orders.requests) + chance.randrange(1, MOST_REQUESTS)
    wait = chance.uniform(0, SHORTLY)

    def look(number: int) -> None:
        if number == last:
            threading.Timer(wait, server.process.kill).start()

    return look


def last_look(home: Path, work: Work, orders: Orders) -> None:
    with started(home, None, **orders.settings) as server:
        server.open(resume="latest")
        if work.session:
            work.check(server)
            work.check_free(server)
        leave(server)
    for store in (home / "data").rglob("*.db"):
        with closing(sqlite3.connect(store)) as connection:
            answer = connection.execute("PRAGMA integrity_check").fetchone()[0]
        assert answer == "ok", f"{store.name}: {answer}"


def leave(server: Mortal) -> None:
    server.call("shutdown")
    server.notify("exit")
    server.wait_closed()


def look_at_orders(found: Run, home: Path, orders: Orders) -> None:
    """Each order ran at most once, and nothing ran that was not ordered."""
    tokens = ran(home / "workspace")
    found.count("requests", len(orders.requests))
    found.count("orders", len(orders.given))
    found.count("orders that ran", len(tokens))
    found.count("turns whose work was ordered again", orders.again(tokens))
    if told := list(orders.told(tokens)):
        fail("; ".join(told))


PIECE = Piece(run=run, short=1, full=170)
