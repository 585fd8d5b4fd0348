"""Which instructions of a conversation hold: each ends what it replaces, unless a note says not."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from builders import user
from examples import examples
from plimsoll.context.index.instructions import EndedInstruction, InstructionIndex
from plimsoll.context.log.entries import Noted, Origin, Said
from plimsoll.context.log.messages import canonical
from plimsoll.context.log.notes import KEPT_RULE

CASES = ("snake_case", "CamelCase", "kebab-case", "UPPERCASE")
THINGS = ("class", "function", "method", "file")


def said(number: int, text: str) -> Said:
    return replace(user(f"u{number}", text), origin=Origin.PERSON)


def rule(thing: str, case: str) -> str:
    return f"From now on use {case} for {thing} names."


def kept(message: str, text: str, by: str, by_message: str) -> Noted:
    data = canonical({"text": text, "by": by, "byMessage": by_message})
    return Noted(id=f"n{message}{by_message}", at="1", what=KEPT_RULE, item=message, data=data)


def test_what_ended_is_known_with_its_number_and_the_words_that_ended_it():
    texts = (rule("class", "snake_case"), "Never push.", rule("class", "CamelCase"))
    found = InstructionIndex().in_force([said(n, text) for n, text in enumerate(texts)])
    assert [(each.number, each.text) for each in found.standing] == [(2, texts[1]), (3, texts[2])]
    ended = EndedInstruction(text=texts[0], message="u0", number=1, by=texts[2], by_message="u2")
    assert found.endings == (ended,)
    assert found.ended == {texts[0]}


def test_a_kept_rule_stands_until_another_one_ends_it():
    index = InstructionIndex()
    old, new = rule("class", "snake_case"), rule("class", "CamelCase")
    log = [said(0, old), said(1, new)]
    index.in_force(log)
    index.read_note(kept("u0", old, new, "u1"))
    found = index.in_force(log)
    assert [each.text for each in found.standing] == [old, new]
    assert found.endings == ()
    log.append(said(2, rule("class", "kebab-case")))
    assert [each.text for each in index.in_force(log).standing] == [rule("class", "kebab-case")]


def test_a_note_that_does_not_parse_keeps_nothing():
    index = InstructionIndex()
    index.read_note(Noted(id="n1", at="1", what=KEPT_RULE, item="u0", data='{"text": 1}'))
    log = [said(0, rule("class", "snake_case")), said(1, rule("class", "CamelCase"))]
    assert len(index.in_force(log).standing) == 1


SAYINGS = st.lists(
    st.tuples(st.sampled_from(THINGS), st.sampled_from(CASES)), min_size=1, max_size=20
)


@settings(max_examples=examples(100))
@given(SAYINGS, st.randoms(use_true_random=False))
def test_of_each_thing_the_newest_holds_however_the_others_lie_between(sayings, draw):
    log = [said(n, rule(*each)) for n, each in enumerate(sayings)]
    newest = {rule(*each) for each in dict(sayings).items()}
    found = InstructionIndex().in_force(log)
    assert {each.text for each in found.standing} == newest
    # Things moved against each other, each with its own order kept: the same holds.
    order = [thing for thing, _ in sayings]
    draw.shuffle(order)
    rest = {thing: [case for own, case in sayings if own == thing] for thing in THINGS}
    moved = [(thing, rest[thing].pop(0)) for thing in order]
    again = InstructionIndex().in_force([said(n, rule(*each)) for n, each in enumerate(moved)])
    assert {each.text for each in again.standing} == newest
