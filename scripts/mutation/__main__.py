"""Puts small faults in, one at a time, and tells which of them the mirrored tests notice."""

import argparse
import signal
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import randrange

from mutation.mutants import Mutant, at, sample
from mutation.reach import Reach
from mutation.tree import Tree, copied

ROOMS = (
    *("context", "memory", "session/state", "session/asking", "session/turn", "session/reduction"),
    *("providers", "storage", "tools/process"),
)
ROOT = Path(__file__).resolve().parents[2]


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


class Asking:
    """Asks the tests of the copy about mutants."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._reached: dict[str, Reach] = {}

    def is_killed(self, mutant: Mutant) -> bool:
        """Tell whether a test notices it."""
        room = _room_of(mutant.file)
        # A room of a session is also held by what the whole session does.
        suite = "session" if room.startswith("session/") else room
        if suite not in self._reached:
            self._reached[suite] = self._reach(suite)
        reach = self._reached[suite]
        tests = reach.chosen(self._tree.package / mutant.file, mutant.line)
        with self._tree.put_in(mutant.file, mutant.code):
            if tests and not self._tree.passes(tests, reach):
                return True
            rest = reach.slow_beside(tests, f"tests/{mutant.file.parent}")
            return bool(rest) and not self._tree.passes(rest, reach)

    def _reach(self, suite: str) -> Reach:
        found = self._tree.reach(self._tree.tests / suite, suite)
        if found is None:
            _say(self._tree.said())
            sys.exit(f"tests/{suite} cannot be run: nothing can be told by it.")
        for test in found.failed:
            _say(f"left out, as it fails without a mutant: {test}")
        return found


def _room_of(file: Path) -> str:
    """Return the room whose tests hold a file: one that is named here, or its folder."""
    return next((room for room in ROOMS if file.is_relative_to(room)), str(file.parent))


def _mutants(tree: Tree, given: argparse.Namespace, seed: int) -> Iterator[Mutant]:
    """Yield those of the lines that were named, or a sample."""
    lines = [place.rpartition(":") for place in given.rooms if ":" in place]
    for file, _, line in lines:
        yield from at(tree.package, file, int(line))
    if not lines:
        mutants = sample(tree.package, given.rooms or ROOMS, given.sample, seed)
        yield from islice(mutants, given.first - 1, None)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/mutants", description=__doc__)
    rooms = f"of: {', '.join(ROOMS)}; or a file; or FILE:LINE, for every mutant of a line"
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=rooms)
    parser.add_argument("--sample", type=int, default=20, metavar="N", help="how many (20)")
    parser.add_argument("--seed", type=int, default=None, metavar="S", help="the same ones again")
    parser.add_argument(
        "--from", type=int, default=1, dest="first", metavar="K", help="leave out those before it"
    )
    parser.add_argument("--slow", action="store_true", help="ask the tests marked slow too")
    given = parser.parse_args()
    package = ROOT / "server/plimsoll"
    unknown = [room for room in given.rooms if not (package / room.partition(":")[0]).exists()]
    if unknown:
        parser.error(f"there is no {', '.join(unknown)}; the rooms are {', '.join(ROOMS)}")
    return given


def main() -> None:
    given = _arguments()
    # The copy goes, however this ends.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    seed = randrange(1_000_000) if given.seed is None else given.seed
    many = "all" if any(":" in place for place in given.rooms) else given.sample
    _say(f"{many} mutants of {', '.join(given.rooms or ROOMS)}; --seed {seed}")
    killed = tried = 0
    with copied(ROOT, slow=given.slow) as tree:
        asking = Asking(tree)
        for mutant in _mutants(tree, given, seed):
            began = time.monotonic()
            noticed = asking.is_killed(mutant)
            tried += 1
            killed += noticed
            word = "killed  " if noticed else "SURVIVED"
            took = time.monotonic() - began
            _say(f"{word} {mutant.file}:{mutant.line}  {mutant.change}  ({took:.0f} s)")
    share = 100 * killed / max(1, tried)
    _say(f"{killed} of {tried} killed, {share:.0f} %; --seed {seed}")


if __name__ == "__main__":
    main()
