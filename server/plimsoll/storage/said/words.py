"""How the index of messages folds and splits texts, and what it is queried for.

A word of a query has no blank, so a text contains it if one of the text's own words does: the index
has each word once. Texts and queries are folded here, by Python: the index ignores case itself.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

GRAM = 3
"""Characters of a gram; FTS5's ``trigram`` supports no other number."""
MOST_GRAMS = 64
"""Grams of a query that the index is asked for; the messages are checked for the rest."""
_IDEOGRAPHS = "\u2e80"
"""From here on scripts write words of two characters."""
_FILLER = "\ue000"
"""Pads a pair of them to a gram; a private-use character, so hardly ever in a text."""


def indexed_text(texts: Iterable[str]) -> str:
    """Return the text to index; the same texts give the same."""
    words = {word for text in texts for word in _plain(text.casefold()).split()}
    long = (word for word in words if len(word) >= GRAM)
    return " ".join(sorted({*long, *(pair for word in words for pair in _pairs(word))}))


def match_of(words: Sequence[str]) -> str | None:
    """Return the expression that every text with these folded words matches; others may too.

    None if no word is long enough for the index.
    """
    grams = dict.fromkeys(gram for word in words for gram in _grams(_plain(word)))
    return " ".join(_quote_gram(gram) for gram in [*grams][:MOST_GRAMS]) or None


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
    """Replace what FTS5 cannot read: NUL, at which it stops, and lone surrogates."""
    if text.isascii():
        return text.replace("\0", _FILLER)
    return text.replace("\0", _FILLER).encode("utf-8", "replace").decode("utf-8")


def _quote_gram(gram: str) -> str:
    return '"{}"'.format(gram.replace('"', '""'))
