"""Shows a command or a path before a person says yes: no character is hidden or has an effect.

Law: whatever a terminal, a webview or a font would swallow, reorder or draw as nothing stands here
as ``⟨U+202E⟩``, so that what is approved is what is run.
"""

import re
import sys
import unicodedata

from plimsoll.text.first_words import cut_line

# Letters and marks by category, yet drawn as nothing: fillers, joiners, variation selectors.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_BLANK_RANGES = ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0000, 0xE0FFF))
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters of other scripts that most fonts draw as a Latin one, and signs as one of a shell's.
_LIKE_LATIN = (
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0455\u0456\u0458"
    "\u04bb\u0501\u051b\u051d\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423"
    "\u0425\u0405\u0406\u0408\u03bf\u03bd\u03c1\u03b9\u03ba\u03c5\u03f2\u03f3\u0391\u0392\u0395\u0396"
    "\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u0578\u057d\u0570\u0585\u0581"
    "\u0251\u0261\u0131\u0237\u029f"
)
_WORD = re.compile(r"\w+")
_LATIN = re.compile(r"[A-Za-z]")
_ALIKE = re.compile(rf"[{_LIKE_LATIN}]")
_LIKE_SIGNS = re.compile("[\u037e\u2044\u2215\u29f8\u01c3\ua789\u2236]")
# An indent of up to sixty columns is ordinary; between words sixteen blanks are not.
_PADDING = re.compile(r"(?<=\S)[ \t]{16,}|^[ \t]{60,}", re.MULTILINE)
_SIGN = re.compile(r"⟨U\+([0-9A-F]{4,6})⟩")
_COUNTED = re.compile(r" ⟨(\d{1,5}) (spaces|tabs)⟩ ")
_BLANKS = {"spaces": " ", "tabs": "\t"}
_MOST_BLANKS = 4_096
_EDGES = re.compile(r"(?:(?<=/)|^) +| +(?=/|$)")
_OWN_SIGNS = re.compile("[⏎⇥⟨]")
_TAKEN_OTHERWISE = re.compile(r"~|\$HOME|\$\{HOME\}|file:|\\\\", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\n((?:[ \t]*\n){8,})")
_BLANK_ROWS = re.compile(r"^([ +-])[ \t]*(?:\n\1[ \t]*$){7,}", re.MULTILINE)
_DIFF_PADDING = re.compile(r"(?<=[^\n]\S)[ \t]{16,}|(?<=^[ +-])[ \t]{60,}", re.MULTILINE)


def escape_hidden(text: str) -> str:
    """Escape each unseen character of a text; spaces, line breaks and tabs stay."""
    return text if _plain(text) else "".join(map(_escape_if_hidden, text))


def unescape_hidden(text: str) -> str:
    """Undo `escape_hidden` and `visible_path`, and return the original text."""
    blanks = _COUNTED.sub(lambda run: _BLANKS[run[2]] * min(int(run[1]), _MOST_BLANKS), text)
    plain = blanks.replace("⏎", "\n").replace("⇥", "\t")
    return _SIGN.sub(lambda sign: _character(sign[1]), plain)


def _character(digits: str) -> str:
    number = int(digits, 16)
    return chr(number) if number <= sys.maxunicode else f"⟨U+{digits}⟩"


def visible(text: str) -> str:
    """Escape like `escape_hidden`, and write a long run of blanks as its length.

    In a word with Latin letters, a foreign letter that looks like a Latin one is escaped.
    """
    shown = _PADDING.sub(_describe_blanks, _without_doubles(escape_hidden(text)))
    return _BLANK_LINES.sub(lambda run: f"\n⟨{run[1].count(chr(10))} blank lines⟩\n", shown)


def _without_doubles(text: str) -> str:
    if text.isascii():
        return text
    signs = _LIKE_SIGNS.sub(lambda sign: _escape(sign[0]), text)
    return _WORD.sub(lambda word: _without_doubles_in(word[0]), signs)


def _without_doubles_in(word: str) -> str:
    if word.isascii() or not _LATIN.search(word):
        return word
    return _ALIKE.sub(lambda sign: _escape(sign[0]), word)


def visible_diff(diff: str) -> str:
    """Write long runs of blanks in a unified diff as their length, for reading alone."""
    shown = _BLANK_ROWS.sub(
        lambda run: f"{run[1]}⟨{run.group().count(chr(10)) + 1} blank lines⟩", diff
    )
    return _DIFF_PADDING.sub(_describe_blanks, shown)


def _describe_blanks(run: re.Match[str]) -> str:
    blanks = run.group()
    tabs = blanks.count("\t")
    kind = "spaces" if not tabs else "tabs" if tabs == len(blanks) else "spaces and tabs"
    return f" ⟨{len(blanks)} {kind}⟩ "


def visible_line(text: str, limit: int = 200) -> str:
    """Escape like `visible`, on a line of at most ``limit`` characters; a cut says how much."""
    return cut_line(whole_line(text), limit)


def whole_line(text: str) -> str:
    """Escape like `visible`, on a line of any length, for texts that are redacted before a cut."""
    return visible(text).replace("\n", "⏎").replace("\t", "⇥")


def visible_path(name: str) -> str:
    """Write a path on one line, whole, so that `unescape_hidden` gives back that path and no other.

    A path that would be taken for a home, a URI or a device gets ``./`` in front.
    """
    signs = _OWN_SIGNS.sub(lambda sign: _escape(sign[0]), name)
    lines = signs.replace("\n", "⏎").replace("\t", "⇥")
    shown = visible(_EDGES.sub(lambda blanks: _escape(" ") * len(blanks[0]), lines))
    return f"./{shown}" if _TAKEN_OTHERWISE.match(shown) else shown


def _plain(text: str) -> bool:
    return text.isascii() and text.replace("\n", "").replace("\t", "").isprintable()


def _escape_if_hidden(character: str) -> str:
    return _escape(character) if _is_hidden(character) else character


def _escape(character: str) -> str:
    return f"⟨U+{ord(character):04X}⟩"


def _is_hidden(character: str) -> bool:
    if character in " \n\t":
        return False
    category = unicodedata.category(character)
    if category in _HIDDEN_CATEGORIES or category == "Zs" or character in _BLANK:
        return True
    return any(first <= ord(character) <= last for first, last in _BLANK_RANGES)
