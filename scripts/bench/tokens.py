"""Tokens counted in a second, against plain tiktoken with the same vocabulary.

`again` is what the product does most: a text that was counted before.
"""

import random
from collections.abc import Callable
from pathlib import Path

from common import best_of, table, text

import plimsoll
from plimsoll.tokens.counter import Counters
from plimsoll.tokens.vocabulary import Vocabularies

RUNS = 5
Count = Callable[..., int]


def inputs() -> dict[str, list[str]]:
    source = sorted(Path(plimsoll.__file__).parent.rglob("*.py"))
    small = random.Random(1)
    return {
        "code, a file each": [path.read_text("utf-8") for path in source],
        "short messages": [text(small, 60) for _ in range(2_000)],
        "one text of 4 MB": [text(small, 800_000)],
        "50 KB of one character": ["a" * 50_000],
    }


def main() -> None:
    vocabularies = Vocabularies()
    encoding = vocabularies.encoding("o200k_base")

    def plain(texts: list[str]) -> int:
        return sum(len(encoding.encode_ordinary(each)) for each in texts)

    def ours(texts: list[str], counters: Counters | None = None) -> int:
        """With counters of their own, nothing was counted before."""
        return sum(map((counters or Counters(vocabularies)).of("gpt-4o").count, texts))

    rows = [row(name, texts, plain, ours) for name, texts in inputs().items()]
    table(["input", "tokens", "differs", "plain", "ours", "ratio", "again"], rows)


def row(name: str, texts: list[str], plain: Count, ours: Count) -> list[str]:
    known = Counters()
    tokens, differs = plain(texts), ours(texts, known) - plain(texts)
    yardstick = best_of(RUNS, lambda: plain(texts))
    fresh, again = best_of(RUNS, lambda: ours(texts)), best_of(RUNS, lambda: ours(texts, known))
    rates = [f"{tokens / took / 1000:.2f} M/s" for took in (yardstick, fresh)]
    ratios = [f"{yardstick / fresh:.2f} x", f"{yardstick / again:,.0f} x"]
    return [name, f"{tokens:,}", f"{differs:+,}", *rates, *ratios]


if __name__ == "__main__":
    main()
