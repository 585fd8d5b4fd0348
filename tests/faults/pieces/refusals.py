"""Servers that refuse something of a session by chance: nothing strands it, and nothing is lost."""

from faults.piece import Piece, Run
from plimsoll.storage.rows_file import RowsFile
from providers.mends.refusing import play


def run(found: Run) -> None:
    """Each case is a session, a dialect and a server; every second one knows after a restart."""
    for number, chance in found.each():
        kept = RowsFile(found.folder / f"{number}.json", lambda _: None)
        with found.case(number):
            outcome = play(chance, kept if number % 2 else None)
            found.count("refused", outcome.tries)
            found.count("mended", bool(outcome.told))
            assert outcome.again == 0, f"the second prompt was refused too: {outcome.told}"
            assert not outcome.missing, f"what a person said was lost: {outcome.missing}"


PIECE = Piece(run=run, short=200, full=2_000)
