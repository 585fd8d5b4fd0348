"""Estimate tokens from the scripts of a text alone, for when there is no vocabulary to count with.

The weights are rounded, upwards where in doubt, from a fit to o200k_base over 800 ordinary files
(program code, JSON, Markdown, manual pages and messages in 25 languages). On another draw of 800
the error is 9 % in the median and 27 % at p95, where characters / 3.2 errs by 22 % and 54 %; 26 %
are undercounted, 1.5 % by more than a quarter (Amharic), where characters / 3.2 has 55 % and 21 %.
"""

import re

BAND = 0.3
"""The error at p95, as a share of the estimate."""

WORD, LETTER = 1.0, 0.05
"""A run of ASCII letters; a capital after a small letter starts a new one, as in camelCase."""
DIGIT = 0.8
"""A digit of a hash or a version; digits in prose have fewer tokens."""
MARK_RUN, MARK = 0.5, 0.12
"""ASCII punctuation: half of the runs join the word that follows."""
LINE = 1.3
"""A run of line ends with the indent after it."""
BLANK = 0.01
OTHER = 0.5
"""A character of no script below."""
SCRIPTS: tuple[tuple[str, float], ...] = (
    (r"[\u0080-\u024f]", 0.8),  # accented Latin
    (r"[\u0370-\u052f]", 0.4),  # Greek, Cyrillic
    (r"[\u2190-\u2bff\U00010000-\U0010ffff]", 1.5),  # arrows, boxes, emoji
    (r"[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]", 1.0),
)
"""Tokens a character; the last one is Chinese, Japanese and Korean. Compiled when first needed:
start-up would pay 4 ms for them."""

_NOT_ASCII = r"[^\x00-\x7f]+"


def _class_of(code: int) -> bytes:
    """Return the class of an ASCII character: Upper, lower, digit, newline, blank or mark."""
    character = chr(code)
    if character.isalpha():
        return b"U" if character.isupper() else b"l"
    if character.isdigit():
        return b"d"
    if character in "\r\n":
        return b"n"
    return b"b" if character in " \t" else b"m"


_CLASSES = b"".join(map(_class_of, range(128))) + bytes(128)
_WORD_STARTS = tuple(b"bl bU nl nU dl dU ml mU lU".split())
_MARK_STARTS = tuple(b"bm nm dm lm Um".split())
_LINE_ENDS = tuple(b"bn dn ln Un mn".split())


def estimate(text: str) -> int:
    """Return about how many tokens `text` has; one at least, when there is any."""
    if not text:
        return 0
    foreign = "" if text.isascii() else "".join(re.findall(_NOT_ASCII, text))
    plain = re.sub(_NOT_ASCII, "", text) if foreign else text
    return max(1, round(_ascii_tokens(plain) + _foreign_tokens(foreign)))


def _ascii_tokens(text: str) -> float:
    # The blank in front opens a word or a run of marks at the very start, too.
    classes = b"b" + text.encode("ascii").translate(_CLASSES)
    return (
        WORD * _pairs(classes, _WORD_STARTS)
        + LETTER * (classes.count(b"l") + classes.count(b"U"))
        + DIGIT * classes.count(b"d")
        + MARK_RUN * _pairs(classes, _MARK_STARTS)
        + MARK * classes.count(b"m")
        + LINE * _pairs(classes, _LINE_ENDS)
        + BLANK * (classes.count(b"b") + classes.count(b"n"))
    )


def _foreign_tokens(text: str) -> float:
    counts = [(len(re.findall(script, text)), weight) for script, weight in SCRIPTS]
    rest = len(text) - sum(count for count, _ in counts)
    return OTHER * rest + sum(count * weight for count, weight in counts)


def _pairs(classes: bytes, pairs: tuple[bytes, ...]) -> int:
    return sum(map(classes.count, pairs))
