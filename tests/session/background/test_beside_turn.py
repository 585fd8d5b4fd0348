"""The summary that is written beside the turn, from the warning mark on."""

import asyncio
from dataclasses import replace

import pytest

from builders import exchange, user
from plimsoll.context.log.entries import Edited, ItemState, Replace, Stage
from plimsoll.context.pipeline.proposal import Proposal
from plimsoll.context.pipeline.settings import PipelineSettings, PruningSettings
from plimsoll.context.stages.compact import covered_groups
from plimsoll.context.view.ledger import violations
from plimsoll.context.view.request_messages import render
from plimsoll.session.background.beside_turn import SummaryBeside
from plimsoll.session.background.between_turns import IdleWatch, compact_in
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.session.reduction.items import evict, restore
from plimsoll.session.reduction.undoing import newest_edit, undo
from plimsoll.session.state.cost import cost_rows
from plimsoll.session.state.notes import failures_in_a_row
from session.laws.test_no_progress import at_once, rested
from session.reduction.compaction_rig import GOOD, Rig, rig
from session.reduction.test_compacting_meanwhile import Gated, gated

DONE = [{"text": "Done."}] * 30
FULL = 0.89
"""The share at which the compact mark is reached without the last result, which is new."""


async def beside(tmp_path, *steps, chat=DONE, **settings) -> Rig:
    """A session whose summariser may write beside its turns; 3,000 words are effective."""
    return await rig(tmp_path, *steps, chat=chat, **{"at_mark": "model", **settings})


def writer(own: Rig) -> SummaryBeside:
    found = own.session.state.load.ahead_of_mark
    assert isinstance(found, SummaryBeside)
    return found


async def turn(own: Rig, text: str = "go on") -> None:
    await own.session.prompt([PromptText(text)])
    await own.session.wait()


async def filled(own: Rig, share: float) -> None:
    """Let the load come to a share of what a request may use."""
    number = 100 * len(own.session.state.log.fold.entries) + 1
    if not own.session.state.log.fold.groups:
        await own.said(user("u0", "Repair the build. Never touch the tests.", "t0"))
    while own.session.state.log.fold.view.tokens < share * own.session.state.model.budget.effective:
        await own.said(*exchange(number, f"line {number} " + "word " * 90))
        number += 1


def reductions(own: Rig) -> list[Edited]:
    return [entry for entry in own.session.state.log.fold.entries if isinstance(entry, Edited)]


async def written(tmp_path, *steps, **settings) -> Rig:
    """A session past the warning mark whose summary is there."""
    own = await beside(tmp_path, *(steps or ({"text": GOOD},)), **settings)
    await filled(own, 0.77)
    await turn(own)
    await writer(own).settle()
    assert writer(own).ready is not None
    assert reductions(own) == []
    return own


async def test_it_is_written_from_the_warning_mark_on_and_swapped_in_at_the_compact_mark(tmp_path):
    own = await written(tmp_path)
    await filled(own, FULL)
    await turn(own)
    (edit,) = reductions(own)
    assert (edit.stage, edit.model) == (Stage.COMPACT, "scripted/utility")
    assert "reached the compact mark" in edit.why
    assert edit.spent > 0
    assert edit.before - edit.after >= 0.05 * 3_000
    shown = dict(own.view())[edit.id]
    assert GOOD in shown
    assert "Never touch the tests." in shown
    assert len(own.utility.requests) == 1


async def test_the_turn_does_not_wait_for_a_slow_model_and_the_digest_serves(tmp_path):
    """A summary takes 20 s or more; nothing here lets it end before the turns have."""
    gate = Gated()
    own = await beside(tmp_path, gated(), gate=gate)
    await filled(own, 0.77)
    await turn(own)
    await gate.reached.wait()
    await filled(own, FULL)
    await turn(own)
    assert [edit.stage for edit in reductions(own)] == [Stage.DIGEST]
    await turn(own)
    # What it was to cover is covered by the digest now: it is void, and given up.
    await writer(own).settle()
    assert writer(own).ready is None
    assert not gate.opened.is_set()


async def test_it_comes_in_the_middle_of_a_long_turn(tmp_path):
    """One prompt and many calls: written while some run, in its place before a later request."""
    wrote = asyncio.Event()
    look = [{"calls": [{"name": "grep", "arguments": {"pattern": "x"}}]}] * 6
    own = await beside(tmp_path, {"text": GOOD}, chat=[*look, *DONE])
    await filled(own, 0.77)
    original = own.session.state.append

    async def after(*entries):
        """Each result brings what it found, once the summary has been written."""
        await original(*entries)
        await writer(own).settle()
        wrote.set()

    own.session.state.append = after
    await turn(own, "look " + "word " * 300)
    assert wrote.is_set()
    (edit,) = reductions(own)
    assert edit.stage is Stage.COMPACT
    assert len({entry.turn for entry in own.session.state.log.fold.groups[-1].said}) == 1


@pytest.mark.parametrize(
    "settings", [{"at_mark": "digest"}, {"auto": False}], ids=["digest", "automatic is off"]
)
async def test_it_is_not_written_where_the_settings_say_so(tmp_path, settings):
    own = await beside(tmp_path, {"text": GOOD}, **settings)
    await filled(own, 0.77)
    await turn(own)
    await writer(own).settle()
    assert own.utility.requests == []


async def test_nor_below_the_warning_mark(tmp_path):
    own = await beside(tmp_path, {"text": GOOD})
    await filled(own, 0.65)
    await turn(own)
    await writer(own).settle()
    assert own.utility.requests == []


async def test_nor_by_a_model_that_writes_no_prose(tmp_path):
    own = await beside(tmp_path, {"text": GOOD})
    own.shelf.utility = replace(own.shelf.utility, id="embedded/search")
    await filled(own, FULL)
    await turn(own)
    assert own.utility.requests == []
    assert [edit.stage for edit in reductions(own)] == [Stage.DIGEST]
    assert own.notices == []


async def test_a_postponed_compaction_stays_put_off(tmp_path):
    own = await written(tmp_path, {"text": GOOD}, {"text": GOOD})
    await own.session.postpone(3)
    await filled(own, FULL)
    await turn(own)
    assert reductions(own) == []
    await own.session.postpone(0)
    await turn(own)
    assert [edit.stage for edit in reductions(own)] == [Stage.COMPACT]
    assert len(own.utility.requests) == 1


async def moved_by_eviction(own: Rig) -> None:
    await evict(own.session.state, [covered(own)])


async def moved_by_restoring(own: Rig) -> None:
    await restore(own.session.state, [covered(own)])


async def moved_by_undo(own: Rig) -> None:
    await undo(own.session.state, newest_edit(own.session.state.log.fold))


async def moved_by_rewind(own: Rig) -> None:
    await own.session.rewind("u0")


def covered(own: Rig) -> str:
    """A result that the summary tells."""
    ready = writer(own).ready
    assert ready is not None
    said = next(each for group in ready.covers for each in group.said if each.role.value == "tool")
    return f"{said.id}.0"


@pytest.mark.parametrize(
    "move", [moved_by_eviction, moved_by_restoring, moved_by_rewind], ids=lambda move: move.__name__
)
async def test_it_is_void_once_what_it_covers_has_moved_and_is_written_anew(tmp_path, move):
    again = {"text": GOOD.replace("once more", "a second time")}
    own = await written(tmp_path, {"text": GOOD}, again)
    await move(own)
    await filled(own, 0.77)
    await turn(own)
    await writer(own).settle()
    assert len(own.utility.requests) == 2
    await filled(own, FULL)
    await turn(own)
    shown = "".join(text for _, text in own.view())
    assert "a second time" in shown
    assert "once more" not in shown


async def test_an_undone_eviction_makes_it_void_too(tmp_path):
    own = await beside(tmp_path, {"text": GOOD}, {"text": GOOD})
    await filled(own, 0.77)
    _, *others = own.session.state.log.fold.groups
    await evict(own.session.state, [f"{others[0].said[1].id}.0"])
    await turn(own)
    await writer(own).settle()
    await filled(own, FULL)
    await moved_by_undo(own)
    await own.session.prompt([PromptText("go on")])
    await own.session.wait()
    assert [edit.stage for edit in reductions(own)] == [Stage.EVICT, Stage.DIGEST]


async def test_what_a_rewind_makes_the_last_word_of_the_person_is_not_covered(tmp_path):
    own = await beside(tmp_path, {"text": GOOD})
    await filled(own, 0.3)
    await own.said(user("u1", "Now the tests, please.", "t1"))
    await filled(own, 0.77)
    newest = own.session.state.log.fold.groups[-1].said[-1].id
    await turn(own)
    await writer(own).settle()
    ready = writer(own).ready
    assert ready is not None
    assert "u1" in {each.id for each in ready.covers}
    await own.session.rewind(newest)
    assert covered_groups(own.session.state.load.next_request, ready.covers) is None


async def test_what_stands_beside_it_is_of_the_moment_at_which_it_comes(tmp_path):
    own = await written(tmp_path)
    await own.session.set_mode("plan")
    await filled(own, FULL)
    await turn(own)
    (edit,) = reductions(own)
    assert "- mode: plan" in dict(own.view())[edit.id]


async def test_what_was_pruned_meanwhile_makes_it_no_less_true(tmp_path):
    own = await written(tmp_path)
    fold = own.session.state.log.fold
    assert writer(own).ready is not None
    ops = (Replace(covered(own), "[Old output cleared]", ItemState.PRUNED),)
    await own.session.state.apply(Proposal(stage=Stage.PRUNE, why="a test", ops=ops))
    await filled(own, FULL)
    await turn(own)
    assert [edit.stage for edit in fold.edits.values()] == [Stage.PRUNE, Stage.COMPACT]


async def test_undoing_it_brings_all_back(tmp_path):
    own = await written(tmp_path, window=4_000)
    before = own.view()
    await filled(own, FULL)
    full = dict(own.view())
    await turn(own)
    assert dict(own.view()) != full
    await undo(own.session.state, newest_edit(own.session.state.log.fold))
    assert {item: full[item] for item, _ in before} == dict(before)


async def test_it_runs_once_at_a_time_and_a_person_who_asks_takes_its_place(tmp_path):
    gate = Gated()
    own = await beside(tmp_path, gated(), {"text": GOOD}, gate=gate)
    await filled(own, 0.77)
    await turn(own)
    await gate.reached.wait()
    await turn(own)
    assert len(own.utility.requests) == 1
    assert (await compact_in(own.session)).stage is Stage.COMPACT
    assert len(own.utility.requests) == 2
    assert not writer(own)._busy
    assert failures_in_a_row(own.session.state.log.fold.entries) == 0


async def test_the_quiet_time_uses_what_was_written(tmp_path):
    own = await written(tmp_path, idle_seconds=240)
    watch = IdleWatch(own.session, at_once)
    await rested(watch)
    assert [edit.stage for edit in reductions(own)] == [Stage.COMPACT]
    assert [edit.why for edit in reductions(own)] == ["the editor was quiet"]
    assert len(own.utility.requests) == 1


async def test_what_stands_beside_it_in_the_quiet_is_of_that_moment_too(tmp_path):
    own = await written(tmp_path, idle_seconds=240)
    await own.session.set_mode("plan")
    await rested(IdleWatch(own.session, at_once))
    (edit,) = reductions(own)
    assert "- mode: plan" in dict(own.view())[edit.id]


async def test_it_ends_with_the_session(tmp_path):
    gate = Gated()
    own = await beside(tmp_path, gated(), gate=gate)
    await filled(own, 0.77)
    await turn(own)
    await gate.reached.wait()
    task = writer(own)._writing
    await own.session.close()
    assert task is not None
    assert task.cancelled()
    assert own.session.state.load.ahead_of_mark.ready is None


async def test_it_ends_when_the_turn_is_stopped_by_the_person(tmp_path):
    gate = Gated()
    own = await beside(tmp_path, gated(), gate=gate, chat=[{"error": "hang"}])
    await filled(own, 0.77)
    await own.session.prompt([PromptText("go on")])
    await gate.reached.wait()
    task = writer(own)._writing
    await own.session.cancel()
    assert task is not None
    assert task.cancelled()


async def test_a_deleted_session_leaves_nothing_that_writes(tmp_path):
    gate = Gated()
    own = await beside(tmp_path, gated(), gate=gate)
    await filled(own, 0.77)
    await turn(own)
    await gate.reached.wait()
    task = writer(own)._writing
    await own.project.delete(own.session.id)
    assert task is not None
    assert task.cancelled()


async def test_failures_open_the_breaker_and_are_told(tmp_path):
    own = await beside(tmp_path, *[{"text": ""}] * 20)
    for _ in range(4):
        await filled(own, 0.77)
        await turn(own)
        await writer(own).settle()
    assert len(own.utility.requests) == 3
    assert failures_in_a_row(own.session.state.log.fold.entries) == 3
    assert len([notice for notice in own.notices if "summary failed: the summary" in notice]) == 2
    await filled(own, FULL)
    await turn(own)
    assert [edit.stage for edit in reductions(own)] == [Stage.DIGEST]
    assert len(own.utility.requests) == 3


async def test_a_success_starts_the_count_again(tmp_path):
    own = await beside(tmp_path, {"text": ""}, {"text": GOOD})
    await filled(own, 0.77)
    await turn(own)
    await writer(own).settle()
    assert writer(own).ready is not None
    assert failures_in_a_row(own.session.state.log.fold.entries) == 0


async def test_what_it_costs_is_counted_as_compaction(tmp_path):
    own = await written(tmp_path, {"text": GOOD, "usage": {"input": 900, "output": 20}})
    rows = {
        (row.purpose, row.model): row.input for row in cost_rows(own.session.state.log.fold.entries)
    }
    assert rows["compaction", "scripted/utility"] == 900


async def test_what_happens_at_the_mark_is_told_once(tmp_path):
    own = await written(tmp_path, *[{"text": GOOD}] * 9)
    for _ in range(3):
        await filled(own, FULL)
        await turn(own)
        await filled(own, 0.77)
        await turn(own)
        await writer(own).settle()
    told = [n for n in own.heard(NoticeGiven) if "summarised its older part" in n.markdown]
    assert len([e for e in reductions(own) if e.stage is Stage.COMPACT]) >= 2
    assert len(told) == 1
    assert told[0].turn is not None


async def test_every_request_with_it_is_valid(tmp_path):
    own = await written(tmp_path, pipeline=PipelineSettings(pruning=PruningSettings(enabled=True)))
    await filled(own, FULL)
    await turn(own)
    fold = own.session.state.log.fold
    assert violations(render(fold.view), fold.pins.values(), 0, 1) == ()


async def test_a_restart_forgets_it(tmp_path):
    own = await written(tmp_path)
    await own.session.close()
    own.project.live.clear()
    again = await own.project.load(own.session.id)
    assert again.state.load.next_request.written is None
