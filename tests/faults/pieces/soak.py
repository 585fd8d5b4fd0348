"""Many turns in one server: its memory and its descriptors stay where they are once it is warm."""

import random

from faults.piece import Piece, Run
from faults.server import Mortal, started
from faults.work import MOST, SETTINGS, Work, furnish, script

TURNS_A_SESSION = 40
WARM = 0.3
"""The share of the turns after which memory is measured first."""
MOST_GROWN = 10_000_000
"""Bytes."""


def run(found: Run) -> None:
    """Each case is a turn; every session gets some, and then the next one begins."""
    home = found.folder
    furnish(home / "workspace")
    with started(home, script(), **SETTINGS) as server:
        server.open()
        warm = found.first + int(found.cases * WARM)
        begin = (0, 0)
        work = Work()
        for number, chance in found.each():
            if number == warm:
                begin = measured(server)
            with found.case(number):
                work = turn(server, work, chance)
        end = measured(server)
        grown, opened = end[0] - begin[0], end[1] - begin[1]
        found.notes += [
            f"{grown / 1e6:+.1f} MB to {end[0] / 1e6:.0f} MB",
            f"{opened:+} descriptors",
        ]
        if grown > MOST_GROWN:
            found.violate(number, f"memory grew by {grown / 1e6:.1f} MB after {warm} turns")
        if opened > 3:
            found.violate(number, f"{opened} more descriptors after {warm} turns")


def turn(server: Mortal, work: Work, chance: random.Random) -> Work:
    if not work.session or len(work.asked) >= min(TURNS_A_SESSION, MOST):
        work = Work()
        work.session = server.new_session()
        (server.workspace / "ran.txt").unlink(missing_ok=True)
    ended = work.turn(server)
    assert ended == "ok", server.messages[-2:]
    if chance.random() < 0.05:
        work.check(server)
    server.forget()
    return work


def measured(server: Mortal) -> tuple[int, int]:
    server.call("plimsoll/status", {})
    return server.kept_pages(), server.descriptors()


PIECE = Piece(run=run, short=100, full=1_000, needs=("linux",))
