"""The sentences of a message, and which of them are a person's own words.

What was pasted is not: a page, a mail, a log or another agent's answer may say "always", and whose
words those are nobody knows. Where the client says what was pasted, that decides alone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from plimsoll.text.instruction_words import HEADING
from plimsoll.text.speech.marks import is_document, pasted_from
from plimsoll.text.speech.pasted import Ranges
from plimsoll.text.speech.pieces import Piece, blanked, pieces_of
from plimsoll.text.speech.voices import Voice, is_reported, is_short, voices_of

_FENCE = re.compile(r"^[ \t]*(?P<marks>`{3,}|~{3,})(?P<info>[^\n]*)$", re.MULTILINE)
_BLOCK = re.compile(r"\n|[.!?]\s|[.!?]\Z|[\u3002\uff01\uff1f]")
LONGEST_WORD_PASTED = 80
"""Characters; a longer paste is a text of its own and no word in a sentence."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a message."""

    text: str
    """On one line."""
    voice: Voice
    """Whose word it is, as far as that can be seen."""
    raw: str
    """Word for word, as it stands in the message."""
    listed: bool = False
    """Whether it stands in a list under a heading that says these are rules."""

    @property
    def plain(self) -> bool:
        """Whether it may be the person's own, so that it holds in the session."""
        return self.voice is not Voice.FOREIGN

    @property
    def own(self) -> bool:
        """Whether it is surely the person's own."""
        return self.voice is Voice.OWN


def sentences(message: str, pasted: Ranges | None = None) -> list[Sentence]:
    """Split a message into its sentences, in their order; questions are left out.

    ``pasted``: what of it was pasted, which is left out; none: nobody said, and its looks decide.
    """
    if pasted is not None:
        return list(_with_ranges(message, pasted))
    pieces = list(pieces_of(blanked(message)))
    return list(_said(pieces, voices_of(message, pieces)))


def sentences_around_code(message: str, pasted: Ranges | None = None) -> list[Sentence]:
    """Split a message likewise, but for its one block of code, which ends where its fence does.

    What stands around it is judged as a message without it would be. Two fences or more may be
    those of a page that was pasted, and whose words then stand between them is not known.
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
    """Tell whether something in it was pasted, or may have been where nobody said."""
    if pasted is not None:
        return bool(pasted)
    if is_document(message) or pasted_from(message) is not None:
        return True
    pieces = list(pieces_of(blanked(message)))
    return any(voice is not Voice.OWN for voice in voices_of(message, pieces))


def _with_ranges(message: str, pasted: Ranges) -> Iterator[Sentence]:
    """Yield what was typed; a sentence that goes on in a paste is nobody's word.

    What begins in one is no sentence of the message.
    """
    own = message
    for start, end in pasted:
        if end - start > LONGEST_WORD_PASTED or _BLOCK.search(message, start, end):
            own = own[:start] + "\n" * (end - start) + own[end:]
    own = blanked(own)
    pieces = [
        piece
        for piece in pieces_of(own)
        if not any(start <= piece.start < end for start, end in pasted)
    ]
    yield from _said(pieces, [_typed_voice(piece, pasted) for piece in pieces])


def _typed_voice(piece: Piece, pasted: Ranges) -> Voice:
    mixed = any(start < piece.end and end > piece.start for start, end in pasted)
    return Voice.FOREIGN if mixed or is_reported(piece.text) else Voice.OWN


def _said(pieces: list[Piece], voices: list[Voice]) -> Iterator[Sentence]:
    listed = False
    for piece, voice in zip(pieces, voices, strict=True):
        listed = HEADING.match(piece.text) is not None or (listed and piece.bulleted)
        if not piece.question:
            yield Sentence(piece.text, voice, piece.raw, listed)
