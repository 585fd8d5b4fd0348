"""Tokens counted in a second, against plain tiktoken with the same vocabulary.

`again` is what the product does most: a text that was counted before. The second table holds what
is slowest to count against plain source of as many bytes.
"""

import base64
import random
import string
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


BYTES = 600_000


def slowest() -> dict[str, str]:
    """What takes long: runs, letters and bytes without order, scripts without spaces."""
    small = random.Random(3)

    def drawn(letters: str) -> str:
        return "".join(small.choices(letters, k=BYTES // len(letters[0].encode())))

    runs = {"spaces": " ", "newlines": "\n", "tabs": "\t", "=": "=", "one letter": "a"}
    found = {f"a run of {name}": each * BYTES for name, each in runs.items()}
    return found | {
        "indented empty lines": (" " * 60 + "\n") * (BYTES // 61),
        "random small letters": drawn(string.ascii_lowercase),
        "random letters": drawn(string.ascii_letters),
        "random digits": drawn(string.digits),
        "random punctuation": drawn(string.punctuation),
        "base64": base64.b64encode(small.randbytes(BYTES * 3 // 4)).decode(),
        "Chinese characters": drawn("".join(map(chr, range(0x4E00, 0x9FA5)))),
        "Thai letters": drawn("".join(map(chr, range(0xE01, 0xE2E)))),
        "emoji": drawn("".join(map(chr, range(0x1F600, 0x1F640)))),
        "combining marks": ("a" + "\u0301\u0323" * 4) * (BYTES // 17),
        "source on one line": source_text().replace("\n", " "),
    }


def source_text() -> str:
    files = sorted(Path(plimsoll.__file__).parent.rglob("*.py"))
    return "\n".join(path.read_text("utf-8") for path in files)[:BYTES]


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
    print()
    yardstick = per_byte(source_text(), ours)
    rows = [[name, f"{per_byte(text, ours) / yardstick:.2f} x"] for name, text in slowest().items()]
    table(["time of a byte", "of plain source"], rows)


def per_byte(text: str, ours: Count) -> float:
    return best_of(RUNS, lambda: ours([text])) / len(text.encode())


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
