"""Refer, where the result would be cut: a pointer to the earlier one that was cut as well."""

from builders import LEDGER, edited, exchange, system, user
from plimsoll.context.budget import budget_for
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Cover, ItemState, Stage
from plimsoll.context.pipeline.proposal import NextRequest
from plimsoll.context.pipeline.settings import PipelineSettings
from plimsoll.context.view.fold import Fold
from plimsoll.session.ports.clock import CountedClock
from plimsoll.session.reduction.ingest import ingest_edits


def test_a_second_reading_that_would_be_cut_points_to_the_first_that_was():
    """Neither holds the middle, so nothing is lost; when the first leaves, the cut form is back."""
    text = "".join(f"line {number} of a long file\n" for number in range(3_000))
    call = '{"path":"long.txt"}'
    first = exchange(1, text, "file_read", call)
    fold = Fold(LEDGER, [system(), user("u1", "read"), *first])
    clock = CountedClock()
    fold.extend(
        ingest_edits(
            first[1],
            NextRequest(
                indexes=Indexes(fold), budget=budget_for(32_000), settings=PipelineSettings()
            ),
            clock,
            cut=True,
        )
    )
    second = exchange(2, text.replace("line 7 ", "line seven "), "file_read", call)
    fold.append(second[0])
    edits = ingest_edits(
        second[1],
        NextRequest(indexes=Indexes(fold), budget=budget_for(32_000), settings=PipelineSettings()),
        clock,
        cut=True,
    )
    assert [edit.stage for edit in edits] == [Stage.TRUNCATE, Stage.REFER]
    fold.extend([second[1], *edits])
    shown = {each.item: each for each in fold.view.items()}
    assert shown["r2.0"].state is ItemState.REFERRED
    assert "line seven of a long file" in shown["r2.0"].part.text
    fold.append(edited("gone", Cover(("a1",), None), stage=Stage.TRIM))
    shown = {each.item: each for each in fold.view.items()}
    assert shown["r2.0"].state is ItemState.TRUNCATED
