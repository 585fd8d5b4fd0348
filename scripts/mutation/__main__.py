"""Puts small faults in, one at a time, and tells which of them the mirrored tests notice."""

import argparse
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import randrange

from mutation.mutants import Mutant, sample
from mutation.tree import Tree, copied

ROOMS = (
    *("context", "memory", "session/state", "session/asking", "session/turn", "session/reduction"),
    *("providers", "storage", "tools/process"),
)
ROOT = Path(__file__).resolve().parents[2]


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _stages(tree: Tree, room: str, file: Path, *, slow: bool) -> Iterator[tuple[Path, str]]:
    """Yield tests with a mark, the nearest first."""
    nearest = tree.tests / file.parent / f"test_{file.name}"
    if nearest.is_file():
        yield nearest, "not slow"
    yield tree.tests / room, "not slow"
    wider = tree.tests / file.parts[0]
    if file.parts[0] == "session":
        # A room of a session is also held by what the whole session does.
        yield wider, "not slow"
    if slow:
        yield tree.tests / room, "slow"


def _room_of(file: Path, rooms: list[str]) -> str:
    return next(room for room in rooms if file.is_relative_to(room))


def _is_killed(tree: Tree, room: str, mutant: Mutant, *, slow: bool) -> bool:
    with tree.put_in(mutant.file, mutant.code):
        stages = _stages(tree, room, mutant.file, slow=slow)
        return not all(tree.passes(tests, marked) for tests, marked in stages)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/mutants", description=__doc__)
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=f"of: {', '.join(ROOMS)}")
    parser.add_argument("--sample", type=int, default=20, metavar="N", help="how many (20)")
    parser.add_argument("--seed", type=int, default=None, metavar="S", help="the same ones again")
    parser.add_argument(
        "--slow", action="store_true", help="ask the tests marked slow too, where no other notices"
    )
    given = parser.parse_args()
    unknown = [room for room in given.rooms if not (ROOT / "tests" / room).is_dir()]
    if unknown:
        parser.error(f"no tests mirror {', '.join(unknown)}; the rooms are {', '.join(ROOMS)}")
    return given


def main() -> None:
    given = _arguments()
    # The copy goes, however this ends.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    rooms = [*(given.rooms or ROOMS)]
    seed = randrange(1_000_000) if given.seed is None else given.seed
    _say(f"{given.sample} mutants of {', '.join(rooms)}; --seed {seed}")
    survived: list[Mutant] = []
    tried = 0
    with copied(ROOT) as tree:
        passing: set[str] = set()
        for mutant in sample(tree.package, rooms, given.sample, seed):
            room = _room_of(mutant.file, rooms)
            if room not in passing and not tree.passes(tree.tests / room, "not slow"):
                _say(tree.said())
                sys.exit(f"tests/{room} fails without a mutant: nothing can be told by it.")
            passing.add(room)
            began = time.monotonic()
            killed = _is_killed(tree, room, mutant, slow=given.slow)
            tried += 1
            if not killed:
                survived.append(mutant)
            word = "killed  " if killed else "SURVIVED"
            took = time.monotonic() - began
            _say(f"{word} {mutant.file}:{mutant.line}  {mutant.change}  ({took:.0f} s)")
    share = 100 * (tried - len(survived)) / max(1, tried)
    _say(f"{tried - len(survived)} of {tried} killed, {share:.0f} %; --seed {seed}")


if __name__ == "__main__":
    main()
