"""What is decided of a result as it arrives: whether it is cut, by which count."""

import pytest

from builders import assistant, exchange, pin, result, system, user, words
from plimsoll.context.budget import budget_for
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.pipeline.proposal import NextRequest
from plimsoll.context.pipeline.settings import PipelineSettings
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.ledger import Ledger
from plimsoll.session.ports.clock import CountedClock
from plimsoll.session.reduction.ingest import RESULT_SHARE, ingest_edits, too_long, with_edits
from session.harness import Harness, harness

BUDGET = budget_for(32_000)
TEXT = "\n".join(f"line {number} of the file that is read" for number in range(60))
ONE = '{"path":"a.py"}'


def reads(*texts: str) -> list:
    """Reads of one file, each in a group of its own."""
    return [said for n, text in enumerate(texts) for said in exchange(n, text, "file_read", ONE)]


def standing(own: Harness) -> dict[str, str]:
    """The texts of the results in the view."""
    fold = own.session.state.log.fold
    return {shown.item: shown.part.text for shown in fold.view.items() if shown.item[0] == "r"}


def twice(text: str) -> int:
    return 2 * words(text)


@pytest.mark.parametrize(
    ("ledger", "share", "cut"),
    [
        (Ledger(words), 0.9, False),
        (Ledger(words), 1.1, True),
        (Ledger(twice, likely=words), 0.9, False),
        (Ledger(twice, likely=words), 1.1, True),
        (Ledger(lambda text: 2 * twice(text), likely=words), 0.6, True),
    ],
    ids=["within", "over", "within but for caution", "over all the same", "far over with caution"],
)
def test_a_result_is_cut_by_what_it_likely_has(ledger, share, cut):
    """Cut for caution alone, it would be read again in full once the count is known."""
    text = "word " * int(BUDGET.effective // RESULT_SHARE * share)
    asked, said = exchange(1, text, "file_read", '{"path":"x"}')
    fold = Fold(ledger, [system(), user("u1", "read"), asked])
    before = NextRequest(indexes=Indexes(fold), budget=BUDGET, settings=PipelineSettings())
    assert too_long(said, before) is cut
    fold.append(said)
    edits = ingest_edits(said, before, CountedClock(), cut=True)
    assert ledger.likely(edits[0].ops[0].text) <= BUDGET.effective // RESULT_SHARE


@pytest.mark.parametrize("arrived", [False, True], ids=["before", "after"])
def test_the_edit_of_a_result_tells_the_request_with_it_whole_and_cut(arrived):
    """The same numbers, whether it is worked out before the result is in the log or after."""
    text = "word " * (BUDGET.effective // RESULT_SHARE + 100)
    asked, said = exchange(1, text, "file_read", '{"path":"x"}')
    fold = Fold(Ledger(words), [system(), user("u1", "read"), asked])
    without = fold.view.tokens
    if arrived:
        fold.append(said)
        without = fold.view.tokens - words(text)
    now = NextRequest(indexes=Indexes(fold), budget=BUDGET, settings=PipelineSettings())
    (edit,) = ingest_edits(said, now, CountedClock(), cut=True)
    short = words(edit.ops[0].text)
    assert (edit.before, edit.after) == (without + words(text), without + short)
    assert edit.why == f"the output of file_read has {len(text):,} characters"


@pytest.mark.parametrize(("size", "cut"), [(6_000, False), (6_001, True)])
def test_a_result_may_take_a_quarter_of_the_window(size, cut):
    assert BUDGET.effective == 24_000
    (_, said) = exchange(1, "w " * size, "file_read", '{"path":"x"}')
    indexes = Indexes(Fold(Ledger(words)))
    now = NextRequest(indexes=indexes, budget=BUDGET, settings=PipelineSettings())
    assert too_long(said, now) is cut


async def test_what_comes_in_one_batch_refers_to_what_came_before_it(tmp_path):
    """As if each message had been appended alone, turn and edits included."""
    changed = TEXT.replace("line 7 ", "line seven ")
    batch = [user("u1", "Read."), *reads(TEXT, TEXT, changed, changed)]
    async with harness(tmp_path / "one") as own, harness(tmp_path / "other") as other:
        for session in (own.session, other.session):
            await session.feed(lambda: [user("u0", "Hello.")])
        await own.session.feed(lambda: batch)
        for entry in batch:
            await other.session.feed(lambda entry=entry: [entry])

        found = standing(own)
        assert found == standing(other)
        assert found["r1.0"] == "[unchanged since turn 2: file_read a.py, item r0.0]"
        assert "+line seven of the file that is read" in found["r2.0"]
        await own.consistent()


async def test_parallel_results_of_one_batch_refer_to_each_other(tmp_path):
    calls = (("c1", "file_read", ONE), ("c2", "file_read", ONE), ("c3", "grep", ONE))
    answers = [("c1", TEXT), ("c2", TEXT), ("c3", "no such line")]
    results = [result(f"r{call}", "a1", call, text, "file_read") for call, text in answers]
    async with harness(tmp_path) as own:
        await own.session.feed(lambda: [user("u1", "Read."), assistant("a1", "", *calls), *results])

        assert standing(own) == {
            "rc1.0": TEXT,
            "rc2.0": "[unchanged since turn 1: file_read a.py, item rc1.0]",
            "rc3.0": "no such line",
        }
        await own.consistent()


def test_what_is_no_result_comes_as_it_is():
    long = "word " * (2 * BUDGET.effective // RESULT_SHARE)
    entries = [system(), pin(1, "always"), user("u1", long), assistant("a1", long)]
    now = NextRequest(
        indexes=Indexes(Fold(Ledger(words))), budget=BUDGET, settings=PipelineSettings()
    )
    assert [*with_edits(entries, now, CountedClock())] == entries
