"""Reads a command that is a single row of plain words, and refuses every other.

Law: what is not understood matches nothing. A shell gives meaning to most signs; here those alone
are taken that have none, so the words are what the shell makes of the text, whatever its files and
variables are.
"""

import re
from dataclasses import dataclass

LONGEST = 200
"""Characters of a command: what is longer is not read on a button."""
_PLAIN = re.compile(r"[A-Za-z0-9_@%+=:,./-]")
# Inside double quotes a shell still expands these, and a backslash may or may not stand for itself.
_LIVE = frozenset('$`\\!"')
_WHY = {
    "\n": "a line break begins another command",
    "\r": "a line break begins another command",
    ";": "`;` begins another command",
    "&": "`&` begins another command",
    "|": "`|` begins another command",
    "$": "`$` stands for what is known only when it runs",
    "`": "a backtick runs another command",
    "<": "`<` reads another file",
    ">": "`>` writes a file",
    "(": "`(` begins another command",
    ")": "`)` ends another command",
    "*": "`*` stands for whatever files there are",
    "?": "`?` stands for whatever files there are",
    "[": "`[` stands for whatever files there are",
    "{": "`{` stands for several words",
    "~": "`~` stands for a folder outside",
    "#": "`#` begins a comment",
    "\\": "a backslash changes what follows it",
    "!": "`!` has a meaning of its own",
}


@dataclass(frozen=True, slots=True)
class NotLasting:
    """The reason why no permission can cover a command, in words for people."""

    why: str


def plain_words(command: str) -> tuple[str, ...] | NotLasting:
    """Split a command into words as the shell does, or return why these are no plain words."""
    if len(command) > LONGEST:
        return NotLasting(f"it has more than {LONGEST} characters")
    words: list[str] = []
    word: str | None = None
    place = 0
    while place < len(command):
        sign = command[place]
        if sign in " \t":
            words += [] if word is None else [word]
            word, place = None, place + 1
        elif sign in "'\"":
            end = command.find(sign, place + 1)
            quoted = command[place + 1 : end]
            if end < 0:
                return NotLasting("a quotation mark is not closed")
            wrong = _refused_in(quoted, sign)
            if wrong is not None:
                return NotLasting(wrong)
            word, place = (word or "") + quoted, end + 1
        elif _PLAIN.match(sign):
            word, place = (word or "") + sign, place + 1
        else:
            return NotLasting(_why(sign))
    words += [] if word is None else [word]
    return tuple(words) if words else NotLasting("it is empty")


def _refused_in(quoted: str, mark: str) -> str | None:
    for sign in quoted:
        if not (sign.isascii() and sign.isprintable()) or (mark == '"' and sign in _LIVE):
            return _why(sign)
    return None


def _why(sign: str) -> str:
    known = _WHY.get(sign)
    if known is not None:
        return known
    if sign.isascii() and sign.isprintable():
        return f"`{sign}` has a meaning of its own"
    return "a sign can be taken for another one"
