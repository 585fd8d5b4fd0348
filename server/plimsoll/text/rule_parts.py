"""What a rule is about and what it says of it: the two parts by which rules are compared.

"Start variable names with 'z_'" is about how variable names start, and 'z_' is its value. Two rules
with equal parts but for one value speak of the same thing, and the later one is meant. What stands
behind "for" or "in" beside such a value belongs to what the rule is about: "use tabs in JSON" and
"use tabs in YAML" are two rules.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from plimsoll.text import rule_words as words
from plimsoll.text.terms import content_words


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleParts:
    """A rule in its two parts."""

    about: frozenset[str]
    """The stems of all that is no value, with the words that say when, and which bound is meant."""
    scope: frozenset[str]
    """Those of them that stand behind "for" or "in"."""
    values: Mapping[str, frozenset[str]]
    """The values by their kind: a number, a spelling, a text in quotes, one word of a few."""
    single: bool
    """A text or a name in it is the only one: a name has one beginning, but several decorators."""
    bounded: bool
    """It sets a bound, so that two numbers for the same cannot both be meant, forbidden or not."""
    adds: bool
    """It says of itself that it holds beside others: "also", "as well"."""


@dataclass(frozen=True, slots=True)
class _Value:
    kind: str
    text: str
    start: int
    end: int


def parts_of(sentence: str) -> RuleParts:
    """Take a rule apart."""
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
    """Tell whether two rules speak of the same thing and of one kind of value give another.

    Where two kinds changed at once, one of them may be what the rule is about. What says of itself
    that it ``corrects`` may name less of it, and needs not be of what can have one value alone.
    """
    if new.adds or old.adds or not (new.about <= old.about if corrects else new.about == old.about):
        return False
    shared = new.values.keys() & old.values.keys()
    changed = {kind for kind in shared if new.values[kind] != old.values[kind]}
    return len(changed) == 1 and (corrects or new.single or changed.isdisjoint(words.OPEN))


def same_parts(new: RuleParts, old: RuleParts) -> bool:
    """Tell whether two rules say the same of the same thing."""
    return new.about == old.about and new.values == old.values


def subject_of(text: str) -> frozenset[str]:
    """Return the stems of what a text is about."""
    text = words.UNSPACED_ORDER.sub(" ", text)
    found = (word for word in content_words(text) if not words.EMPTY.match(word))
    stems = map(stem_of, found)
    return frozenset(_SAME.get(stem, stem) for stem in stems)


def stem_of(word: str) -> str:
    """Return a word without the endings that turn with its place in a sentence."""
    for suffix in ("ing", "en", "ed", "es", "s", "e"):
        if word.endswith(suffix) and len(word) - len(suffix) >= 3 and not word.endswith("ss"):
            stem = word.removesuffix(suffix)
            doubled = suffix in {"ing", "ed"} and stem[-1] == stem[-2]
            return stem[:-1] if doubled else stem
    return word


_SAME = {stem_of(each): of for of, row in words.SYNONYMS.items() for each in row.split()}
_KIND_OF = {stem_of(word): kind for kind, row in words.KINDS.items() for word in row.split()}


def kind_of(stem: str) -> str | None:
    """Return the kind of which a word can take another's place; numbers are one."""
    return "number" if stem.isdecimal() else _KIND_OF.get(stem)


def _values(core: str) -> Iterator[_Value]:
    """Yield the values of a sentence in their order, none of them inside another."""
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
    """Tell whether a value stands behind "for" or "in", or before the particle that says so."""
    return bool(
        words.SCOPE_BEFORE.search(core[: value.start])
        or words.SCOPE_BEHIND.match(core[value.end :])
    )


def _is_single(core: str, values: list[_Value]) -> bool:
    """Tell whether it is about what can have one value alone; of decorators there can be many."""
    if any(value.text.strip("'\"`").startswith("@") for value in values):
        return False
    return words.SINGLE.search(_without(core, values, "\ue000")) is not None


def _without(core: str, values: list[_Value], mark: str = " ") -> str:
    """Put a mark in the place of each value."""
    for value in reversed(values):
        core = f"{core[: value.start]}{mark}{core[value.end :]}"
    return core


def _relations(bare: str) -> frozenset[str]:
    """Return the words that say when something holds, and on which side of a bound."""
    found = {each.lower() for each in words.RELATION.findall(bare)}
    bounds = ("\u2264", words.UPPER), ("\u2265", words.LOWER)
    return frozenset(found | {sign for sign, pattern in bounds if pattern.search(bare)})
