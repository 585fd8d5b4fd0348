"""A rule that another one ended holds again, and its words come back into view."""

from dataclasses import replace

import pytest

from builders import user
from plimsoll.context.log.entries import Origin
from plimsoll.errors import NotFound
from plimsoll.session.reduction.items import evict
from plimsoll.session.reduction.rules import restore_rule, rules_of
from session.reduction.compaction_rig import Rig, rig

OLD, NEW = "Use snake_case for class names.", "From now on use CamelCase for class names."


async def held(tmp_path, *texts: str) -> Rig:
    own = await rig(tmp_path)
    spoken = (user(f"u{number}", text) for number, text in enumerate(texts or (OLD, NEW), 1))
    await own.said(*(replace(said, origin=Origin.PERSON) for said in spoken))
    return own


def holding(own: Rig) -> list[tuple[str, str | None]]:
    return [(rule.text, rule.ended_by) for rule in rules_of(own.session.state.log.indexes)]


async def test_what_stands_in_view_holds_again_and_nothing_else_changes(tmp_path):
    own = await held(tmp_path)
    assert holding(own) == [(NEW, None), (OLD, NEW)]
    before = own.view()
    assert (await restore_rule(own.session.state, 1)).text == OLD
    assert holding(own) == [(OLD, None), (NEW, None)]
    assert own.view() == before


async def test_what_has_left_the_view_comes_back_into_it(tmp_path):
    own = await held(tmp_path)
    before = own.view()
    await evict(own.session.state, ["u1.0"])
    assert OLD not in str(own.view())
    await restore_rule(own.session.state, 1)
    assert own.view() == before


async def test_one_that_holds_cannot_come_back(tmp_path):
    own = await held(tmp_path)
    with pytest.raises(NotFound, match="No rule of number 2 was ended"):
        await restore_rule(own.session.state, 2)


async def test_a_rule_comes_back_by_its_number_among_others(tmp_path):
    first, last = "Always run the tests first.", "Never push to main."
    own = await held(tmp_path, first, OLD, last, NEW)
    assert holding(own)[-1] == (OLD, NEW)
    kept = await restore_rule(own.session.state, 2)
    assert (kept.number, kept.text, kept.message) == (2, OLD, "u2")
    assert holding(own) == [(text, None) for text in (first, OLD, last, NEW)]
