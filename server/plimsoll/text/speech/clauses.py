"""Splits rules that follow a colon in one sentence: "Two things: always …; never …"."""

import re
from collections.abc import Iterator

from plimsoll.text.speech.lead_ins import is_small_talk, leads_in
from plimsoll.text.speech.voices import parts_of_line

_APART = re.compile(r"\s*[;\uff1b]\s*(?:and\s+|und\s+)?")


def clauses_behind(sentence: str) -> Iterator[str]:
    """Yield the clauses after words that announce rules, split at semicolons."""
    split = parts_of_line(sentence)
    if split is None or not (leads_in(split[0]) or is_small_talk(split[0])):
        return
    yield from (clause for clause in _APART.split(split[1]) if clause)
