"""Recognises standing instructions of a person, and which of them a later one ends.

By words alone, without a model: a sentence too many costs a line, a missed rule is broken. If it is
not certain that one ends another, both stay, in the order they were said in.
"""

from dataclasses import dataclass

from plimsoll.text import conversation_words as told_by
from plimsoll.text import instruction_words as said_by
from plimsoll.text.rule_parts import (
    RuleParts,
    differ_in_value,
    kind_of,
    parts_of,
    same_parts,
    subject_of,
)
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
    """The stems of the words that it is about."""
    action: frozenset[str]
    """Those stems that are not in a condition such as "before each commit"."""
    parts: RuleParts
    denies: bool
    """Whether it forbids something; for a permission, whether it releases from something."""
    general: int
    """2: explicitly general ("always", "every"); 1: names no place; 0: about one thing."""
    corrects: bool = False
    """Whether it corrects something said before."""
    permits: bool = False
    withdraws: bool = False
    rejected: frozenset[str] = frozenset()
    """The stems of what it rejects: the tabs in "spaces, not tabs"."""
    passing: bool = False
    """Whether it holds only for a while, so that it ends no other."""
    tentative: bool = False
    """Whether it is an instruction only if it corrects one: "actually, in spec/"."""
    doubted: bool = False
    """Whether it may have been pasted, so that it ends none that was typed for certain."""


def instruction_in(sentence: str, *, under_rules: bool = False) -> Instruction | None:
    """Parse a sentence as a standing instruction; None for a single request or a statement.

    ``under_rules``: the sentence is in a list under a heading that announces rules.
    """
    if len(sentence) > LONGEST or not content_words(sentence):
        return None
    withdrawn = _withdrawn_text(sentence)
    asked = _classify_order(sentence)
    if asked != _NOTHING:
        # What only keeps a conversation going is looked for where there is something to find.
        asked = _classify_order(told_by.TALK.sub(" ", sentence))
    permits = withdrawn is None and asked.permits
    corrects = bool(said_by.CORRECTION.search(sentence))
    told = under_rules or withdrawn is not None or permits or asked.rules
    if not told and not corrects:
        return None
    rejected = (subject_of(found["what"]) for found in said_by.REJECTED.finditer(sentence))
    denies = bool(said_by.DENIAL.search(said_by.REJECTED.sub("", sentence)))
    return Instruction(
        text=sentence,
        subject=subject_of(sentence if withdrawn is None else withdrawn),
        action=subject_of(said_by.CONDITION.sub("", sentence)),
        parts=parts_of(sentence),
        denies=asked.releases if permits else denies,
        general=2 if said_by.GENERAL.search(sentence) else int(not said_by.PLACE.search(sentence)),
        corrects=corrects,
        permits=permits,
        withdraws=withdrawn is not None,
        rejected=frozenset[str]().union(*rejected),
        passing=bool(said_by.PASSING.search(sentence)),
        tentative=not told and not _names_a_choice(sentence),
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """The kind of order that a sentence gives, by its form."""

    rules: bool = False
    permits: bool = False
    releases: bool = False


_NOTHING = _Asked()


def _classify_order(sentence: str) -> _Asked:
    releases = bool(said_by.RELEASE.search(sentence))
    permits = releases or bool(said_by.PERMISSION.search(sentence))
    return _Asked(_is_rule(sentence), permits, releases)


def _is_rule(sentence: str) -> bool:
    if said_by.EVER.search(sentence):
        return True
    task = said_by.TASK.search(sentence) is not None
    if not task and _orders_in_general(sentence):
        return True
    if told_by.TELLS.search(sentence):
        return False
    return bool(said_by.ORDERED.search(sentence) or (not task and said_by.CUSTOM.search(sentence)))


def _orders_in_general(sentence: str) -> bool:
    """Tell whether a sentence mentions in passing a rule for all things of a kind."""
    if not told_by.ORDER.search(sentence) or told_by.ONCE.search(sentence):
        return False
    general = told_by.DEFINITE.sub(" ", sentence)
    whom = told_by.GENERAL_THING.search(general) or told_by.HABIT.search(sentence)
    if whom is None:
        return False
    parts = parts_of(sentence)
    said = parts.values.get("literal", frozenset()) | parts.values.get("spelling", frozenset())
    return any(" " not in value for value in said)


def _names_a_choice(sentence: str) -> bool:
    """Tell whether a correction names only the wanted alternative: "no, spaces instead"."""
    subject = subject_of(sentence)
    return 0 < len(subject) <= 2 and any(kind_of(stem) is not None for stem in subject)


def _withdrawn_text(sentence: str) -> str | None:
    """Return the text of the instruction that a sentence withdraws; None if it names none."""
    found = said_by.WITHDRAWAL.search(sentence) if said_by.OF_EARLIER.search(sentence) else None
    what = next((part for part in found.groups() if part), "") if found else ""
    return what if subject_of(what) else None


def replaces(new: Instruction, old: Instruction) -> bool:
    """Tell whether a later instruction certainly ends an earlier one."""
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
        or _gives_another_value(new, old)
        or _corrects(new, old)
    )


def _same_action(new: Instruction, old: Instruction) -> bool:
    return bool(new.action) and new.action in {old.action, old.subject}


def _says_again(new: Instruction, old: Instruction) -> bool:
    """Tell whether an instruction repeats an earlier one, so that its words are enough."""
    if new.text == old.text:
        return True
    same = same_parts(new.parts, old.parts) and new.permits == old.permits
    return same and say_the_same(said_words(new.text), said_words(old.text))


def _rejects(new: Instruction, old: Instruction) -> bool:
    """Tell whether an instruction rejects another's value: "spaces, not tabs" for "use tabs"."""
    if old.denies or not new.rejected or not new.rejected <= old.subject - old.rejected:
        return False
    chosen = {stem for stem in new.subject if kind_of(stem) is not None}
    return _rest(new.subject, new.rejected | chosen) <= _rest(old.subject, new.rejected)


def _rest(subject: frozenset[str], taken: frozenset[str] | set[str]) -> frozenset[str]:
    return frozenset(subject - taken)


def _turns(new: Instruction, old: Instruction) -> bool:
    """Tell whether an instruction says the opposite of an earlier one about the same subject."""
    if new.denies == old.denies or not new.subject:
        return False
    same = new.subject == old.subject and same_parts(new.parts, old.parts)
    return same or (new.corrects and new.subject <= old.subject)


def _gives_another_value(new: Instruction, old: Instruction) -> bool:
    """Tell whether an instruction gives another value than an earlier one for the same subject."""
    if new.denies != old.denies or (new.denies and not _both_bound(new, old)):
        return False
    return differ_in_value(new.parts, old.parts, corrects=new.corrects)


def _both_bound(new: Instruction, old: Instruction) -> bool:
    return new.parts.bounded and old.parts.bounded


def _corrects(new: Instruction, old: Instruction) -> bool:
    """Tell whether a correction shares enough words of its subject with an earlier instruction."""
    if not new.corrects or new.denies or old.denies or _differ_in_scope(new.parts, old.parts):
        return False
    shared, least = new.subject & old.subject, min(len(new.subject), len(old.subject))
    return bool(shared) and len(shared) >= min(2, least) and 2 * len(shared) >= least


def _differ_in_scope(new: RuleParts, old: RuleParts) -> bool:
    return bool(new.scope) and bool(old.scope) and new.scope != old.scope
