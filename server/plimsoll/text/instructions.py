"""What a person wants from now on, told from what they want once; and which of it a later one ends.

By words alone, without a model: a sentence too much costs a line, a rule that is missed is broken.
Where it is not sure that one sentence ends another, both stay, in the order they were said in.
"""

from dataclasses import dataclass

from plimsoll.text import instruction_words as said_by
from plimsoll.text.similarity import said_words, say_the_same
from plimsoll.text.terms import content_words

LONGEST = 600
"""Characters; a longer sentence is no rule that anybody typed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """A sentence by which a person wants something to hold from now on."""

    text: str
    """Word for word."""
    subject: frozenset[str]
    """The stems of what it is about."""
    action: frozenset[str]
    """Those of them that are no condition: not "before each commit"."""
    denies: bool
    """It says what shall not be; of a permission, that something need not be."""
    general: int
    """2: it says so ("always", "every"); 1: it names no place; 0: it speaks of one thing."""
    corrects: bool = False
    """It says that something said before is otherwise."""
    permits: bool = False
    withdraws: bool = False
    rejected: frozenset[str] = frozenset()
    """What it says is not wanted: of "spaces, not tabs" the tabs."""
    passing: bool = False
    """It holds for a while only, and ends no other."""
    tentative: bool = False
    """A correction that is an instruction only where it corrects one: "actually, in spec/"."""


def instruction_in(sentence: str, *, under_rules: bool = False) -> Instruction | None:
    """Read a sentence as a standing instruction; none where it asks for something once, or tells.

    ``under_rules``: it stands in a list whose heading says that these are rules.
    """
    if len(sentence) > LONGEST or not content_words(sentence):
        return None
    withdrawn = _withdrawn(sentence)
    releases = bool(said_by.RELEASE.search(sentence))
    permits = withdrawn is None and (releases or bool(said_by.PERMISSION.search(sentence)))
    corrects = bool(said_by.CORRECTION.search(sentence))
    told = under_rules or withdrawn is not None or permits or _is_rule(sentence)
    if not told and not corrects:
        return None
    rejected = (subject_of(found["what"]) for found in said_by.REJECTED.finditer(sentence))
    denies = bool(said_by.DENIAL.search(said_by.REJECTED.sub("", sentence)))
    return Instruction(
        text=sentence,
        subject=subject_of(sentence if withdrawn is None else withdrawn),
        action=subject_of(said_by.CONDITION.sub("", sentence)),
        denies=releases if permits else denies,
        general=2 if said_by.GENERAL.search(sentence) else int(not said_by.PLACE.search(sentence)),
        corrects=corrects,
        permits=permits,
        withdraws=withdrawn is not None,
        rejected=frozenset[str]().union(*rejected),
        passing=bool(said_by.PASSING.search(sentence)),
        tentative=not told and not _names_a_choice(sentence),
    )


def _is_rule(sentence: str) -> bool:
    if said_by.EVER.search(sentence):
        return True
    return bool(said_by.CUSTOM.search(sentence)) and not said_by.TASK.search(sentence)


def _names_a_choice(sentence: str) -> bool:
    """Tell whether a correction says nothing but what is wanted: "no, spaces instead"."""
    subject = subject_of(sentence)
    return 0 < len(subject) <= 2 and any(_kind(stem) is not None for stem in subject)


def _withdrawn(sentence: str) -> str | None:
    """Return what a sentence takes back; none where it takes nothing back that it names."""
    found = said_by.WITHDRAWAL.search(sentence) if said_by.OF_EARLIER.search(sentence) else None
    what = next((part for part in found.groups() if part), "") if found else ""
    return what if subject_of(what) else None


def subject_of(text: str) -> frozenset[str]:
    """Return the stems of what a sentence is about."""
    words = (word for word in content_words(text) if not said_by.EMPTY.match(word))
    return frozenset(_stem(word) for word in words)


def _stem(word: str) -> str:
    for suffix in ("ing", "ed", "es", "s", "e"):
        if word.endswith(suffix) and len(word) - len(suffix) >= 3 and not word.endswith("ss"):
            stem = word.removesuffix(suffix)
            return stem[:-1] if suffix in {"ing", "ed"} and stem[-1] == stem[-2] else stem
    return word


_KIND_OF = {_stem(word): kind for kind, of in enumerate(said_by.KINDS) for word in of.split()}
_NUMBER = len(said_by.KINDS)


def _kind(stem: str) -> int | None:
    """Return the kind of which a word can take another's place; numbers are one."""
    return _NUMBER if stem.isdecimal() else _KIND_OF.get(stem)


def replaces(new: Instruction, old: Instruction) -> bool:
    """Tell whether what was said later ends what was said before; only where that is sure."""
    if new.passing or old.withdraws:
        return False
    if new.withdraws:
        return bool(new.subject) and new.subject <= old.subject
    if new.permits:
        return old.denies != new.denies and not old.permits and _same_action(new, old)
    return (
        _rejects(new, old)
        or _says_again(new, old)
        or _turns(new, old)
        or _chooses_otherwise(new, old)
        or _corrects(new, old)
    )


def _same_action(new: Instruction, old: Instruction) -> bool:
    return bool(new.action) and new.action in {old.action, old.subject}


def _says_again(new: Instruction, old: Instruction) -> bool:
    """Tell whether it says the same once more, so that the words said last are enough."""
    if new.text == old.text:
        return True
    same = say_the_same(said_words(new.text), said_words(old.text))
    return same and new.permits == old.permits


def _rejects(new: Instruction, old: Instruction) -> bool:
    """Tell whether it says that what was wanted is not: "spaces, not tabs" behind "use tabs"."""
    if old.denies or not new.rejected or not new.rejected <= old.subject - old.rejected:
        return False
    chosen = {stem for stem in new.subject if _kind(stem) is not None}
    return _rest(new.subject, new.rejected | chosen) <= _rest(old.subject, new.rejected)


def _rest(subject: frozenset[str], taken: frozenset[str] | set[str]) -> frozenset[str]:
    return frozenset(subject - taken)


def _turns(new: Instruction, old: Instruction) -> bool:
    """Tell whether it says the opposite of the same."""
    if new.denies == old.denies or not new.subject:
        return False
    return new.subject == old.subject or (new.corrects and new.subject <= old.subject)


def _chooses_otherwise(new: Instruction, old: Instruction) -> bool:
    """Tell whether one word or number took the place of another of its kind."""
    if new.denies or old.denies:
        return False
    chosen = {kind: stem for stem in new.subject if (kind := _kind(stem)) is not None}
    before = {kind: stem for stem in old.subject if (kind := _kind(stem)) in chosen}
    changed = [kind for kind, stem in before.items() if stem not in new.subject]
    if not changed:
        return False
    rest = _rest(new.subject, set(chosen.values()))
    stood = _rest(old.subject, set(before.values()))
    return rest == stood or (new.corrects and rest <= stood)


def _corrects(new: Instruction, old: Instruction) -> bool:
    """Tell whether a correction speaks of the same: two stems and half of them, or all of one."""
    if not new.corrects or new.denies or old.denies:
        return False
    shared, least = new.subject & old.subject, min(len(new.subject), len(old.subject))
    return bool(shared) and len(shared) >= min(2, least) and 2 * len(shared) >= least
