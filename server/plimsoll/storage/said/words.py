"""What the index of said words holds of a text, and what it is asked for a query.

A word of a query has no blank in it, so a text holds it where one of its own words does: the words
are indexed, each once. Both sides are folded here, by Python: the index itself knows no case.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

GRAM = 3
"""Characters that are looked for as one; FTS5's ``trigram`` has no other number."""
MOST_GRAMS = 64
"""Of a query: what comes later is left to whoever reads the messages."""
_IDEOGRAPHS = "\u2e80"
"""From here on scripts write words of two characters."""
_FILLER = "\ue000"
"""Makes a gram of a pair of them; for private use, so hardly in a text."""


def indexed_text(texts: Iterable[str]) -> str:
    """Return what is put into the index of some texts: always the same of the same."""
    words = {word for text in texts for word in _plain(text.casefold()).split()}
    long = (word for word in words if len(word) >= GRAM)
    return " ".join(sorted({*long, *(pair for word in words for pair in _pairs(word))}))


def match_of(words: Sequence[str]) -> str | None:
    """Return the expression that all texts match in which some folded words stand.

    None where no word is long enough for the index. Texts without the words can match too.
    """
    grams = dict.fromkeys(gram for word in words for gram in _grams(_plain(word)))
    return " ".join(_quoted(gram) for gram in [*grams][:MOST_GRAMS]) or None


def _grams(word: str) -> Iterator[str]:
    yield from _pairs(word)
    for start in range(len(word) - GRAM + 1):
        yield word[start : start + GRAM]


def _pairs(word: str) -> Iterator[str]:
    if word.isascii():
        return
    for first, second in pairwise(word):
        if min(first, second) >= _IDEOGRAPHS:
            yield f"{first}{second}{_FILLER}"


def _plain(text: str) -> str:
    """Replace what FTS5 does not read: NUL, at which it ends, and lone surrogates."""
    if text.isascii():
        return text.replace("\0", _FILLER)
    return text.replace("\0", _FILLER).encode("utf-8", "replace").decode("utf-8")


def _quoted(gram: str) -> str:
    return '"{}"'.format(gram.replace('"', '""'))
