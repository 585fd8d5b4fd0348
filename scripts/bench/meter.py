"""The meter before a request beside what llama.cpp counts of it: thirty turns in 4,096 tokens.

`scripts/bench/run meter`, of some kinds of text only: `PLIMSOLL_BENCH_KINDS="prose numbers"`. The
server and its weights are those of the tests (`scripts/test` fetches them).
"""

import os
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))


from product.harness import Product
from servers.metering import KINDS, LEARNING, Reading, entries, reading
from servers.running import MODEL, WINDOW, Running, llama

TURNS = 30
CHARACTERS = {"prose": 1_200, "code": 1_000, "numbers": 500}
"""Of an entry: some 300 tokens."""
MIXED = "mixed"


def readings(server: Running, folder: Path, kind: str) -> Iterator[Reading]:
    """The readings of a session of its own."""
    kinds = tuple(KINDS) if kind == MIXED else (kind,)
    product = Product(
        folder / kind,
        PLIMSOLL_MODEL__PROVIDER="openai",
        PLIMSOLL_MODEL__NAME=MODEL,
        PLIMSOLL_MODEL__BASE_URL=server.url,
        PLIMSOLL_MODEL__CONTEXT_WINDOW=str(WINDOW),
        PLIMSOLL_BUDGET__RESERVE_OUTPUT_TOKENS="16",
        PLIMSOLL_MEMORY__EXTRACTION="off",
    )
    product.timeout = 600.0
    with product:
        product.open()
        session = product.new_session()
        characters = min(CHARACTERS[each] for each in kinds)
        for text in islice(entries(*kinds, characters=characters), TURNS):
            yield reading(product, session, text)


def report(kind: str, found: Iterator[Reading]) -> None:
    """Print a line a turn, as it comes, and what holds behind the first two requests."""
    print(f"\n{kind}\nturn  server   meter  ratio  reduced", flush=True)
    ratios: list[float] = []
    for turn, one in enumerate(found, 1):
        figures = f"{turn:4}  {one.theirs:6,}  {one.ours:6,}  {one.ratio:.3f}"
        print(figures, *one.stages, sep="  ", flush=True)
        ratios.append(one.ratio)
    later = ratios[LEARNING:]
    mean = sum(later) / len(later)
    print(f"lowest {min(later):.3f}, mean {mean:.3f}, highest {max(later):.3f}", flush=True)


def main() -> None:
    """Take a session of each kind of text."""
    kinds = os.environ.get("PLIMSOLL_BENCH_KINDS", f"prose numbers {MIXED}").split()
    with tempfile.TemporaryDirectory() as temporary, llama(Path(temporary)) as server:
        for kind in kinds:
            report(kind, readings(server, Path(temporary), kind))


if __name__ == "__main__":
    main()
