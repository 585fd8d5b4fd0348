r"""The shipped vocabularies, and texts cut so that a tokenizer takes them well.

`tiktoken.get_encoding` would fetch a missing vocabulary from the network, and its cache folder is
global to the process; an `Encoding` built from package data needs neither and registers nothing.

A megabyte of one character stalls tiktoken or overflows its regex, so no chunk is longer than
`LIMIT`. A tokenizer first splits a text into pieces by its pattern and merges bytes only within a
piece. A cut where no piece can stretch over it (a **safe** cut) leaves the count exactly as it is:

- behind a line end, before anything but white space and `/` (a slash may belong to `!\n/`);
- before a blank or tab that follows anything but white space (a blank only ever opens a piece);
- behind a line end, before more blanks than any token has behind one;
- behind a letter or digit, before punctuation other than the apostrophe (`'s` joins the word);
- between an ASCII letter and an ASCII digit, either way round.

Ordinary text has one of these every few characters. A run with none in `LIMIT - SIZE` characters is
cut by force. In 150,000 random tries a forced cut moved the count by -2 to +3, mostly by +1 or 0.
"""

import hashlib
import lzma
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING
from zlib import crc32

from plimsoll.errors import VocabularyDamaged

SIZE = 16_384
"""The least characters of a chunk: it ends at the first safe cut after them."""
LIMIT = 32_768
"""The most characters of a chunk; a power of two, so that forced cuts fall between the long
tokens of repeated characters."""

# Each branch takes the one character before the cut. Python's \s holds all of the tokenizer's white
# space and a few control characters more, which only costs a cut; its letters and digits are among
# the tokenizer's.
_BEFORE_CUT = re.compile(
    r"[\r\n](?=[^\s/])"
    r"|\n(?= {50})"
    r"|\S(?=[ \t])"
    r"|[^\W_](?=[!-&(-/:-@\[-`{-~、。])"
    r"|[A-Za-z](?=[0-9])"
    r"|[0-9](?=[A-Za-z])"
)


def safe_cut(text: str, start: int, end: int) -> int | None:
    """Return the first safe cut behind `start` and before `end`, if there is one."""
    match = _BEFORE_CUT.search(text, start, end)
    return match.end() if match else None


def chunks(text: str, size: int = SIZE, limit: int = LIMIT) -> Iterator[str]:
    """Yield consecutive chunks of at most `limit` characters that together are `text`."""
    if len(text) <= limit:
        yield text
        return
    start = 0
    while len(text) - start > limit:
        forced = start + limit
        cut = safe_cut(text, start + size, forced) or forced
        yield text[start:cut]
        start = cut
    yield text[start:]


WITH_PIECES = range(8_000, 256_000)
"""The lengths of texts that are counted in pieces: shorter ones are quickly counted, and of longer
ones only head and tail are shown."""
LINES_IN_PIECE = ((1_500, 3_500, 0xF), (3_500, 1 << 60, 0x3))
"""Between these sizes of a piece one line in 16 may start the next, then one in four.

Only few lines may, or each cut would depend on the one before; but no piece is endless.
"""
_LINE_CUT = re.compile(r"\n(?=[^\s/])")


def pieces(text: str, lines: Sequence[tuple[int, int, int]] = LINES_IN_PIECE) -> Iterator[str]:
    """Yield consecutive pieces of `text`, cut safely before some of its lines.

    The lines' own content decides which: equal parts of two texts are cut alike, so that the stored
    count of a piece is found again.
    """
    start = 0
    while (cut := _end_of_piece(text, start, lines)) is not None:
        yield text[start:cut]
        start = cut
    yield text[start:]


def _end_of_piece(text: str, start: int, lines: Sequence[tuple[int, int, int]]) -> int | None:
    find = text.find
    for least, most, mask in lines:
        for match in _LINE_CUT.finditer(text, start + least, start + most):
            cut = match.end()
            if not crc32(text[cut : find("\n", cut)].encode()) & mask:
                return cut
    return None


_BLANK_LINE = "\n" + 50 * " "
"""No token ends in blanks after a line end, or has so many of them there."""
_LEAST_SIMPLIFIED = 300
"""Characters; a shorter text is encoded as quickly."""
_LONG_NUMBER = re.compile(r"[0-9]{300,}")
_STRIDE = 48
_DIGITS_AT_STRIDE = re.compile(r"[0-9]{6}")
"""A long number has six digits at each stride, other text hardly ever."""


def simplify(text: str) -> tuple[str, int]:
    """Return a text that is encoded faster, and how many tokens it lacks.

    Lines of blanks form one piece, which takes more than linear time: a letter between them ends
    it. Each three digits of a long number are one token, whichever they are.
    """
    more = 0
    if len(text) < _LEAST_SIMPLIFIED:
        return text, more
    if _BLANK_LINE in text:
        more -= text.count(_BLANK_LINE)
        text = text.replace(_BLANK_LINE, f"\nx{_BLANK_LINE[1:]}")
    if _DIGITS_AT_STRIDE.search(text[::_STRIDE]):
        whole = len(text)
        text = _LONG_NUMBER.sub(_short_number, text)
        more += (whole - len(text)) // 3
    return text, more


def _short_number(match: re.Match[str]) -> str:
    """Keep both ends of a number, with a length that is equal modulo three."""
    number = match[0]
    left = 12 + len(number) % 3
    return number[:6] + number[6 - left :]


def well_formed(text: str) -> str:
    """Make `text` encodable: surrogate pairs joined, lone surrogates replaced."""
    if text.isascii():
        # Known without a copy, which for an answer of megabytes is worth something.
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


if TYPE_CHECKING:
    from tiktoken import Encoding


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The definition of a vocabulary, without its ranks."""

    sha256: str
    """The hash of the published `.tiktoken` file."""
    dense_sha256: str
    """The hash of the file that we ship, checked at each loading in 2 ms."""
    pattern: str
    """Splits a text into the pieces within which bytes are merged."""
    special: Mapping[str, int]


VOCABULARIES: Mapping[str, Vocabulary] = {
    "o200k_base": Vocabulary(
        sha256="446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        dense_sha256="bac143fe7fe950090c6e4ed9a2f80de5412a92495758b52becbbe5a7eea25ecb",
        pattern=(
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
            r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
            r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
            r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
            r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
        ),
        special={"<|endoftext|>": 199999, "<|endofprompt|>": 200018},
    ),
    "cl100k_base": Vocabulary(
        sha256="223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        dense_sha256="6bfd43f7b31b50b645b3228413547e662af1ae4801e9b192b9791680a71d650c",
        pattern=(
            r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
            r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
        ),
        special={
            "<|endoftext|>": 100257,
            "<|fim_prefix|>": 100258,
            "<|fim_middle|>": 100259,
            "<|fim_suffix|>": 100260,
            "<|endofprompt|>": 100276,
        },
    ),
}
"""The vocabularies by name; hashes, patterns and special tokens as tiktoken 0.14.0 has them."""


SHIPPED = Path(__file__).parent / "data"
"""The folder of the package with the vocabulary files; `importlib.resources` would cost 5 ms."""


def read_ranks(folder: Path, name: str) -> dict[bytes, int]:
    """Return the rank of every token of the vocabulary `name`.

    Raises:
        VocabularyDamaged: The file is missing, unreadable, or not the published vocabulary.
        KeyError: There is no vocabulary of that name.
    """
    wanted = VOCABULARIES[name].dense_sha256
    path = folder / f"{name}.xz"
    try:
        dense = lzma.decompress(path.read_bytes())
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise _damaged_error(path, str(error)) from error
    if hashlib.sha256(dense).hexdigest() != wanted:
        raise _damaged_error(path, "its SHA-256 is not that of the published one")
    return {token: rank for rank, token in enumerate(_tokens(dense))}


def build_encoding(folder: Path, name: str) -> "Encoding":
    """Return the encoding `name`, in 0.2 to 0.4 s.

    Raises:
        VocabularyDamaged: See `read_ranks`.
        KeyError: There is no vocabulary of that name.
    """
    # Late: tiktoken and regex cost 35 ms, which start-up does not have.
    from tiktoken import Encoding

    vocabulary, ranks = VOCABULARIES[name], read_ranks(folder, name)
    encoding = Encoding(
        name,
        pat_str=vocabulary.pattern,
        mergeable_ranks=ranks,
        special_tokens=dict(vocabulary.special),
    )
    # The tokenizer has its own table by now; only pickling would ask for ours, which takes 28 MB.
    ranks.clear()
    return encoding


@dataclass(slots=True)
class Vocabularies:
    """Encodings, each built once, when first asked for.

    Safe from any thread: a thread that asks for an encoding under construction waits for it, so a
    worker can load ahead of the first count.
    """

    folder: Path = SHIPPED
    _encodings: "dict[str, Encoding]" = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def encoding(self, name: str) -> "Encoding":
        """Return the encoding `name`.

        Raises:
            VocabularyDamaged: See `read_ranks`.
            KeyError: There is no vocabulary of that name.
        """
        with self._lock:
            if name not in self._encodings:
                self._encodings[name] = build_encoding(self.folder, name)
            return self._encodings[name]


def _tokens(dense: bytes) -> Iterator[bytes]:
    """Yield the tokens in rank order; each follows a byte with its length."""
    start = 0
    while start < len(dense):
        end = start + 1 + dense[start]
        yield dense[start + 1 : end]
        start = end


def _damaged_error(path: Path, reason: str) -> VocabularyDamaged:
    return VocabularyDamaged(
        f"The shipped vocabulary {path.name} cannot be used: {reason}.",
        remedy="Install Plimsoll again; until then tokens are estimated.",
        data={"file": path.name},
    )
