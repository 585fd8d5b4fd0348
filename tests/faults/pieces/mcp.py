"""Hosts of MCP servers, and their servers, are killed at any moment: nothing is left of them."""

from faults.piece import Piece, Run
from tools.mcp.killing import VICTIMS, killing


def run(found: Run) -> None:
    """Each case kills one process of a host with two servers, each with a child that hides."""
    with killing(found.folder) as kills:
        for number, chance in found.each():
            victim = VICTIMS[number % len(VICTIMS)]
            with found.case(number):
                left = kills.kill(victim, chance)
                assert left == [], f"after the kill of {victim} there are left: {left}"
            found.count(f"kills of a {victim}" if victim != "nobody" else "hosts that ended")


PIECE = Piece(run=run, short=4, full=100, needs=("linux",))
