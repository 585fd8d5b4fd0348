"""Decodes the bytes of a file to text, and encodes it back in the same encoding.

Law: a text that was decoded is encoded to the same bytes, whatever they are; after a change of the
text all bytes outside of the change are the same.
"""

import codecs
from dataclasses import dataclass, replace

from plimsoll.text.wording import plural
from plimsoll.tools.encodings.guessing import guess_encoding, is_known
from plimsoll.tools.encodings.misread import REPLACEMENT
from plimsoll.tools.encodings.plausibility import is_text

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MAGIC = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "gzip data"),
    (b"BZh", "bzip2 data"),
    (b"\xfd7zXZ", "xz data"),
    (b"\x28\xb5\x2f\xfd", "zstd data"),
    (b"\x7fELF", "an ELF program or library"),
    (b"MZ", "a Windows program"),
    (b"\xca\xfe\xba\xbe", "a Java class or Mach-O program"),
    (b"\xcf\xfa\xed\xfe", "a Mach-O program"),
    (b"SQLite format 3\0", "a SQLite database"),
    (b"\0asm", "a WebAssembly module"),
    (b"wOF", "a web font"),
    (b"OggS", "Ogg media"),
    (b"ID3", "an MP3 file"),
    (b"RIFF", "RIFF media"),
)
_SNIFFED = 8192
_MARKED = ("utf-16-le", "utf-16-be")
# By so many characters of ASCII, and this share of them, a text of two bytes each is known.
_FEWEST = 4
_ASCII_SHARE = 0.5
# Bytes that are no character stand as characters of private use, as MirBSD does it: unlike lone
# surrogates these can be stored, sent and copied.
_ODD = "+bytes"
_FIRST_SHOWN = 0xEF00
_SHOWN = {0xDC00 + byte: _FIRST_SHOWN + byte for byte in range(0x80, 0x100)}
_WRITTEN = {shown: escaped for escaped, shown in _SHOWN.items()}
_ODD_SAID = "other bytes are shown as U+EF80 to U+EFFF, and stay as they are"
# Of 30 control characters; above this share nobody wrote it as text.
_CONTROL_SHARE = 0.1
_CONTROL = bytes(code for code in range(32) if code not in b"\t\n\r\f\x1b\b")


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A file's text, and the encoding of its bytes."""

    text: str
    encoding: str = "utf-8"
    """The name of a codec; with ``+bytes`` where some bytes are none of its characters."""
    mark: bytes = b""
    """The byte order mark at the start of the file, or nothing."""
    rivals: tuple[str, ...] = ()
    """Other encodings by which the bytes read otherwise and about as well."""

    @property
    def codec(self) -> str:
        """The name of the Python codec that decodes the file, with odd bytes replaced."""
        return _codec_of(self.encoding)[0]

    @property
    def said(self) -> str | None:
        """The note about the encoding, shown to whoever reads the file; None for UTF-8."""
        if self.encoding == "utf-8":
            return None
        codec, odd = _codec_of(self.encoding)
        if codec == "utf-8":
            return f"[not all of it is valid UTF-8: {_ODD_SAID}]"
        if codec in _MARKED:
            return f"[read as {codec}]"
        perhaps = f", which may be {' or '.join(self.rivals)} as well" if self.rivals else ""
        others = f"; {_ODD_SAID}" if odd else ""
        return f"[not valid UTF-8: read as {codec}{perhaps}{others}]"

    def would_lose(self, text: str) -> bool:
        """Tell whether another text has U+FFFD in the place of characters of this one."""
        return self.encoding != "utf-8" and REPLACEMENT in text and REPLACEMENT not in self.text


class UnwritableError(Exception):
    """A text cannot be written in an encoding; the message follows the name of the file."""


def decode(data: bytes, known: str | None = None) -> DecodedText | None:
    """Decode the text of a file; return None when it is binary.

    ``known``: the encoding that the file had before, which is tried first.
    The decoded text can be written back byte for byte.
    """
    mark, encoding = next((pair for pair in _MARKS if data.startswith(pair[0])), (b"", "utf-8"))
    body = data[len(mark) :]
    if encoding == "utf-8" and b"\0" in body[:_SNIFFED]:
        encoding = unmarked_utf16(body) or encoding
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError:
        return None if encoding != "utf-8" or is_binary(body) else _foreign(body, mark, known)
    if "\0" in text or is_binary(text[:_SNIFFED].encode()):
        return None
    return DecodedText(text, encoding, mark)


def encode(text: str, like: DecodedText) -> bytes:
    """Encode a text in the same encoding as a decoded text.

    Raises:
        UnwritableError: The encoding lacks a character of the text, or may lack it.
    """
    try:
        body = _encode(text, like.encoding)
    except UnicodeEncodeError as error:
        lacking = error.object[error.start]
        codec, _ = _codec_of(like.encoding)
        raise UnwritableError(
            f"is {codec}, which has no {lacking!a}. Use other characters."
        ) from error
    _refuse_unsure(text, like)
    if like.encoding != "utf-8" and _decode(body, like.encoding) != text:
        raise UnwritableError(
            f"is {like.encoding}, in which bytes around the change would become other characters. "
            "Change whole lines, or have it converted to UTF-8 first."
        )
    return like.mark + body


def refuse_lost(before: str, after: str, like: DecodedText) -> None:
    """Refuse a change of a buffer that the editor could not save in the file's encoding.

    The editor writes ``?`` for each character that the encoding lacks.

    Raises:
        UnwritableError: The change brings such a character.
    """
    letters = {each for each in like.text if not each.isascii()}
    if like.encoding != "utf-8" and letters.issubset(before):
        come = "".join(sorted(set(after).difference(before)))
        encode(come, replace(like, mark=b"", rivals=()))


def beginning(data: bytes) -> bytes:
    """Cut the first bytes of a larger file to whole lines, so that no character is split."""
    return data[: max(data.rfind(b"\n"), data.rfind(b"\r")) + 1] or data


def unmarked_utf16(body: bytes) -> str | None:
    """Recognise UTF-16 without a byte order mark by its NUL bytes and its text; else None."""
    if len(body) % 2:
        return None
    start = body[:_SNIFFED]
    for side, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if b"\0" not in start[side::2] or b"\0" in start[1 - side :: 2]:
            continue
        mostly_ascii = start[side::2].count(b"\0") >= max(_FEWEST, len(start) * _ASCII_SHARE / 2)
        if is_text(start.decode(encoding, "replace"), mostly_ascii=mostly_ascii):
            return encoding
    return None


def _foreign(body: bytes, mark: bytes, known: str | None) -> DecodedText:
    """Decode bytes that are not UTF-8: as UTF-8 with some odd bytes, or in another encoding."""
    codec, rivals = "utf-8", ()
    if known is not None and is_known(_codec_of(known)[0]):
        codec = _codec_of(known)[0]
    elif not (mark or _is_mostly_utf8(body)):
        guess = guess_encoding(body)
        codec, rivals = guess.encoding, guess.rivals
    try:
        text = body.decode(codec)
    except UnicodeDecodeError:
        text = ""
    if text and text.encode(codec) == body:
        return DecodedText(text, codec, mark, rivals)
    odd = codec + _ODD
    return DecodedText(_decode(body, odd), odd, mark, rivals)


def _is_mostly_utf8(body: bytes) -> bool:
    """Tell whether bytes are UTF-8 apart from a few; text in other encodings hardly ever is."""
    text = body.decode("utf-8", "surrogateescape")
    beyond = [char for char in text if char > "\x7f"]
    odd = sum("\udc80" <= char <= "\udcff" for char in beyond)
    return odd < len(beyond) - odd


def _codec_of(encoding: str) -> tuple[str, bool]:
    """Return the codec of an encoding, and whether undecodable bytes are kept with it."""
    return encoding.removesuffix(_ODD), encoding.endswith(_ODD)


def _decode(body: bytes, encoding: str) -> str:
    codec, odd = _codec_of(encoding)
    if not odd:
        return body.decode(codec, "replace")
    text = body.decode(codec, "surrogateescape").translate(_SHOWN)
    if _encode(text, encoding) == body:
        return text
    # Some encodings have two forms of a character, of which one is written.
    return "\n".join(_row(row, encoding) for row in body.split(b"\n"))


def _row(row: bytes, encoding: str) -> str:
    text = row.decode(_codec_of(encoding)[0], "surrogateescape").translate(_SHOWN)
    if _encode(text, encoding) == row:
        return text
    return "".join(chr(byte if byte < 0x80 else _FIRST_SHOWN + byte) for byte in row)


def _encode(text: str, encoding: str) -> bytes:
    codec, odd = _codec_of(encoding)
    return text.translate(_WRITTEN).encode(codec, "surrogateescape") if odd else text.encode(codec)


def _refuse_unsure(text: str, like: DecodedText) -> None:
    """Refuse characters that other encodings, as probable as the guessed one, write otherwise."""
    codec, _ = _codec_of(like.encoding)
    added = sorted(set(text).difference(like.text))
    for char in (each for each in added if not each.isascii()) if like.rivals else ():
        for rival in like.rivals:
            if char.encode(codec, "replace") != char.encode(rival, "replace"):
                raise UnwritableError(
                    f"reads as {codec} and as well as {rival}, which write {char!a} differently. "
                    "Use characters that the file has already, or have it converted to UTF-8 first."
                )


def is_binary(data: bytes) -> bool:
    """Tell whether bytes are not text: they hold a NUL, or begin with many control characters."""
    start = data[:_SNIFFED]
    controls = len(start) - len(start.translate(None, _CONTROL))
    return b"\0" in data or controls > _CONTROL_SHARE * len(start)


def type_guess(data: bytes) -> str:
    """Return the type of a binary file, guessed from its first bytes, in words."""
    return next((name for magic, name in _MAGIC if data.startswith(magic)), "of an unknown type")


def size_text(size: int) -> str:
    """Write a number of bytes for people, in decimal units."""
    if size < 1000:
        return plural(size, "byte")
    for unit, factor in (("kB", 1e3), ("MB", 1e6)):
        if size < factor * 1000:
            return f"{size / factor:.1f} {unit}"
    return f"{size / 1e9:.1f} GB"
