"""Runs pieces; see ``scripts/faults``.

Each ends with one line of figures. A run stops after nine minutes and says how to go on.
"""

import argparse
import importlib
import logging
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from faults.piece import Piece, Run

PIECES = (
    "kills",
    "writes",
    "processes",
    "damaged",
    "salvage",
    "frames",
    "paths",
    "shell",
    "memories",
    "clones",
    "providers",
    "refusals",
    "vendors",
    "canaries",
    "documents",
    "deaf",
    "mcp",
    "soak",
)
"""Each is a module of ``pieces`` with a ``PIECE``, in the order in which they run."""
OF_FILES = frozenset({"damaged", "salvage", "documents"})
"""Those of files that are damaged or mean harm: they lie in ``pieces.files``."""
LONG = ("team",)
"""Each is a module with a ``PIECE`` that runs by its name alone."""
MINUTES = 9.0
LOG = logging.getLogger("faults")


def main() -> int:
    asked = arguments()
    names, known = asked.pieces or PIECES, (*PIECES, *LONG)
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.stderr.write(f"There is no piece {unknown[0]}. The pieces are: {', '.join(known)}.\n")
        return 2
    pieces = {name: importlib.import_module(module_of(name)).PIECE for name in names}
    able = {name: piece for name, piece in pieces.items() if not told_missing(name, piece)}
    failed = sum(not runs(name, piece, asked) for name, piece in able.items())
    sys.stdout.write(f"\n{len(able) - failed} passed, {failed} failed\n")
    return 1 if failed else 0


def module_of(name: str) -> str:
    if name in LONG:
        return f"faults.{name}"
    return f"faults.pieces.files.{name}" if name in OF_FILES else f"faults.pieces.{name}"


def told_missing(name: str, piece: Piece) -> bool:
    """Say what the machine lacks, in the words that ``scripts/test`` adds up."""
    missing = piece.missing()
    if missing is not None:
        sys.stdout.write(f"left out: 1 test (faults: {name} needs {missing})\n")
    return missing is not None


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/faults", description=__doc__)
    parser.add_argument("pieces", nargs="*", metavar="PIECE", help=", ".join((*PIECES, *LONG)))
    parser.add_argument("--full", action="store_true", help="all cases instead of a short run")
    parser.add_argument("--seed", type=int, help="that of an earlier run; else a new one")
    parser.add_argument("--cases", type=int, help="how many, instead of the size of the piece")
    parser.add_argument("--from", type=int, default=0, dest="first", help="number of the first")
    return parser.parse_args()


def runs(name: str, piece: Piece, asked: argparse.Namespace) -> bool:
    """Run a piece; whether it held."""
    size = piece.full if asked.full else piece.short
    seed = random.SystemRandom().randrange(10**6) if asked.seed is None else asked.seed
    folder = Path(tempfile.mkdtemp(prefix=f"faults-{name}-"))
    cases = asked.cases or max(size - asked.first, 1)
    begun = time.monotonic()
    run = Run(seed=seed, first=asked.first, cases=cases, folder=folder, ends=begun + MINUTES * 60)
    sys.stdout.write(f"== {name}, seed {seed}\n")
    sys.stdout.flush()
    try:
        piece.run(run)
    except Exception as error:
        # What breaks between two cases fails this piece, and the others run.
        LOG.exception("the piece broke")
        run.violate(run.first + run.done, f"{type(error).__name__}: {error}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.write(f"{told(name, run, time.monotonic() - begun)}\n")
    if run.done < cases and time.monotonic() > run.ends:
        rest = f"--seed {seed} --from {asked.first + run.done} --cases {cases - run.done}"
        sys.stdout.write(f"   the time is over; go on with: scripts/faults {name} {rest}\n")
    sys.stdout.flush()
    return run.violations == 0


def told(name: str, run: Run, seconds: float) -> str:
    verdict = "ok" if run.violations == 0 else "VIOLATED"
    figures = [f"{count:,} {figure}" for figure, count in run.figures.items()]
    parts = [f"{run.done:,} cases", *figures, *run.notes, f"{run.violations} violations"]
    return f"{name} {verdict}: {', '.join(parts)}; seed {run.seed}; {seconds:.0f} s"


if __name__ == "__main__":
    sys.exit(main())
