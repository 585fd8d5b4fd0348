"""Decodes the bytes of a file to text, and encodes it back in the same encoding."""

import codecs
import hashlib
from dataclasses import dataclass

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
# Of 30 control characters; above this share nobody wrote it as text.
_CONTROL_SHARE = 0.1
_CONTROL = bytes(code for code in range(32) if code not in b"\t\n\r\f\x1b\b")


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A file's text, and the encoding of its bytes."""

    text: str
    encoding: str = "utf-8"
    """``utf-8``, ``utf-16-le``, ``utf-16-be`` or ``latin-1``."""
    mark: bytes = b""
    """The byte order mark at the start of the file, or nothing."""

    @property
    def guessed(self) -> bool:
        """True if the bytes are not valid UTF-8 and were read as Latin-1."""
        return self.encoding == "latin-1"


def decode(data: bytes) -> DecodedText | None:
    """Decode the text of a file, or return none when it is binary."""
    mark, encoding = next((pair for pair in _MARKS if data.startswith(pair[0])), (b"", "utf-8"))
    body = data[len(mark) :]
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError:
        if encoding != "utf-8" or is_binary(body):
            return None
        return DecodedText(body.decode("latin-1"), "latin-1", mark)
    if "\0" in text or is_binary(text[:_SNIFFED].encode()):
        return None
    return DecodedText(text, encoding, mark)


def encode(text: str, like: DecodedText) -> bytes:
    """Encode a text in the encoding of another.

    Raises:
        UnicodeEncodeError: The encoding has no such character.
    """
    return like.mark + text.encode(like.encoding)


def is_binary(data: bytes) -> bool:
    """Tell whether bytes look like no text: a NUL, or many control characters at the start."""
    start = data[:_SNIFFED]
    controls = len(start) - len(start.translate(None, _CONTROL))
    return b"\0" in data or controls > _CONTROL_SHARE * len(start)


def type_guess(data: bytes) -> str:
    """Guess what a binary file is, by its first bytes."""
    return next((name for magic, name in _MAGIC if data.startswith(magic)), "of an unknown type")


def size_text(size: int) -> str:
    """Write a number of bytes for people, in decimal units."""
    if size < 1000:
        return f"{size} bytes"
    for unit, factor in (("kB", 1e3), ("MB", 1e6)):
        if size < factor * 1000:
            return f"{size / factor:.1f} {unit}"
    return f"{size / 1e9:.1f} GB"


def digest(data: bytes) -> str:
    """Return the SHA-256 as hexadecimal text."""
    return hashlib.sha256(data).hexdigest()
