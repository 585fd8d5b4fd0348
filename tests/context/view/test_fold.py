"""The laws of the fold, over random logs."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import AT, LEDGER, conversation, edited, exchange, system, user
from context.logs import logs
from examples import examples
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Cover, Edited, Stage, Undone
from plimsoll.context.view.fold import Fold, view_of
from plimsoll.context.view.ledger import Ledger, violations
from plimsoll.context.view.request_messages import render

MANY = settings(max_examples=examples(120))


@MANY
@given(logs())
def test_growing_and_folding_anew_give_the_same_view(entries):
    fold = Fold(LEDGER)
    for entry in entries:
        fold.append(entry)
        assert fold.view == view_of(fold.entries, LEDGER)


@MANY
@given(logs(), st.data())
def test_another_ledger_in_place_gives_the_view_and_names_of_folding_anew(entries, data):
    fold, ledgers = Fold(LEDGER), (LEDGER, Ledger(len))
    indexes = Indexes(fold)
    for entry in entries:
        fold.append(entry)
        if data.draw(st.booleans()):
            ledger = data.draw(st.sampled_from(ledgers))
            fold.reprice(ledger)
            anew = Fold(ledger, fold.entries)
            assert (fold.view, fold.rendered_groups()) == (anew.view, anew.rendered_groups())
            assert indexes.name_counts_in_view() == Indexes(anew).name_counts_in_view()


def test_another_ledger_renders_nothing_again():
    covered, standing = conversation(3), exchange(9, "What stands.")
    fold = Fold(LEDGER, [*covered, *standing])
    fold.append(edited("e1", Cover(tuple(group.id for group in fold.groups[:2]), "short")))
    before, lines = fold.rendered_groups(), fold.view.lines
    fold.reprice(Ledger(len))
    assert fold.view.tokens > sum(line.tokens for line in lines)
    assert all(
        now.messages is then.messages for now, then in zip(fold.view.lines, lines, strict=True)
    )
    assert [now is then for now, then in zip(fold.rendered_groups(), before, strict=True)].count(
        True
    ) == 1


@MANY
@given(logs())
def test_the_ledger_sums_exactly(entries):
    view = view_of(entries, LEDGER)
    assert view.tokens == sum(shown.tokens for shown in view.items())
    assert view.tokens == sum(view.by_slot.values())
    items = [shown.item for shown in view.items()]
    assert len(items) == len(set(items))


@MANY
@given(logs())
def test_pairs_are_whole_and_pins_present(entries):
    fold = Fold(LEDGER, entries)
    found = violations(render(fold.view), fold.pins.values(), 0, 1)
    assert not [each for each in found if each.law in {"pairing", "pins"}]


@MANY
@given(logs(), st.data())
def test_undo_leaves_what_would_be_without_the_edit(entries, data):
    edits = [entry for entry in entries if isinstance(entry, Edited)]
    if not edits:
        return
    target = data.draw(st.sampled_from(edits))
    undone = view_of([*entries, Undone("last", AT, target.id)], LEDGER)
    without = [entry for entry in entries if entry is not target]
    assert undone == view_of(without, LEDGER)


@MANY
@given(logs())
def test_supposing_an_edit_changes_nothing(entries):
    fold = Fold(LEDGER, entries)
    before = fold.view
    groups = tuple(group.id for group in fold.groups)
    edit = edited("trial", Cover(groups, "short"))
    with fold.trial_edit(edit) as view:
        assert view == view_of([*entries, edit], LEDGER)
    assert fold.view == before == view_of(entries, LEDGER)
    assert tuple(line for group in fold.rendered_groups() for line in group.lines) == before.lines


def state_of(indexes: Indexes):
    """All that a fold and its indexes answer, in the order in which they answer."""
    fold = indexes.fold
    return (
        fold.view,
        fold.rendered_groups(),
        [*fold.edits.items()],
        {item: [*stack] for item, stack in fold.forms.items()},
        [(group.id, [*group.covers], {*group.hidden}) for group in fold.groups],
        dict(indexes.name_counts_in_view()),
        {*fold.shielded},
        [fold.name_of(shown) for shown in fold.view.items()],
    )


@MANY
@given(logs(40), logs(5))
def test_without_an_edit_the_view_is_that_of_its_undo_and_the_fold_stays(entries, later):
    fold = Fold(LEDGER, entries)
    indexes = Indexes(fold)
    before = state_of(indexes)
    for name in [*fold.edits]:
        left = [entry for entry in entries if entry.id != name]
        with fold.trial_undo(name) as view:
            assert view == view_of([*entries, Undone("last", AT, name)], LEDGER)
            assert view == view_of(left, LEDGER)
            anew = Fold(LEDGER, left)
            assert indexes.name_counts_in_view() == Indexes(anew).name_counts_in_view()
        assert state_of(indexes) == before
    known = {entry.id for entry in entries}
    fold.extend(entry for entry in later if entry.id not in known)
    assert fold.view == view_of(fold.entries, LEDGER)


@MANY
@given(logs(), st.data())
def test_an_edit_is_supposed_while_another_is_left_out(entries, data):
    indexes = Indexes(Fold(LEDGER, entries))
    fold = indexes.fold
    if not fold.edits:
        return
    before, name = state_of(indexes), data.draw(st.sampled_from([*fold.edits]))
    groups = tuple(group.id for group in fold.groups)
    trial = edited("trial", Cover(groups, "short"))
    with fold.trial_undo(name) as outer:
        with fold.trial_edit(trial) as view:
            assert view == view_of([*entries, Undone("x", AT, name), trial], LEDGER)
        assert fold.view == outer
    assert state_of(indexes) == before


def test_the_log_does_not_grow_while_an_edit_is_left_out():
    edit = edited("e1", Cover(("u1",), "short"))
    fold = Fold(LEDGER, [user("u1", "do it"), edit])
    with fold.trial_undo("e1"), pytest.raises(AssertionError, match="may not grow"):
        fold.append(user("u2", "and this"))


@MANY
@given(logs())
def test_what_is_settled_is_never_behind_the_log(entries):
    fold = Fold(LEDGER)
    for entry in entries:
        fold.append(entry)
        rendered = tuple(line for group in fold.rendered_groups() for line in group.lines)
        assert fold.view.lines[len(fold.view.lines) - len(rendered) :] == rendered


def test_the_log_does_not_grow_while_an_edit_is_supposed():
    fold = Fold(LEDGER, [system(), user("u1", "do it")])
    edit = edited("trial", Cover(("u1",), "short"))
    with fold.trial_edit(edit), pytest.raises(AssertionError, match="may not grow"):
        fold.append(user("u2", "and this"))
    assert fold.view == view_of([system(), user("u1", "do it")], LEDGER)


@MANY
@given(logs(), logs(5))
def test_an_edit_between_can_be_supposed_and_then_happen(entries, later):
    fold = Fold(LEDGER, entries)
    groups = tuple(group.id for group in fold.groups)
    with fold.trial_edit(edited("trial", Cover(groups, None), stage=Stage.PRUNE)):
        pass
    known = {entry.id for entry in entries}
    fold.extend(entry for entry in later if entry.id not in known)
    assert fold.view == view_of(fold.entries, LEDGER)


@MANY
@given(logs(), logs(5), st.data())
def test_what_is_supposed_again_is_the_same_view_until_the_log_grows(entries, later, data):
    indexes = Indexes(Fold(LEDGER, entries))
    fold = indexes.fold
    before, groups = state_of(indexes), tuple(group.id for group in fold.groups)
    stages = st.sampled_from([Stage.PRUNE, Stage.COMPACT, Stage.EVICT])
    outer = edited("pending.0", Cover(groups[::2], "short"), stage=data.draw(stages))
    inner = edited("pending.1", Cover(groups[1:], None), stage=data.draw(stages))
    found = []
    for _ in range(2):
        with fold.trial_edit(outer) as view, fold.trial_edit(inner) as both:
            assert both == view_of([*entries, outer, inner], LEDGER)
            found.append((view, both, state_of(indexes)))
        assert state_of(indexes) == before
    (view, both, state), again = found
    assert (again[0] is view, again[1] is both, again[2]) == (True, True, state)
    with fold.trial_edit(inner) as alone:
        assert alone == view_of([*entries, inner], LEDGER)
    with fold.trial_edit(replace(outer, ops=inner.ops)) as other:
        assert other == view_of([*entries, replace(outer, ops=inner.ops)], LEDGER)
    known = {entry.id for entry in entries}
    fold.extend(entry for entry in later if entry.id not in known)
    with fold.trial_edit(outer) as view:
        assert view == view_of([*fold.entries, outer], LEDGER)
    fold.reprice(Ledger(len))
    with fold.trial_edit(outer) as view:
        assert view == view_of([*fold.entries, outer], Ledger(len))
