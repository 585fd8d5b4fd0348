"""A session as its tools see it: search in the whole log, tasks, and letting go."""

from dataclasses import replace

import pytest

from builders import assistant, exchange, result, user
from plimsoll.context.log.entries import Edited, ItemState, Replace, Slot, Stage, TaskItem
from plimsoll.context.log.messages import Part, PartKind, Source
from plimsoll.errors import NotUndoable, ToolFailed
from plimsoll.session.background.between_turns import compact_in
from plimsoll.session.ports.events import TasksChanged
from plimsoll.session.reduction.inspection import explain
from plimsoll.session.reduction.items import evict, restore
from plimsoll.session.reduction.undoing import undo
from plimsoll.session.turn.tool_context import ToolContext
from plimsoll.text.first_words import first_words
from session.reduction.compaction_rig import GOOD, rig, storm


async def desk(tmp_path, *steps, **options):
    own = await rig(tmp_path, *steps, **options)
    await own.said(*exchange(70, "the NEEDLE_7 lies here", "grep", '{"pattern": "NEEDLE"}'))
    await own.said(*storm())
    return own, ToolContext(own.session.state)


async def test_what_left_is_found_and_brought_back(tmp_path):
    own, held = await desk(tmp_path, {"text": GOOD})
    assert [f.in_view for f in held.search("NEEDLE_7", 9)] == [True]
    await compact_in(own.session)
    found = held.search("needle_7", 9)
    assert [(f.item, f.in_view) for f in found] == [("r70.0", False)]
    assert "NEEDLE_7" in found[0].excerpt
    assert held.text_of("r70.0") == "the NEEDLE_7 lies here"


async def test_what_stands_shortened_counts_as_left(tmp_path):
    own, held = await desk(tmp_path)
    await evict(own.session.state, ["r70.0"])
    assert [f.in_view for f in held.search("NEEDLE_7", 9)] == [False]
    await restore(own.session.state, ["r70.0"])
    assert [f.in_view for f in held.search("NEEDLE_7", 9)] == [True]


async def test_a_search_does_not_find_itself(tmp_path):
    own, held = await desk(tmp_path)
    await own.said(
        assistant("a80", "", ("c80", "history", '{"query": "NEEDLE_7"}')),
        result("r80", "a80", "c80", "r70.0 | turn 1 | NEEDLE_7", "history"),
        assistant("a81", "", ("c81", "history", '{"query": "NEEDLE_7"}')),
    )
    assert [f.item for f in held.search("NEEDLE_7", 9)] == ["r70.0"]


async def test_the_whole_query_beats_its_words_and_newer_beats_older(tmp_path):
    own, held = await desk(tmp_path)
    await own.said(user("u91", "red hull"), user("u92", "hull red"), user("u93", "red hull"))
    assert [f.item for f in held.search("red hull", 9)] == ["u93.0", "u91.0", "u92.0"]
    assert [f.item for f in held.search("red hull", 1)] == ["u93.0"]
    assert held.search("nothing of the kind", 9) == []
    assert held.search("  ", 9) == []


async def test_what_is_found_is_told_with_its_surroundings_and_size(tmp_path):
    own, held = await desk(tmp_path)
    far = "fore " * 40 + "KEEL_3  is\n here " + "aft " * 60
    said = user("u90", far, "t9")
    image = Part(kind=PartKind.IMAGE, text="KEEL_3", name="image/png")
    beside = Part(kind=PartKind.FILE, text="of KEEL_3 too", source=Source("file:///w/a.py"))
    await own.said(replace(said, parts=(*said.parts, image, beside)))
    first, second = held.search("keel_3", 9)
    assert (first.item, first.title, first.tokens) == ("u90.0", first_words(far, 60), 4 + 103)
    assert (second.item, second.title, second.tokens) == ("u90.2", "a.py", 3 + 3)
    assert first.turn == second.turn == own.session.state.log.fold.groups[-1].turn
    start = far.index("KEEL")
    around = far[start - 80 : start + 160]
    assert first.excerpt == " ".join(around.split())
    assert second.excerpt == "of KEEL_3 too"


async def test_of_several_words_more_than_half_have_to_be_there(tmp_path):
    own, held = await desk(tmp_path)
    await own.said(user("u91", "mast, boom and gaff"), user("u92", "mast and boom"))
    assert [f.item for f in held.search("gaff boom mast", 9)] == ["u91.0", "u92.0"]
    assert [f.item for f in held.search("boom mast jib sheet", 9)] == []
    assert [f.item for f in held.search("gaff mast boom oar", 9)] == ["u91.0"]


async def test_tasks_enter_at_the_tail_and_an_empty_list_leaves(tmp_path):
    own, held = await desk(tmp_path)
    prefix = own.view()
    tasks = (TaskItem("weigh anchor", "completed"), TaskItem("set sail", "inProgress"))
    await held.set_tasks(tasks)
    assert own.view()[: len(prefix)] == prefix
    assert own.view()[-1][1] == "# Tasks\n[x] weigh anchor\n[~] set sail"
    assert own.heard(TasksChanged)[-1].tasks == tasks
    await held.set_tasks(())
    assert own.view() == prefix


async def test_tasks_below_others_are_indented(tmp_path):
    own, held = await desk(tmp_path, secret="gold")
    below = TaskItem("sound gold", "inProgress", (TaskItem("lead", "pending"),))
    await held.set_tasks((TaskItem("set sail", "pending", (below,)),))
    assert own.view()[-1][1] == "# Tasks\n[ ] set sail\n  [~] sound [redacted]\n    [ ] lead"
    (shown,) = own.heard(TasksChanged)[-1].tasks
    assert shown.children[0].title == "sound [redacted]"


async def test_tasks_move_to_the_head_with_the_next_big_step(tmp_path):
    own, held = await desk(tmp_path, {"text": GOOD})
    await held.set_tasks((TaskItem("set sail", "pending"),))
    await compact_in(own.session)
    head = own.session.state.log.fold.view.head
    assert [s.part.text for s in head if s.slot is Slot.TASKS] == ["# Tasks\n[ ] set sail"]


async def test_letting_go_says_what_it_freed_and_what_is_not_there(tmp_path):
    own, held = await desk(tmp_path)
    assert (await held.evict(["r3.0"])).startswith("Freed ")
    assert dict(own.view())["r3.0"].startswith("[removed: grep")
    with pytest.raises(ToolFailed, match="r999"):
        await held.evict(["r999.0"])


async def test_the_load_names_the_largest_items(tmp_path):
    _, held = await desk(tmp_path)
    lines = held.load().splitlines()
    assert len(lines) == 9
    assert all(" tokens" in line for line in lines[1:])


async def test_restore_says_by_how_many_tokens_it_does_not_fit(tmp_path):
    own, _ = await desk(tmp_path, {"text": GOOD})
    await compact_in(own.session)
    await own.said(user("u95", "word " * 1_900))
    gone = [f"r{n}.0" for n in range(6)]
    before = own.view()
    with pytest.raises(NotUndoable) as refused:
        await restore(own.session.state, gone)
    needs = refused.value.data["needsTokens"]
    assert f"{needs:,} tokens" in refused.value.message
    assert own.view() == before
    await restore(own.session.state, gone[:1])
    assert "line 0 " in dict(own.view())["r0.0"]


async def test_undo_after_more_turns_keeps_the_new_ones(tmp_path):
    own, _ = await desk(tmp_path, {"text": GOOD})
    before = own.view()
    receipt = await compact_in(own.session)
    later = [user("u96", "later"), *exchange(96, "found more")]
    await own.said(*later)
    await undo(own.session.state, receipt.id)
    after = own.view()
    assert after[: len(before)] == before
    assert [text for _, text in after[len(before) :]] == ["later", "step 96", "{}", "found more"]


async def test_undo_that_does_not_fit_says_by_how_many_tokens(tmp_path):
    own, _ = await desk(tmp_path, {"text": GOOD})
    receipt = await compact_in(own.session)
    await own.said(user("u97", "word " * 1_500))
    before = own.view()
    with pytest.raises(NotUndoable) as refused:
        await undo(own.session.state, receipt.id)
    assert refused.value.data["needsTokens"] > 0
    assert own.view() == before


async def test_an_explanation_and_a_receipt_say_where_the_whole_text_is(tmp_path):
    own, _ = await desk(tmp_path)
    kept = tmp_path / own.session.id / "0.txt"
    op = Replace("r3.0", "head\n[truncated: …]\ntail", ItemState.TRUNCATED, str(kept))
    await own.said(
        Edited(id="e90", at="2000", stage=Stage.TRUNCATE, why="long", ops=(op,), before=9, after=1)
    )
    receipt = await evict(own.session.state, ["r3.0", "r4.0"])
    assert [item.where for item in receipt.items] == [
        f"in {kept}, and kept; the agent can look it up",
        "kept; the agent can look it up",
    ]
    assert f"in {kept}, and" in explain(own.session.state.load, "r3.0")
