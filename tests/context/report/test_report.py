"""The report: every item with its tokens, age, state and reason, and what has left."""

from dataclasses import replace

import pytest

from builders import AT, LEDGER, assistant, conversation, edited, exchange, pin, result, user
from plimsoll.context.budget import budget_for, meter_of
from plimsoll.context.decisions.record import HEADING
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import (
    Cover,
    Framed,
    ItemState,
    Noted,
    Pinned,
    Replace,
    Slot,
    Stage,
)
from plimsoll.context.log.messages import Source
from plimsoll.context.report.report import (
    FileUse,
    advice,
    file_uses,
    report_items,
    view_text,
)
from plimsoll.context.view.fold import Fold

BUDGET = budget_for(4_096)


def items(*entries):
    fold = Fold(LEDGER, entries)
    return {item.id: item for item in report_items(Indexes(fold), fold.view)}


def read(number: int, path: str, size: int):
    source = Source(f"file:///w/{path}", (1, 9), "v1")
    call = assistant(f"a{number}", "", (f"c{number}", "file_read", f'{{"path": "{path}"}}'))
    text = "word " * size
    return [
        call,
        result(f"r{number}", f"a{number}", f"c{number}", text, "file_read", source=source),
    ]


def test_a_call_and_its_result_are_called_what_the_chat_calls_them():
    call = assistant("a1", "", ("c1", "memory_save", '{"title": "Staging host"}'))
    found = items(user("u1", "so"), call, result("r1", "a1", "c1", "Kept.", "memory_save"))
    assert found["a1.0"].title == "Remember Staging host"
    assert found["r1.0"].title == "Remember Staging host"


def test_what_stands_adds_up_and_what_has_left_weighs_nothing():
    cover = edited("e1", Cover(("u1", "a0"), "short"), why="it was full")
    found = items(*conversation(3), cover)
    fold = Fold(LEDGER, [*conversation(3), cover])
    assert sum(item.tokens for item in found.values()) == fold.view.tokens
    gone = {name: (i.slot, i.state, i.tokens, i.why) for name, i in found.items() if not i.tokens}
    left = (ItemState.SUMMARISED, 0, "it was full")
    assert gone == {
        "u1.0": (Slot.USER, *left),
        "a0.0": (Slot.ASSISTANT, *left),
        "a0.1": (Slot.ASSISTANT, *left),
        "r0.0": (Slot.TOOL_RESULTS, *left),
    }
    assert found["r0.0"].original == 4 + 3 + 1 + 22
    assert found["e1"].title == "Summary of earlier turns"


@pytest.mark.parametrize(
    ("stage", "text", "state"),
    [
        (Stage.DIGEST, "short", ItemState.SUMMARISED),
        (Stage.COMPACT, "short", ItemState.SUMMARISED),
        (Stage.TRIM, None, ItemState.TRIMMED),
        (Stage.EVICT, None, ItemState.EVICTED),
    ],
)
def test_the_state_of_what_has_left_says_why_it_has(stage, text, state):
    cover = edited("e1", Cover(("a0",), text), stage=stage)
    assert items(*conversation(2), cover)["r0.0"].state is state


def test_an_item_that_stands_shorter_tells_both_sizes_and_the_reason():
    op = Replace("r1.0", "[pruned]", ItemState.PRUNED)
    found = items(
        *conversation(2, 90),
        edited("e1", op, stage=Stage.PRUNE, why="at the mark"),
    )
    item = found["r1.0"]
    assert (item.tokens, item.original, item.state, item.why) == (
        9,
        100,
        ItemState.PRUNED,
        "at the mark",
    )


def test_pins_stale_reads_and_turns():
    entries = [
        user("u1", "so"),
        *read(1, "src/x.py", 50),
        Noted(id="n1", at=AT, what="stale", item="r1.0"),
        user("u2", "and"),
        *exchange(2, "found"),
        Pinned(id="p1", at=AT, text="found", number=1, item="r2.0"),
        pin(2, "always"),
    ]
    found = items(*entries)
    assert [name for name, item in found.items() if item.pinned] == ["r2.0", "pin.p1", "pin.p2"]
    assert [name for name, item in found.items() if item.stale] == ["r1.0"]
    assert (found["r1.0"].turn, found["r2.0"].turn) == (1, 2)
    assert found["r1.0"].title == "src/x.py:1-9"


def test_files_are_told_with_what_was_read_and_what_stands():
    op = Replace("r1.0", "[pruned]", ItemState.PRUNED)
    rules = Framed(
        id="f9",
        at=AT,
        slot="instructions",
        kind=Slot.INSTRUCTIONS,
        text="No tabs.",
        source=Source("file:///w/A"),
        original=40,
    )
    edit = edited("e1", op, stage=Stage.PRUNE)
    entries = [rules, user("u1", "so"), *read(1, "x.py", 50), *read(2, "x.py", 20), edit]
    uses = file_uses(tuple(items(*entries).values()))
    assert uses == (
        FileUse("file:///w/x.py", 50 + 8 + 20 + 8, 9 + 20 + 8),
        FileUse("file:///w/A", 40, 6),
    )


@pytest.mark.parametrize(
    ("size", "stale", "codes"),
    [
        (20, False, []),
        (500, False, ["item.large"]),
        (20, True, ["items.stale"]),
        (2_400, True, ["item.large", "items.stale", "context.full"]),
    ],
)
def test_advice_says_what_each_would_free(size, stale, codes):
    note = [Noted(id="n1", at=AT, what="stale", item="r1.0")] if stale else []
    fold = Fold(LEDGER, [user("u1", "so"), *read(1, "x.py", size), *note])
    found = report_items(Indexes(fold), fold.view)
    given = advice(found, meter_of(fold.view, BUDGET), 100)
    assert [each.code for each in given] == codes
    assert all(0 < each.saves <= fold.view.tokens for each in given)


def test_no_compaction_is_advised_that_would_make_no_room():
    fold = Fold(LEDGER, [user("u1", "so"), *read(1, "x.py", 2_400)])
    given = advice(report_items(Indexes(fold), fold.view), meter_of(fold.view, BUDGET), 0)
    assert [each.code for each in given] == ["item.large"]


def test_a_view_as_text_names_every_message():
    text = view_text(Fold(LEDGER, [*conversation(1), *exchange(2, "found")]).view)
    assert text.startswith("### system\n\nYou are the agent.\n")
    assert "### user · u1\n\nRepair the build." in text
    assert "### assistant · a2\n\nstep 2\n\n`grep` {}" in text
    assert text.endswith("### tool · r2\n\nfound\n")


def test_what_is_no_message_is_called_by_what_it_is():
    cover = edited("e1", Cover(("a0",), "short", decisions="## Decisions\n- Not that."))
    found = items(*conversation(2), pin(1, "Never touch the tests. " * 9), cover)
    titles = {name: item.title for name, item in found.items() if item.tokens}
    assert titles["frame.system"] == "system"
    assert titles["e1"] == "Summary of earlier turns"
    assert titles["e1.decisions"] == HEADING
    assert titles["pin.p1"].startswith("[pinned 1] Never touch the tests.")
    assert len(titles["pin.p1"]) <= 61


@pytest.mark.parametrize(("size", "large"), [(9_999, False), (10_000, True)])
def test_an_item_is_large_by_its_tokens_or_by_its_share_of_the_window(size, large):
    fold = Fold(LEDGER, [user("u1", "word " * (size - 4))])
    found = report_items(Indexes(fold), fold.view)
    wide = meter_of(fold.view, budget_for(100_000))
    assert [each.saves for each in advice(found, wide, 0)] == [size] * large
    narrow = replace(BUDGET, window=size * 20 // 3 + 2, effective=size * 20 // 3 + 2)
    assert advice(found, meter_of(fold.view, narrow), 0) == advice(found, wide, 0)


def test_compaction_is_advised_from_the_mark_of_the_warning():
    fold = Fold(LEDGER, [user("u1", "so")])
    for more, advised in ((0, ["context.full"]), (1, [])):
        budget = replace(BUDGET, warning=fold.view.tokens + more)
        given = advice((), meter_of(fold.view, budget), 1)
        assert [each.code for each in given] == advised
