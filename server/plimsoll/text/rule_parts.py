"""Splits a rule into subject and values, by which rules are compared.

"Start variable names with 'z_'" has the subject how variable names start, and the value 'z_'. Two
rules that differ only in one value are about the same thing, and the later one applies. Words after
"for" or "in" beside such a value belong to the subject: "use tabs in JSON" and "use tabs in YAML"
are two rules.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from plimsoll.text import rule_words as words
from plimsoll.text.terms import content_words


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleParts:
    """A rule split into subject and values."""

    about: frozenset[str]
    """The stems of all words but the values, with words of time and the kind of bound."""
    scope: frozenset[str]
    """Those stems that are after "for" or "in"."""
    values: Mapping[str, frozenset[str]]
    """The values by kind: a number, a spelling, a quoted text, a word of a small set."""
    single: bool
    """Whether there can be only one value: a name has one beginning, but several decorators."""
    bounded: bool
    """Whether it sets a bound, so that two numbers for the same contradict each other."""
    adds: bool
    """Whether it says that it adds to others: "also", "as well"."""


@dataclass(frozen=True, slots=True)
class _Value:
    kind: str
    text: str
    start: int
    end: int


def parts_of(sentence: str) -> RuleParts:
    """Split a rule into its parts."""
    core = " ".join(words.FRAME.sub(" ", sentence).split())
    found = list(_values(core))
    scoped = [each for each in found if _is_scope(core, each)]
    told = [each for each in found if each not in scoped] or found
    bare = _without(core, told)
    named = words.UPPER.sub(" ", words.LOWER.sub(" ", bare))
    kinds = {each.kind for each in told}
    return RuleParts(
        about=subject_of(named) | _relations(bare),
        scope=frozenset[str]().union(*(subject_of(each[1]) for each in words.SCOPE.findall(bare))),
        values=MappingProxyType(
            {kind: frozenset(each.text for each in told if each.kind == kind) for kind in kinds}
        ),
        single=_is_single(core, told),
        bounded=words.LOWER.search(core) is not None or words.UPPER.search(core) is not None,
        adds=words.ADDS.search(core) is not None,
    )


def differ_in_value(new: RuleParts, old: RuleParts, *, corrects: bool = False) -> bool:
    """Tell whether two rules are about the same thing with different values of one kind.

    If two kinds changed at once, one of them may be the subject. A rule that says it ``corrects``
    may name less of the subject, which may then have several values.
    """
    if new.adds or old.adds or not (new.about <= old.about if corrects else new.about == old.about):
        return False
    shared = new.values.keys() & old.values.keys()
    changed = {kind for kind in shared if new.values[kind] != old.values[kind]}
    return len(changed) == 1 and (corrects or new.single or changed.isdisjoint(words.OPEN))


def same_parts(new: RuleParts, old: RuleParts) -> bool:
    """Tell whether two rules have the same subject and values."""
    return new.about == old.about and new.values == old.values


def subject_of(text: str) -> frozenset[str]:
    """Return the stems of the words that name the subject of a text."""
    text = words.UNSPACED_ORDER.sub(" ", text)
    found = (word for word in content_words(text) if not words.EMPTY.match(word))
    stems = map(stem_of, found)
    return frozenset(_SAME.get(stem, stem) for stem in stems)


def stem_of(word: str) -> str:
    """Return a word without its inflectional endings."""
    for suffix in ("ing", "en", "ed", "es", "s", "e"):
        if word.endswith(suffix) and len(word) - len(suffix) >= 3 and not word.endswith("ss"):
            stem = word.removesuffix(suffix)
            doubled = suffix in {"ing", "ed"} and stem[-1] == stem[-2]
            return stem[:-1] if doubled else stem
    return word


_SAME = {stem_of(each): of for of, row in words.SYNONYMS.items() for each in row.split()}
_KIND_OF = {stem_of(word): kind for kind, row in words.KINDS.items() for word in row.split()}


def kind_of(stem: str) -> str | None:
    """Return the kind of values to which a word belongs; numbers are one of the kinds."""
    return "number" if stem.isdecimal() else _KIND_OF.get(stem)


def _values(core: str) -> Iterator[_Value]:
    """Yield the values in a sentence in order, without values inside of other values."""
    end = 0
    for found in words.VALUE.finditer(core):
        value = _value(found)
        if value is not None and value.start >= end:
            end = value.end
            yield value


def _value(found: re.Match[str]) -> _Value | None:
    kind = str(found.lastgroup)
    text, start, end = found[kind], found.start(kind), found.end(kind)
    if kind == "word":
        stem = stem_of(text.lower())
        named = _KIND_OF.get(stem)
        return None if named is None else _Value(named, stem, start, end)
    if kind == "unspaced":
        return _Value(words.UNSPACED_KINDS[text], text, start, end)
    if kind == "count":
        return _Value("number", words.COUNTS[text.lower()], start, end)
    if kind in {"role", "purpose"}:
        named = kind_of(stem_of(text.lower())) if kind == "purpose" else None
        if named is not None:
            return _Value(named, stem_of(text.lower()), start, end)
        return _Value("name", text.strip("'\"`").lower(), start, end)
    if kind == "spelling":
        text = re.sub(r"[\s_-]", "", text).lower()
    return _Value(kind, text, start, end)


def _is_scope(core: str, value: _Value) -> bool:
    """Tell whether a value is after "for" or "in", or before a Japanese particle for it."""
    return bool(
        words.SCOPE_BEFORE.search(core[: value.start])
        or words.SCOPE_BEHIND.match(core[value.end :])
    )


def _is_single(core: str, values: list[_Value]) -> bool:
    """Tell whether a rule, by its words, sets a property that has only one value at a time."""
    if any(value.text.strip("'\"`").startswith("@") for value in values):
        return False
    return words.SINGLE.search(_without(core, values, "\ue000")) is not None


def _without(core: str, values: list[_Value], mark: str = " ") -> str:
    """Replace each value in a rule by a mark."""
    for value in reversed(values):
        core = f"{core[: value.start]}{mark}{core[value.end :]}"
    return core


def _relations(bare: str) -> frozenset[str]:
    """Return a rule's relation words, such as when it applies or which bound it sets."""
    found = {each.lower() for each in words.RELATION.findall(bare)}
    bounds = ("\u2264", words.UPPER), ("\u2265", words.LOWER)
    return frozenset(found | {sign for sign, pattern in bounds if pattern.search(bare)})
