"""Guesses whose words the pieces of a message are if the client did not report pastes.

By position and form. A single sentence is its writer's, and so is a list of rules under their own
heading; of several sentences it is unknown, and text after, before or in any sign of a paste is not
theirs.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum

from plimsoll.text.instructions import instruction_in
from plimsoll.text.speech.lead_ins import (
    announces_rules,
    hands_over,
    is_small_talk,
    leads_in,
    refers_back,
)
from plimsoll.text.speech.marks import is_document, pasted_from
from plimsoll.text.speech.pieces import Piece

PLAIN_CHARACTERS = 1_500
PLAIN_LINES = 20
"""A longer message has pasted parts, whose author is unknown."""


class Voice(StrEnum):
    """Whose words a piece of a message is: the person's own, unsure or foreign."""

    OWN = "own"
    """The person's, as far as can be told."""
    UNSURE = "unsure"
    """Either the person's or pasted."""
    FOREIGN = "foreign"
    """Somebody else's, or of unknown origin."""


_STRENGTH = {Voice.FOREIGN: 0, Voice.UNSURE: 1, Voice.OWN: 2}
_REPORT = re.compile(
    r"\b(?:says?|said|reads?|states?|stated|claims?|writes|wrote|quotes?|according to|it was told"
    r"|(?:they|people|docs?|authors?|guides?) write"
    r"|sagte?|schreibt|schrieb|meinte?|behauptet|laut|dit|écrit|dice|escribe|scrive|diz)\b"
    r"[^.!?]{0,30}[:,\"'\u201c\u201e\u00ab\u300c\uff1a]|(?:によると|と言って|と書いて|说[:\uff1a]|写道)",
    re.IGNORECASE,
)
_QUOTES = re.compile(
    r"\"[^\"]*\"|\u201c[^\u201d]*\u201d|\u201e[^\u201c\u201d]*[\u201c\u201d]|\u00ab[^\u00bb]*\u00bb"
    r"|\u00bb[^\u00ab]*\u00ab|\u2039[^\u203a]*\u203a|\u300c[^\u300d]*\u300d|\u300e[^\u300f]*\u300f"
    r"|\u300a[^\u300b]*\u300b|\u3008[^\u3009]*\u3009|(?<!\w)'[^']*'(?!\w)"
    r"|(?<!\w)\u2018[^\u2019]*\u2019(?!\w)"
)
_OPENS = re.compile(
    '["\u201c\u201e\u201d\u00ab\u00bb\u2039\u203a\u300c\u300e\u300a\u3008\u301d\uff02]'
)
_FIRST = re.compile("^[\"'`\u2018\u201a\u201b\u2032\uff07]")
_LONGEST_REQUEST = 160
"""Characters of a request about the text before it."""
_QUOTED_WORDS = 4
"""A quotation of so many words is a statement; in scripts without spaces, twice as many
characters."""
_HEAD = re.compile(
    r"^(?P<head>.+?)(?P<mark>(?<!\d)[:\uff1a\ufe55](?=\s|$|[\u3000-\u9fff])|\s*[:\uff1a]\s|\uff1a"
    r"|\s(?:[-\u2013\u2014\u2015]+>?|=>|->|\u2192|\u21d2|\u27a1\ufe0f?|\u27a4|\u25b6\ufe0f?|\u00bb)(?=\s|$)"
    r"|\s*[\u2014\u2015\u2192\u21d2\u27a1\u2b07\u2193\U0001f447\U0001f4e7\U0001f4e8\U0001f4e9\u2709"
    r"\U0001f4c4\U0001f4dd\U0001f4ce\U0001f4cb]\ufe0f?)\s*(?P<tail>.*)$"
)
_DROPS_OFF = re.compile(r"(?:\.\.\.|\u2026|[,;])$")


def parts_of_line(text: str) -> tuple[str, str] | None:
    """Split a sentence at its first colon, dash or arrow; None if it has none."""
    found = _HEAD.match(text)
    return (found["head"].strip(), found["tail"].strip()) if found else None


def is_reported(text: str) -> bool:
    """Tell whether a sentence reports the words of others."""
    return _REPORT.search(text) is not None or _opens_quote(text)


def _opens_quote(text: str) -> bool:
    """Tell whether a sentence opens a quotation without an end, or is one as a whole."""
    rest = _QUOTES.sub("", text)
    if _OPENS.search(rest):
        return True
    quoted = _QUOTES.match(text)
    if quoted is None:
        return _FIRST.match(text) is not None and not text.startswith("`")
    return _says_something(quoted[0]) or not re.search(r"\w", text[quoted.end() :])


def _says_something(quoted: str) -> bool:
    words = quoted[1:-1].split()
    dense = sum(each > "\u2fff" for each in quoted)
    return len(words) >= _QUOTED_WORDS or dense > 2 * _QUOTED_WORDS


def is_short(message: str) -> bool:
    """Tell whether a message is as short as typed ones are."""
    return len(message) <= PLAIN_CHARACTERS and message.count("\n") < PLAIN_LINES


def voices_of(message: str, pieces: Sequence[Piece]) -> list[Voice]:
    """Return the voice of each piece of a message: whose words it is."""
    if not is_short(message) or is_document(message):
        return [Voice.FOREIGN] * len(pieces)
    begins = pasted_from(message)
    found = list(_falling(pieces))
    if begins is not None:
        found = [
            Voice.FOREIGN if piece.end > begins else _weaker(voice, Voice.UNSURE)
            for piece, voice in zip(pieces, found, strict=True)
        ]
    if _takes_up_what_stands_before(pieces):
        return [*[Voice.FOREIGN] * (len(pieces) - 1), Voice.UNSURE]
    sure = begins is None and (_is_alone(pieces) or _is_list_of_rules(pieces))
    return found if sure else [_weaker(each, Voice.UNSURE) for each in found]


def _weaker(one: Voice, other: Voice) -> Voice:
    return min(one, other, key=_STRENGTH.__getitem__)


def _falling(pieces: Sequence[Piece]) -> Iterator[Voice]:
    """Yield the voice of each piece; after a doubtful piece all others are doubtful too."""
    limit = Voice.OWN
    for piece in pieces:
        own, behind = _most(piece)
        yield _weaker(limit, own)
        limit = _weaker(limit, behind)


def _most(piece: Piece) -> tuple[Voice, Voice]:
    """Return the most trusted voice that a piece can have, and the one for the pieces after it."""
    text = piece.text
    if is_reported(text):
        return Voice.FOREIGN, Voice.FOREIGN
    split = parts_of_line(text)
    if split is not None and split[1]:
        own = _of_two_parts(split[0])
        return own, own
    if split is not None:
        return Voice.OWN, _behind_a_mark(split[0], piece)
    handed = hands_over(text)
    if handed and (piece.ends_line or piece.question or _DROPS_OFF.search(text)):
        return Voice.OWN, Voice.FOREIGN
    if any(map(_says_something, _QUOTES.findall(text))):
        return (Voice.FOREIGN if handed else Voice.UNSURE), Voice.UNSURE
    return Voice.OWN, Voice.OWN


def _of_two_parts(head: str) -> Voice:
    """Return the voice of a sentence that continues after a colon, a dash or an arrow."""
    if leads_in(head) or is_small_talk(head):
        return Voice.OWN
    if hands_over(head):
        return Voice.FOREIGN
    return Voice.OWN if instruction_in(head) is not None else Voice.UNSURE


def _behind_a_mark(head: str, piece: Piece) -> Voice:
    """Return the voice of the text after a line that ends in a colon, a dash or an arrow."""
    if leads_in(head) or is_small_talk(head):
        return Voice.OWN
    return Voice.FOREIGN if piece.ends_paragraph or hands_over(head) else Voice.UNSURE


def _takes_up_what_stands_before(pieces: Sequence[Piece]) -> bool:
    """Tell whether the end of a message asks for something to be done with the text before it."""
    if len(pieces) < 2:
        return False
    before, last = pieces[-2], pieces[-1]
    if len(last.text) > _LONGEST_REQUEST:
        return False
    behind = before.ends_paragraph or (before.ends_line and last.question)
    return hands_over(last.text) and (behind or refers_back(last.text))


def _is_alone(pieces: Sequence[Piece]) -> bool:
    """Tell whether a message has only one sentence, apart from small talk."""
    saying = [each for each in pieces if not is_small_talk(each.text)]
    return len(saying) < 2 and not any(each.bulleted for each in saying)


def _is_list_of_rules(pieces: Sequence[Piece]) -> bool:
    """Tell whether a message is only a list of rules under or after its own heading."""
    saying = [each for each in pieces if not is_small_talk(each.text)]
    if not saying:
        return False
    split = parts_of_line(saying[0].text)
    if split is None:
        return False
    if split[1]:
        # "Two things: …" and what stands in the same paragraph.
        return announces_rules(split[0]) and not any(each.ends_line for each in saying[:-1])
    items = saying[1:]
    return leads_in(split[0]) and bool(items) and _are_items(items)


def _are_items(pieces: Sequence[Piece]) -> bool:
    """Tell whether each line begins with a list mark."""
    begins = [True, *(each.ends_line for each in pieces[:-1])]
    return all(piece.bulleted or not first for piece, first in zip(pieces, begins, strict=True))
