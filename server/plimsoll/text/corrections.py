"""Finds sentences by which a person corrects what was done or understood, by words alone."""

import re
from collections.abc import Iterator

from plimsoll.text.instruction_words import CORRECTION
from plimsoll.text.instructions import LONGEST
from plimsoll.text.sentences import Sentence, sentences_around_code
from plimsoll.text.speech.pasted import Ranges
from plimsoll.text.terms import content_words

_CORRECTS = re.compile(
    r"""
    ^\W*(?:please\s+)?(?:no|nope|wrong|incorrect|undo|revert|roll\s+back|take\s+(?:that|it)\s+back)\b(?!\s+longer)
    | \b(?:that|this|it)(?:\s+(?:is|was)|'s)?\s+(?:still\s+)?
      (?:not\s+(?:right|correct|true|what\s+i)|wrong|incorrect|false|a\s+mistake|the\s+wrong)\b
    | \b(?:isn't|wasn't)\s+(?:right|correct|true|what\s+i)\b
    | \byou\s+(?:misread|misunderstood|mistook|forgot|missed|mixed\s+up|confused|broke
      |should(?:n't|\s+not|\s+never)?\s+have|were\s+(?:supposed|meant)\s+to)\b
    | \bi\s+(?:meant|said|told\s+you|asked\s+(?:you\s+)?for|never\s+(?:said|asked))\b
    | \b(?:is|are|was|were|be|means?)\s+[^,.;]{1,80},?\s+not\s+\S
    | \bnot\s+[^,.;]{1,60},?\s+but\s+\S
    | \bfalsch\b|\bstimmt\s+(?:so\s+)?nicht\b|\bich\s+(?:meinte|sagte)\b
    | \bnicht\s+[^.;]{1,60},?\s+sondern\b|\bnicht\s+richtig\b|\bmach\s+das\s+rückgängig\b
    | \bc'est\s+faux\b|\bje\s+voulais\s+dire\b|\bestá\s+mal\b|\bquise\s+decir\b|\bme\s+refería\b
    | \bestá\s+errado\b|\bquis\s+dizer\b|\bè\s+sbagliato\b|\bintendevo\b|\bik\s+bedoelde\b
    | \bneen?,\s|\b(?: неправильно | неверно )\b
    | 違い?ます|違う|ではなく|じゃなく|間違|不对|不對|错了|錯了|不是.{1,30}而是|我是说|아니라|틀렸
    """,
    re.IGNORECASE | re.VERBOSE,
)


def is_correction(sentence: str) -> bool:
    """Tell whether a sentence corrects something that the agent said or did."""
    return bool(CORRECTION.search(sentence) or _CORRECTS.search(sentence))


def corrections_in(text: str, pasted: Ranges | None = None) -> Iterator[str]:
    """Yield the corrections in a message word for word, a lone "No." with the next sentence.

    Questions, code and pasted text correct nothing.

    ``pasted``: the ranges of pasted text; None if unknown.
    """
    said = sentences_around_code(text, pasted)
    found = [each for each in said if each.plain and each.raw in text]
    taken = -1
    for number, each in enumerate(found):
        if number <= taken or len(each.raw) > LONGEST or not is_correction(each.raw):
            continue
        taken = number
        while _says_too_little(found[number : taken + 1]) and taken + 1 < len(found):
            taken += 1
        start = text.index(each.raw)
        end = text.find(found[taken].raw, start) + len(found[taken].raw)
        yield text[start:end]


def _says_too_little(said: list[Sentence]) -> bool:
    return sum(len(content_words(each.raw)) for each in said) < 2
