"""A piece: cases made of a seed, one after another, each of which holds or is a violation."""

import random
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import TimeoutExpired
from typing import NoReturn

from faults.server import Died


@dataclass(kw_only=True)
class Run:
    """One run of a piece: which cases, in which folder, and what was found."""

    seed: int
    first: int
    cases: int
    folder: Path
    ends: float
    """On the monotonic clock: no case begins later."""
    done: int = 0
    violations: int = 0
    figures: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    def each(self) -> Iterator[tuple[int, random.Random]]:
        """Yield the number of each case and the chance that makes it, until the time is over."""
        for number in range(self.first, self.first + self.cases):
            if time.monotonic() > self.ends:
                return
            yield number, self.chance(number)
            self.done += 1

    def chance(self, number: int) -> random.Random:
        return random.Random(f"{self.seed}-{number}")

    @contextmanager
    def case(self, number: int) -> Iterator[None]:
        """Count what does not hold within as a violation of this case."""
        try:
            yield
        except (AssertionError, TimeoutError, TimeoutExpired, Died) as broken:
            self.violate(number, f"{type(broken).__name__}: {broken}")

    def violate(self, number: int, what: str) -> None:
        self.violations += 1
        sys.stdout.write(f"   case {number}: {what[:2000]}\n")
        sys.stdout.flush()

    def count(self, figure: str, by: int = 1) -> None:
        self.figures[figure] += by


def fail(what: str) -> NoReturn:
    raise AssertionError(what)


@dataclass(frozen=True, kw_only=True)
class Piece:
    """What ``scripts/faults`` runs by name."""

    run: Callable[[Run], None]
    short: int
    """Cases of a run beside all other tests."""
    full: int
    needs: Sequence[str] = ()
    """Of the machine: ``linux``, or a program."""

    def missing(self) -> str | None:
        """What this machine has not of what it needs."""
        found = (need == sys.platform or shutil.which(need) for need in self.needs)
        return next((n for n, there in zip(self.needs, found, strict=True) if not there), None)


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which a share of them lies; 0 of none."""
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)] if ordered else 0.0
