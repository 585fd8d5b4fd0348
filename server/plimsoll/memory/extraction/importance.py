"""Scores the importance of a statement by its words and by how it was said. Pure.

A first guess, which a person can change. Words that are not the person's own never raise it: a file
that calls itself important does not become so.
"""

import re

from plimsoll.memory.types import LEAST_IMPORTANT, MOST_IMPORTANT, USUAL_IMPORTANCE

MOST_REPEATED = 2
"""The most that repetition adds."""
_STRONG = re.compile(
    r"\b(?:must(?:n'?t)?|never|always|important|critical|crucial|essential|mandatory"
    r"|(?:in|under) no case|under no circumstances|without exception|at all costs"
    r"|immer|nie|niemals|muss|müssen|wichtig|unbedingt|auf keinen fall"
    r"|toujours|jamais|il faut|siempre|nunca)\b"
    r"|必ず|絶対|決して|重要|常に|必须|千万|重要",
    re.IGNORECASE,
)
_WEAK = re.compile(
    r"\b(?:maybe|perhaps|possibly|if possible|where possible|ideally|sometimes|occasionally|a bit"
    r"|would be nice|nice to have|not important|unimportant|i guess|i think"
    r"|for now|for the moment|today|at the moment|temporarily|currently"
    r"|vielleicht|manchmal|wenn möglich|eventuell|vorerst|peut-être|parfois|quizás|a veces)\b"
    r"|できれば|たぶん|とりあえず|今のところ|也许|暂时",
    re.IGNORECASE,
)


def importance_of(
    text: str, *, own: bool, asked: bool = False, corrects: bool = False, times: int = 1
) -> int:
    """Score a statement from 1 to 5; 3 is the default.

    One more each for strong words ("never", "important"), and for what the person asked to have
    remembered or corrected the agent by; one for each further time that they said it, up to two;
    one less for weak or passing words ("maybe", "for now"). ``own``: the words are the person's.
    """
    weak = _WEAK.search(text) is not None
    strong = _STRONG.search(_WEAK.sub(" ", text)) is not None
    score = USUAL_IMPORTANCE + strong - weak + (asked or corrects)
    score = raise_importance(score, times - 1)
    return max(LEAST_IMPORTANT, score if own else min(score, USUAL_IMPORTANCE))


def raise_importance(importance: int, times: int) -> int:
    """Raise an importance by the number of repetitions."""
    return min(MOST_IMPORTANT, importance + min(times, MOST_REPEATED))
