"""How random a value looks: made by a machine to be guessed by nobody, or by a person."""

import itertools
import math
import re
from collections import Counter

_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_WORDS = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{4,}")
_UNSPEAKABLE = re.compile(r"[^aeiouy]{5}|[aeiouy]{4}|q[^u]", re.IGNORECASE)
_VOWEL = re.compile(r"[aeiouy]", re.IGNORECASE)
_NUMBERED = re.compile(r"v?\d+(?:[.\-_]\d+)+\S*")


def entropy(value: str) -> float:
    """Bits for each character, by how often each stands in the value."""
    counts = Counter(value)
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())


def strong(value: str, least: int) -> bool:
    """Whether a value that stands where a password belongs can be one.

    It has digits among letters or marks, and is not words and numbers joined by dots or dashes.
    """
    if len(value) < least or value.isalpha() or value.isdigit() or _reads(value):
        return False
    digits = sum(char.isdigit() for char in value)
    marks = sum(not char.isalnum() and char not in "-_./:" for char in value)
    letters = sum(char.isalpha() for char in value)
    return (digits > 0 and letters > 0) or (marks > 0 and letters + digits >= 4)


def looks_random(value: str) -> bool:
    """Whether a value of at least 20 characters was made by a machine, and is no hash or id."""
    if len(value) < 20 or _HEX.fullmatch(value) or _UUID.fullmatch(value) or _ordered(value):
        return False
    digits = sum(char.isdigit() for char in value)
    if digits < 3 or digits > 0.7 * len(value) or _wordy(value):
        return False
    return entropy(value) >= 3.4 and _changes(value) >= 6


def _reads(value: str) -> bool:
    """Names, versions, hosts and calls: what people write for people."""
    if _NUMBERED.fullmatch(value) or "(" in value:
        return True
    pieces = [piece for piece in re.split(r"[-_./:]+", value) if piece]
    readable = [piece for piece in pieces if _readable(piece)]
    return len(pieces) > 1 and len(readable) == len(pieces)


def _readable(piece: str) -> bool:
    """A word, a number, or words with a number behind them."""
    if piece.isdigit():
        return True
    return bool(re.fullmatch(r"(?:[A-Z]?[a-z]+|[A-Z]+)+\d{0,4}(?:[A-Z]?[a-z]{2,})?", piece))


def _wordy(value: str) -> bool:
    """Whether more than half of it can be spoken."""
    return 2 * sum(len(word) for word in _WORDS.findall(value) if _spoken(word)) > len(value)


def _spoken(word: str) -> bool:
    return len(word) > 3 and bool(_VOWEL.search(word)) and not _UNSPEAKABLE.search(word)


def _ordered(value: str) -> bool:
    """Alphabets and keyboards' rows: most characters follow the one before them."""
    steps = sum(ord(b) - ord(a) == 1 for a, b in itertools.pairwise(value))
    return steps > len(value) // 2


def _changes(value: str) -> int:
    """How often a letter stands beside a digit, or a capital beside a small letter."""
    kinds = [char.isdigit() + 2 * char.isupper() + 4 * (not char.isalnum()) for char in value]
    return sum(a != b for a, b in itertools.pairwise(kinds))
