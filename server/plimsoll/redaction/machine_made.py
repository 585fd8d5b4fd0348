"""Tells whether a value was made by a machine or a person, by its characters alone. Pure."""

import itertools
import math
import re
import string
from collections import Counter

_STAND_IN = re.compile(
    r"example|placeholder|change-?_?me|redacted|dummy|sample|foobar|deadbeef|yourtoken|your[-_]"
    r"|insert[-_]|replace[-_]|x{5}|\*{3}|\.{3}|#{4}",
    re.IGNORECASE,
)
_ONE_CHARACTER = re.compile(r"(.)\1{5}")
_REPEATED = re.compile(r"(.{2,10}?)\1{3}")
_LONGEST_ORDER = 7
_FEWEST = 6
"""Least number of different characters in the second half of a token."""


def is_stand_in(value: str) -> bool:
    """Tell whether a value is a placeholder: a word for one, a sequence, or a repetition."""
    if _STAND_IN.search(value) or _ONE_CHARACTER.search(value):
        return True
    if len(value) < 16:
        return False
    few = len(set(value[len(value) // 2 :])) < _FEWEST
    return few or _REPEATED.search(value) is not None or _longest_order(value) >= _LONGEST_ORDER


def _longest_order(value: str) -> int:
    """Return the length of the longest run in which each character follows the one before."""
    longest = length = 1
    for before, after in itertools.pairwise(value):
        follows = ord(after) - ord(before) == 1 or (before, after) == ("9", "0")
        length = length + 1 if follows else 1
        longest = max(longest, length)
    return longest


_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_SPOKEN_WORDS = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{4,}")
_UNSPEAKABLE = re.compile(r"[^aeiouy]{5}|[aeiouy]{4}|q[^u]", re.IGNORECASE)
_VOWEL = re.compile(r"[aeiouy]", re.IGNORECASE)
_LONG_HASH = 32
_MANY = 6
_SUBSCRIPT = re.compile(r"[A-Za-z_][\w.]*\[[A-Za-z_]*")
_NUMBERED = re.compile(r"v?\d+(?:[.\-_]\d+)+\S*")


def entropy(value: str) -> float:
    """Compute the entropy of a value in bits for each character."""
    counts = Counter(value)
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())


def strong(value: str, least: int) -> bool:
    """Tell whether a value, found in the place of a password, is strong enough to be one.

    Passwords have digits among letters or punctuation, and are not words and numbers joined by
    dots or dashes.
    """
    if len(value) < least or value.isalpha() or value.isdigit() or _reads(value):
        return False
    digits = sum(char.isdigit() for char in value)
    marks = sum(not char.isalnum() and char not in "-_./:" for char in value)
    letters = sum(char.isalpha() for char in value)
    return (digits > 0 and letters > 0) or (marks > 0 and letters + digits >= 4)


def looks_random(value: str) -> bool:
    """Tell whether a value of at least 20 characters is random and is no hash or id."""
    if len(value) < 20 or is_stand_in(value) or _is_name(value):
        return False
    digits, changes = sum(char.isdigit() for char in value), _changes(value)
    if digits < 3 and (digits < 1 or changes < len(value) / 3):
        return False
    if digits > 0.7 * len(value) or (_wordy(value) and _numbers(value) < _MANY):
        return False
    return entropy(value) >= 3.4 and changes >= 6


def is_machine_made(value: str) -> bool:
    """Tell whether the text after a short prefix is a token and not a name in code."""
    if is_stand_in(value) or not any(char.isdigit() for char in value) or _wordy(value):
        return False
    return entropy(value) >= 3.2 and _changes(value) >= 4


def _is_name(value: str) -> bool:
    """Tell whether a value is a hash, an id, a path or an identifier.

    A long hash after a word is no name: many vendors write their tokens so.
    """
    pieces = [piece for piece in re.split(r"[-_/.+=~]+", value) if piece]
    hashes = [piece for piece in pieces if _HEX.fullmatch(piece)]
    others = [piece for piece in pieces if not _HEX.fullmatch(piece)]
    if not all(_readable(piece.lstrip(string.digits)) for piece in others):
        return False
    # Ids are joined by dashes alone.
    return (not others and "_" not in value) or sum(map(len, hashes)) < _LONG_HASH


def _reads(value: str) -> bool:
    """Tell whether a value consists of readable parts, as names, versions, hosts and calls do."""
    if _NUMBERED.fullmatch(value) or _SUBSCRIPT.fullmatch(value) or "(" in value:
        return True
    pieces = [piece for piece in re.split(r"[-_./:]+", value) if piece]
    readable = [piece for piece in pieces if _readable(piece)]
    return len(pieces) > 1 and len(readable) == len(pieces)


def _readable(piece: str) -> bool:
    """Tell whether a part of a value is a word, a number, or words followed by a number."""
    if piece.isdigit():
        return True
    return bool(re.fullmatch(r"[A-Za-z]+\d{0,4}(?:[A-Z]?[a-z]{2,})?", piece))


def _numbers(value: str) -> int:
    """Count the numbers in a value: people write few, random values have many."""
    return len(re.findall(r"\d+", value))


def _wordy(value: str) -> bool:
    """Tell whether more than half of a value's characters are in pronounceable words."""
    words = filter(_is_pronounceable, _SPOKEN_WORDS.findall(value))
    return 2 * sum(map(len, words)) > len(value)


def _is_pronounceable(word: str) -> bool:
    return len(word) > 3 and bool(_VOWEL.search(word)) and not _UNSPEAKABLE.search(word)


def _changes(value: str) -> int:
    """Count the changes between letters and digits, or small letters and capitals, in a value."""
    kinds = [char.isdigit() + 2 * char.isupper() + 4 * (not char.isalnum()) for char in value]
    return sum(a != b for a, b in itertools.pairwise(kinds))
