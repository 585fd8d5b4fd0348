"""Which mutants there are, and a sample of them: a place each, so that none is counted for many."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from random import Random

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator

from mutation.operators import OPERATORS


@dataclass(frozen=True, slots=True)
class Mutant:
    """A file with one small fault."""

    file: Path
    """Below ``server/plimsoll``."""
    code: str
    line: int
    change: str


def sample(package: Path, rooms: Sequence[str], count: int, seed: int) -> Iterator[Mutant]:
    """Yield so many mutants of some rooms or files of a package, at different places."""
    places = [place for room in rooms for place in _places(package, package / room)]
    random, found = Random(seed), 0
    random.shuffle(places)
    for file, choices in places:
        mutant = _mutant(package, file, *random.choice(choices))
        if mutant is not None:
            found += 1
            yield mutant
        if found == count:
            return


def at(package: Path, file: str, line: int) -> Iterator[Mutant]:
    """Yield every mutant of a line."""
    for _, choices in _places(package, package / file):
        for choice in choices:
            mutant = _mutant(package, Path(file), *choice)
            if mutant is not None and mutant.line == line:
                yield mutant


def _places(package: Path, room: Path) -> Iterator[tuple[Path, list[tuple[Operator, int]]]]:
    files = [room] if room.suffix == ".py" else sorted(room.rglob("*.py"))
    for file in files:
        nodes = [*ast_nodes(get_ast(file.read_text("utf-8")))]
        # How a class is made, as `frozen=True`, is held by no test and needs none.
        spoken_for = [(n.start_pos, n.end_pos) for n in nodes if n.type == "decorator"]
        choices = defaultdict[tuple[int, int], list[tuple[Operator, int]]](list)
        for operator in OPERATORS:
            starts = (start for node in nodes for start, _ in operator.mutation_positions(node))
            for occurrence, start in enumerate(starts):
                choices[start].append((operator, occurrence))
        for start in sorted(choices):
            if not any(begin <= start < end for begin, end in spoken_for):
                yield file.relative_to(package), choices[start]


def _mutant(package: Path, file: Path, operator: Operator, occurrence: int) -> Mutant | None:
    before = (package / file).read_text("utf-8")
    code = mutate_code(before, operator, occurrence)
    if code is None or not _compiles(code):
        return None
    pairs = zip_longest(before.splitlines(), code.splitlines(), fillvalue="")
    changed = ((number, old, new) for number, (old, new) in enumerate(pairs, 1) if old != new)
    line, old, new = next(changed, (0, "", ""))
    return Mutant(file, code, line, f"{old.strip()}  ->  {new.strip()}") if line else None


def _compiles(code: str) -> bool:
    try:
        compile(code, "mutant", "exec")
    except SyntaxError:
        return False
    return True
