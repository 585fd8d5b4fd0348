"""How plausible a decoded text is: a wrong encoding makes characters that nobody writes."""

import unicodedata
from functools import lru_cache

from plimsoll.tools.encodings.characters import (
    ALPHABETS,
    LATIN_LETTERS,
    SYLLABARIES,
    Alphabet,
    Syllabary,
)

_FREQUENT, _COMMON, _SIGN, _HALF, _RARE = 1.0, 0.75, 0.7, 0.5, 0.3
_STRANGE = 0.05
_NO_CHARACTER = -1.0
_READS_WELL = 0.6
_NO_TEXT = frozenset({"Cc", "Cn", "Co", "Cs"})
# Signs that stand beside a letter in prose; another one there is a letter that was read wrong.
_BESIDE_LETTERS = "¿¡«»“”„—…©®§\u2018\u2019\u201a\u2013\u00a0"
_AFTER_LETTERS = "²³°ªº\u2019"
_ALONE = "àéèÀÉÈóíÁ"
# Letters that a wrong reading of Central European or Turkish text gives inside of a word.
_SELDOM_WESTERN = "ðþÞÐýÝ"
_AT_WORD_ENDS = "ìòù"


def plausibility(text: str, script: str) -> float:
    """Return how plausible the characters beyond ASCII are on average, from -1 to 1."""
    points = [
        _syllable(char, text[at - 1 : at], SYLLABARIES[script])
        if script in SYLLABARIES
        else _letter(text, at, script)
        for at, char in enumerate(text)
        if char > "\x7f"
    ]
    return sum(points) / len(points) if points else 0.0


def is_text(text: str, *, mostly_ascii: bool) -> bool:
    """Tell whether decoded bytes look like text: no control characters, and a plausible script."""
    if any(unicodedata.category(char) in _NO_TEXT and char not in "\t\n\r\f" for char in text):
        return False
    scripts = (*SYLLABARIES, *ALPHABETS)
    return mostly_ascii or max(plausibility(text, script) for script in scripts) >= _READS_WELL


def _syllable(char: str, before: str, script: Syllabary) -> float:
    if "\ud800" <= char <= "\udfff":
        return _NO_CHARACTER
    if "\u3000" <= char <= "\u303f" or "\uff01" <= char <= "\uff5e":
        return _SIGN
    points = _syllable_alone(char, script)
    # A quotation mark or a letter with an accent, read with the letter that follows it.
    return points / 2 if before.isascii() and before.isalpha() else points


@lru_cache(maxsize=20_000)
def _syllable_alone(char: str, script: Syllabary) -> float:
    if "\u3040" <= char <= "\u30ff":
        return _FREQUENT if script.standard == "euc_jp" else _STRANGE
    if char in script.frequent:
        return _FREQUENT
    try:
        encoded = char.encode(script.standard)
    except UnicodeEncodeError:
        return _STRANGE
    common = len(encoded) == 2 and script.first <= encoded[0] <= script.last
    return (_SIGN if not script.frequent else 0.6) if common else _STRANGE


def _letter(text: str, at: int, script: str) -> float:
    char, before, after = text[at], text[at - 1 : at] or " ", text[at + 1 : at + 2] or " "
    if unicodedata.category(char) in _NO_TEXT:
        return _NO_CHARACTER
    if not char.isalpha():
        return _sign(char, before, after)
    if script in ALPHABETS:
        return _foreign(char, before, after, ALPHABETS[script])
    if char.isupper() and before.islower():
        return 0.0
    if _run_before(text, at) >= 3:
        return 0.1
    if not before.isalpha() and not after.isalpha() and char not in _ALONE:
        return _RARE
    return _western(char, after) if script == "western" else _letter_weight(char, script)


def _sign(char: str, before: str, after: str) -> float:
    if char in _BESIDE_LETTERS:
        return _SIGN
    joined = after.isalpha() or (before.isalpha() and char not in _AFTER_LETTERS)
    return 0.0 if joined else _HALF


def _foreign(char: str, before: str, after: str, script: Alphabet) -> float:
    if any(each.isascii() and each.isalpha() for each in (before, after)):
        return 0.0
    if not unicodedata.name(char, "").startswith(script.name):
        return 0.0
    if char.isupper() and before.isalpha():
        return _RARE
    if not before.isalpha() and not after.isalpha():
        return _RARE
    return 0.9 if char.lower() in script.frequent else 0.65


def _western(char: str, after: str) -> float:
    within = char in _AT_WORD_ENDS and after.isalpha()
    if char in _SELDOM_WESTERN or within or (char == "õ" and after != "e"):
        return _RARE
    return 0.8 if char in LATIN_LETTERS["western"] else _HALF


def _letter_weight(char: str, script: str) -> float:
    return _COMMON if char in LATIN_LETTERS[script] else _RARE


def _run_before(text: str, at: int) -> int:
    """Return the length of the run of letters beyond ASCII that ends at an index."""
    start = at
    while start >= 0 and text[start].isalpha() and text[start] > "\x7f":
        start -= 1
    return at - start
