"""The words of memories and questions, with names split and unspaced scripts cut in pairs."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from unicodedata import normalize

LONGEST_QUESTION = 4_000
"""Characters of a question that are read; the rest is an attachment."""
MOST_TERMS = 64
"""The most terms of a question, in order."""

STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
    a about after all also am an and any are as at be because been before being but by can
    could did do does doing done down during each few for from further had has have having he her
    here hers him his how i if in into is it its itself just let like may me might more most must
    my of off on once one only or other our ours out over own please same shall she should so some
    such than that the their theirs them then there these they this those through to too under
    until up upon us very was we were what when where which while who whom whose why will with
    within without would you your yours
    """,
    )
)
"""Words without meaning of their own; negations are not among them."""

_FAMILIES = """
    analysis analyses / axis axes / basis bases / be been was were / become became
    begin began begun / break broke broken / bring brought / build built / buy bought
    catch caught / child children / choose chose chosen / come came / crisis crises
    criterion criteria / deal dealt / diagnosis diagnoses / draw drew drawn / drink drank drunk
    drive drove driven / eat ate eaten / fall fell fallen / feed fed / feel felt / fight fought
    find found / fly flew flown / foot feet / forget forgot forgotten / freeze froze frozen
    get got gotten / give gave given / go went gone / goose geese / grow grew grown / half halves
    hang hung / hear heard / hide hid hidden / hold held / hypothesis hypotheses / index indices
    keep kept / knife knives / know knew known / lead led / leaf leaves / leave left / lend lent
    life lives / light lit / lose lost / make made / man men / matrix matrices / mean meant
    meet met / mouse mice / pay paid / person people / ride rode ridden / ring rang rung
    rise rose risen / run ran / say said / see saw seen / seek sought / sell sold / send sent
    shake shook shaken / shelf shelves / shoot shot / shrink shrank shrunk / sing sang sung
    sink sank sunk / sleep slept / speak spoke spoken / spend spent / stand stood
    steal stole stolen / stick stuck / strike struck / swear swore sworn / swim swam swum
    take took taken / teach taught / tear tore torn / tell told / think thought
    throw threw thrown / tooth teeth / understand understood / vertex vertices / wake woke woken
    wear wore worn / wife wives / win won / wolf wolves / woman women / write wrote written
"""
"""Irregular forms of English words, which stemming does not unite."""

_SHORTEST_COMPOUND = 5
_BEFORE_MENT = re.compile(r"([a-z]+[aeiou]y)(?:s|ed|ing|ments?)?")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_NAME = re.compile(r"\w+(?:[./\\:-]+\w+)*")
_CASES = re.compile(
    r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+",
)
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]+"
)
"""Thai, Lao, Burmese, Khmer, Japanese, Chinese and Korean."""


def fold(text: str) -> str:
    """Fold a text for comparison: compatibility forms resolved, case removed."""
    return text.lower() if text.isascii() else normalize("NFKC", text).casefold()


def words(text: str) -> list[str]:
    """Return all words of a text, folded, in order; unspaced scripts are cut in pairs."""
    text = fold(text).replace("\u2019", "'")
    found = [word.removesuffix("'s") for word in _WORD.findall(text)]
    if text.isascii():
        return found
    return [part for word in found for part in (pairs(word) if _UNSPACED.search(word) else [word])]


def content_words(text: str) -> list[str]:
    """Return the content words of a text, including negations."""
    return [word for word in words(text) if word not in STOP_WORDS]


def search_terms(question: str) -> list[str]:
    """Return the search terms of a question, without repetition, in order."""
    question = question[:LONGEST_QUESTION]
    found = dict.fromkeys(word for word in content_words(question) if _searchable(word))
    for name in names(question):
        found.update(dict.fromkeys(split_name(name)))
    return list(found)[:MOST_TERMS]


def related_terms(question: str) -> list[str]:
    """Return further forms of a question's terms: irregular forms, compounds."""
    row = words(question[:LONGEST_QUESTION])
    meaning = [word for word in row if word not in STOP_WORDS]
    forms = (form for word in meaning for form in (*_FORMS.get(word, ()), *_around_ment(word)))
    found = dict.fromkeys([*forms, *_compounds(row)])
    return list(found)[:MOST_TERMS]


def named_in(question: str) -> frozenset[str]:
    """Return the folded words that a question writes as names: of persons, things, code."""
    question = question[:LONGEST_QUESTION]
    capital = (word for word in _WORD.findall(question) if word[0].isupper())
    said = [*capital, *names(question)]
    return frozenset(word for name in said for word in words(name) if word not in STOP_WORDS)


def _around_ment(word: str) -> Iterator[str]:
    """Yield verb and noun of ``deploy``, ``deployed``, ``deployment``: two stems by Porter.

    Porter turns a y after a vowel into an i, but not the one left after "ment" is removed.
    """
    found = _BEFORE_MENT.fullmatch(word)
    if found is not None:
        yield from (each for each in (found[1], f"{found[1]}ment") if each != word)


def _compounds(row: Sequence[str]) -> Iterator[str]:
    """Yield each two neighbouring words as one, for questions that write ``file name``."""
    for first, second in pairwise(row):
        both = first + second
        if (
            first not in STOP_WORDS
            and both.isascii()
            and both.isalpha()
            and len(both) >= _SHORTEST_COMPOUND
        ):
            yield both


def helper_words(text: str) -> str:
    """Return further words to index with a text: parts of names, pairs of unspaced scripts."""
    found: dict[str, None] = {}
    for name in names(text):
        found.update(dict.fromkeys(split_name(name)))
    for run in _UNSPACED.finditer(fold(text)):
        found.update(dict.fromkeys(pairs(run[0])))
    return " ".join(found)


def names(text: str) -> Iterator[str]:
    """Yield identifiers and paths that consist of several words."""
    return (name for name in _NAME.findall(text) if len(_CASES.findall(name)) > 1)


def split_name(name: str) -> list[str]:
    """Split a name into words: ``openProvider``, ``open_provider``, ``open/provider``."""
    parts = (fold(part) for part in _CASES.findall(name) if not _UNSPACED.search(part))
    return [part for part in parts if _searchable(part) and part not in STOP_WORDS]


def has_all(text: str, words: Iterable[str]) -> bool:
    """Tell whether all of these case-folded words occur in a text, even as parts of others."""
    whole = text.casefold()
    return all(word in whole for word in words)


def pairs(run: str) -> list[str]:
    """List all pairs of neighbouring characters; a single one is listed itself."""
    return [run[index : index + 2] for index in range(len(run) - 1)] or [run]


def _searchable(word: str) -> bool:
    return len(word) > 1 or not word.isascii()


def _irregular_forms() -> Mapping[str, tuple[str, ...]]:
    forms: dict[str, tuple[str, ...]] = {}
    for family in re.split(r"/|\n", _FAMILIES):
        members = tuple(family.split())
        forms |= {word: tuple(other for other in members if other != word) for word in members}
    return forms


_FORMS = _irregular_forms()
"""The irregular forms of a folded word, without itself."""
