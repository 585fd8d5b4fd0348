"""Guesses the encoding of a text that is no UTF-8, and says which others it may be as well.

What stands in the file about it counts first. Then each encoding reads the lines beyond ASCII, and
the one whose reading is the most probable text is taken; of several that read about as well one
that charset-normalizer finds no mess in. It does not decide alone: of 85 short comments it took 46
wrong, and a source file often has no more (docs/decisions/0031).
"""

import re
from dataclasses import dataclass
from itertools import islice

from plimsoll.tools.encodings.plausibility import plausibility

# In the order in which equal readings are taken. The narrower one of a family comes first: what
# it lacks must not be written into a file of it.
SCRIPTS = {
    "latin-1": "western",
    "cp1252": "western",
    "shift_jis": "japanese",
    "cp932": "japanese",
    "gbk": "simplified",
    "gb18030": "simplified",
    "big5": "traditional",
    "cp950": "traditional",
    "cp949": "korean",
    "euc_jp": "japanese",
    "cp1251": "cyrillic",
    "koi8-r": "cyrillic",
    "cp1250": "central",
    "iso8859-2": "central",
    "cp1253": "greek",
    "iso8859-7": "greek",
    "cp1254": "turkish",
    "cp1255": "hebrew",
    "cp1256": "arabic",
}
# A declaration: of Python and Emacs, of Vim, of XML and HTML, of gettext.
_DECLARED = re.compile(rb"(?:coding|charset)\s*[:=]\s*[\"']?([\w.-]+)", re.ASCII)
_DECLARED_IN = 1024
_SAMPLE = 1024
"""Bytes of the lines beyond ASCII that are looked at."""
_LINE = 400
_CLOSE, _RIVAL = 0.1, 0.15
_WIDER = {"shift_jis": "cp932", "gbk": "gb18030", "big5": "cp950", "latin-1": "cp1252"}


@dataclass(frozen=True, slots=True)
class Guess:
    """The most probable encoding of a text, and other encodings that are about as probable."""

    encoding: str
    rivals: tuple[str, ...] = ()
    """Others by which the text reads otherwise and about as well."""


def guess_encoding(data: bytes) -> Guess:
    """Guess the encoding of a text whose bytes are no UTF-8."""
    declared = _declared_encoding(data)
    if declared is not None:
        return Guess(declared)
    sample = _sample(data)
    points = {name: _points(sample, name) for name in SCRIPTS if _is_narrowest(data, name)}
    ranked = sorted(points, key=lambda name: -points[name])
    best = ranked[0]
    close = [name for name in ranked if points[name] >= points[best] - _CLOSE]
    if len({SCRIPTS[name] for name in close}) > 1:
        best = next(iter(_sound(sample, close)), best)
    rivals = (name for name, each in points.items() if each >= points[best] - _RIVAL)
    return Guess(best, tuple(name for name in rivals if _differs(sample, name, best)))


def is_known(encoding: str) -> bool:
    """Tell whether texts are read and written in this encoding, apart from those of Unicode."""
    return encoding in SCRIPTS


def named_encoding(label: str) -> str | None:
    """Return the encoding that a label such as ``Windows-1252`` names, as the web uses it.

    There the widest of a family is meant. None for one of Unicode, and for an unknown label.
    """
    name = _NAMES.get(label.strip("\"' ").lower().replace("_", "-"))
    return None if name is None else _WIDER.get(name, name)


def _declared_encoding(data: bytes) -> str | None:
    """Return the encoding that the beginning of a file declares, if the file decodes by it."""
    for found in _DECLARED.finditer(data[:_DECLARED_IN]):
        name = _NAMES.get(found[1].decode("ascii").lower().replace("_", "-"))
        if name is None:
            continue
        wider = _WIDER.get(name, name)
        fitting = (each for each in (name, wider) if _decodes(data, each))
        encoding = next(fitting, None)
        if encoding is not None:
            return encoding
    return None


_NAMES = {
    **{name.replace("_", "-"): name for name in SCRIPTS},
    **dict.fromkeys(("iso-8859-1", "iso8859-1", "latin1", "l1"), "latin-1"),
    **dict.fromkeys(("sjis", "shift-jis", "x-sjis", "csshiftjis", "ms-kanji"), "shift_jis"),
    **dict.fromkeys(("windows-31j", "ms932"), "cp932"),
    **dict.fromkeys(("gb2312", "euc-cn", "cp936", "gb-2312-80"), "gbk"),
    **dict.fromkeys(("big5", "big-5"), "big5"),
    **dict.fromkeys(("euc-kr", "ks-c-5601-1987", "uhc", "windows-949"), "cp949"),
    **dict.fromkeys(("euc-jp", "eucjp", "ujis"), "euc_jp"),
    **dict.fromkeys(("iso-8859-2", "latin2", "latin-2"), "iso8859-2"),
    **dict.fromkeys(("iso-8859-7",), "iso8859-7"),
    **dict.fromkeys(("iso-8859-9", "latin5"), "cp1254"),
    **dict.fromkeys(("koi8-r", "koi8r"), "koi8-r"),
    **{f"windows-{number}": f"cp{number}" for number in range(1250, 1257)},
}


def _sample(data: bytes) -> bytes:
    """Return the first lines with bytes beyond ASCII, each cut if it is long."""
    rows = (row[:_LINE] for row in data.split(b"\n") if not row.isascii())
    return b"\n".join(islice(rows, _SAMPLE // 8))[:_SAMPLE]


def _is_narrowest(data: bytes, name: str) -> bool:
    """Tell whether an encoding is the narrowest of its family that can read the text."""
    if name == "latin-1":
        return not re.search(rb"[\x80-\x9f]", data)
    narrower = next((each for each, wider in _WIDER.items() if wider == name), None)
    return narrower is None or not (_is_narrowest(data, narrower) and _decodes(data, narrower))


def _points(sample: bytes, name: str) -> float:
    return plausibility(sample.decode(name, "surrogateescape"), SCRIPTS[name])


def _differs(sample: bytes, name: str, best: str) -> bool:
    return sample.decode(name, "replace") != sample.decode(best, "replace")


def _sound(sample: bytes, names: list[str]) -> list[str]:
    """Return the encodings in which charset-normalizer finds a text plausible."""
    # It is loaded where it is needed: 40 ms that no start should wait for.
    from charset_normalizer import from_bytes

    isolated = [name.replace("-", "_") for name in names]
    found = from_bytes(sample, cp_isolation=isolated, enable_fallback=False)
    # Encodings that read a text alike are one match.
    sound = {name for each in found for name in (each.encoding, *each.could_be_from_charset)}
    return [name for name in names if name.replace("-", "_") in sound]


def _decodes(data: bytes, name: str) -> bool:
    try:
        data.decode(name)
    except UnicodeDecodeError:
        return False
    return True
