"""How the cost grows with the work, each part at a tenth of its size, at it, and at ten times.

Processor time of all threads, the least of some runs. Beside it what nobody can do without: the
same rows read by SQLite and parsed, the same text counted once by tiktoken.

`scripts/bench/run growth`; of some parts: `PLIMSOLL_BENCH_PARTS="opening staleness"`.
"""

import asyncio
import os
import sys

from growth import megabytes, memories, opening, output, searching, staleness, steps

PARTS = {
    "opening": opening.bench,
    "staleness": staleness.bench,
    "output": output.bench,
    "steps": steps.bench,
    "megabytes": megabytes.bench,
    "searching": searching.bench,
    "memories": memories.bench,
}


def main() -> None:
    wanted = os.environ.get("PLIMSOLL_BENCH_PARTS", " ".join(PARTS)).split()
    for name in wanted:
        if name not in PARTS:
            sys.exit(f"There is no part {name}; the parts are: {', '.join(PARTS)}.")
    for name in wanted:
        print(f"\n{name}\n")
        asyncio.run(PARTS[name]())
        print(f"load at the end: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
