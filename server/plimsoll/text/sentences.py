"""Splits a message into sentences, and tells which are a person's own words.

Pasted text is not: a page, a mail, a log or another agent's answer may say "always", and nobody
knows whose words those are. If the client reports what was pasted, that alone decides.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from plimsoll.text.instruction_words import HEADING
from plimsoll.text.speech.marks import is_document, pasted_from
from plimsoll.text.speech.pasted import Ranges
from plimsoll.text.speech.pieces import Piece, blank_out, pieces_of
from plimsoll.text.speech.voices import Voice, is_reported, is_short, voices_of

_FENCE = re.compile(r"^[ \t]*(?P<marks>`{3,}|~{3,})(?P<info>[^\n]*)$", re.MULTILINE)
_BLOCK = re.compile(r"\n|[.!?]\s|[.!?]\Z|[\u3002\uff01\uff1f]")
LONGEST_WORD_PASTED = 80
"""Characters; a longer paste is a text of its own, not a word in a sentence."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a message."""

    text: str
    """On one line."""
    voice: Voice
    """Whose words it is, as far as that can be told."""
    raw: str
    """The original text in the message."""
    listed: bool = False
    """Whether it is in a list under a heading that announces rules."""

    @property
    def plain(self) -> bool:
        """Whether the sentence may be the person's own: that is enough for a session's rule."""
        return self.voice is not Voice.FOREIGN

    @property
    def own(self) -> bool:
        """Whether the sentence is certainly the person's own."""
        return self.voice is Voice.OWN


def sentences(message: str, pasted: Ranges | None = None) -> list[Sentence]:
    """Split a message into its sentences, in order; questions are left out.

    ``pasted``: the ranges of pasted text, which are left out; None: unknown, and the form of the
    text decides.
    """
    if pasted is not None:
        return list(_with_ranges(message, pasted))
    pieces = list(pieces_of(blank_out(message)))
    return list(_sentences_of(pieces, voices_of(message, pieces)))


def asked_pieces(message: str) -> list[str]:
    """Return the sentences and questions of a message that may be the person's own.

    What was pasted is unknown. Where none may be, they are those before the first sign of a paste;
    the first piece alone where it begins with one; all where nothing looks pasted. Blocks of code
    and quoted lines are left out.
    """
    pieces = list(pieces_of(blank_out(message)))
    voices = voices_of(message, pieces)
    plain = [p.text for p, v in zip(pieces, voices, strict=True) if v is not Voice.FOREIGN]
    begins = 0 if is_document(message) else pasted_from(message)
    if plain or begins is None:
        return plain or [piece.text for piece in pieces]
    before = [piece.text for piece in pieces if piece.end <= begins]
    return before or [piece.text for piece in pieces[:1]]


def sentences_around_code(message: str, pasted: Ranges | None = None) -> list[Sentence]:
    """Split a message into sentences, leaving out its one fenced block of code.

    The text around it is judged as if it were not there. Two fences or more may belong to a pasted
    page, so that the text between them is of unknown origin.
    """
    fences = [] if pasted is not None else [*_FENCE.finditer(message)]
    if len(fences) != 2 or fences[1]["info"] or fences[0]["marks"] != fences[1]["marks"]:
        return sentences(message, pasted)
    before, after = message[: fences[0].start()].rstrip(), message[fences[1].end() :]
    first = sentences(before)
    doubted = not is_short(before + after) or not all(each.plain for each in first)
    most = Voice.FOREIGN if doubted else Voice.UNSURE
    behind = [
        replace(each, voice=min(each.voice, most, key=_ORDER.index)) for each in sentences(after)
    ]
    return [
        *(replace(e, voice=min(e.voice, Voice.UNSURE, key=_ORDER.index)) for e in first),
        *behind,
    ]


_ORDER = (Voice.FOREIGN, Voice.UNSURE, Voice.OWN)


def may_hold_paste(message: str, pasted: Ranges | None = None) -> bool:
    """Tell whether a part of a message was pasted, or may be if the ranges are unknown."""
    if pasted is not None:
        return bool(pasted)
    if is_document(message) or pasted_from(message) is not None:
        return True
    pieces = list(pieces_of(blank_out(message)))
    return any(voice is not Voice.OWN for voice in voices_of(message, pieces))


def _with_ranges(message: str, pasted: Ranges) -> Iterator[Sentence]:
    """Yield the typed sentences; one that continues in a paste has no known author.

    A sentence that begins in a paste is left out.
    """
    own = message
    for start, end in pasted:
        if end - start > LONGEST_WORD_PASTED or _BLOCK.search(message, start, end):
            own = own[:start] + "\n" * (end - start) + own[end:]
    own = blank_out(own)
    pieces = [
        piece
        for piece in pieces_of(own)
        if not any(start <= piece.start < end for start, end in pasted)
    ]
    yield from _sentences_of(pieces, [_typed_voice(piece, pasted) for piece in pieces])


def _typed_voice(piece: Piece, pasted: Ranges) -> Voice:
    mixed = any(start < piece.end and end > piece.start for start, end in pasted)
    return Voice.FOREIGN if mixed or is_reported(piece.text) else Voice.OWN


def _sentences_of(pieces: list[Piece], voices: list[Voice]) -> Iterator[Sentence]:
    listed = False
    for piece, voice in zip(pieces, voices, strict=True):
        listed = HEADING.match(piece.text) is not None or (listed and piece.bulleted)
        if not piece.question:
            yield Sentence(piece.text, voice, piece.raw, listed)
