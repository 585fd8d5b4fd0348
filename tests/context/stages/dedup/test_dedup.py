"""Dedup: three tiers, and never where the later one does not hold what the earlier one says."""

from dataclasses import replace

import pytest

from builders import edited, pin
from context.stages.logs import (
    after,
    edit,
    grep,
    lines,
    next_request,
    numbered,
    planned,
    read,
    read_part,
    shell,
    stale,
    states,
    texts,
)
from context.stages.test_refer import arriving
from plimsoll.context.log.entries import ItemState, Replace, Restore, Stage
from plimsoll.context.pipeline.settings import PipelineSettings, PruningSettings
from plimsoll.context.stages import dedup

TEXT = lines("x", 100)
EDITED = TEXT.replace("x7.0", "changed")
GREP = "\n".join(f"src/x.py:{n}:{line}" for n, line in enumerate(TEXT.split("\n")[:30], 1))


SMALL, LARGE = 4_096, 65_536
"""Windows; a step of few tokens is not made in a large one."""


FREE = PipelineSettings(pruning=PruningSettings(protect_turns=0, protect_tokens=0))


def superseded(entries, window=SMALL, *, cold=True, settings=FREE):
    """The items that dedup replaces; without other settings nothing is protected."""
    before = next_request(entries, window, settings, cold=cold)
    proposal = planned(before, dedup.plan)
    return [op.item for op in proposal.ops] if proposal else []


def cut(said):
    """The result of a tool that says nothing of the lines it read."""
    return [*said[:-1], replace(said[-1], parts=(replace(said[-1].parts[0], source=None),))]


@pytest.mark.parametrize(
    ("entries", "wanted"),
    [
        pytest.param([*read(1, TEXT), *read(2, TEXT)], ["r1.0"], id="identical call and result"),
        pytest.param([*shell(1, "ls", TEXT), *shell(2, "ls", TEXT)], ["r1.0"], id="same command"),
        pytest.param(
            [*shell(1, "a", TEXT), *shell(2, "b", TEXT)], [], id="same result, other call"
        ),
        pytest.param(
            [*read(1, TEXT), *edit(2), *read(3, EDITED, version="v2")],
            ["r1.0"],
            id="stale, re-read",
        ),
        pytest.param([*read(1, TEXT), *edit(2)], [], id="edited and not read again"),
        pytest.param(
            [*read(1, TEXT), *edit(2), *read_part(3, EDITED, 1, 50, version="v2")],
            [],
            id="kosmokrator 8: re-read in part",
        ),
        pytest.param([*read(1, TEXT), stale(1, "r1.0")], [], id="a user's edit alone"),
        pytest.param(
            [*read(1, TEXT), stale(1, "r1.0"), *read(2, EDITED, version="v2")],
            ["r1.0"],
            id="a user's edit, read again",
        ),
        pytest.param(
            [*read(1, TEXT), *read(2, EDITED, version="v2"), stale(1, "r2.0")],
            [],
            id="the later read is stale itself",
        ),
        pytest.param([*read_part(1, TEXT, 5, 60), *read(2, TEXT)], ["r1.0"], id="part, then whole"),
        pytest.param([*read(1, TEXT), *read_part(2, TEXT, 5, 60)], [], id="whole, then part"),
        pytest.param(
            [*read_part(1, TEXT, 5, 60), *read_part(2, TEXT, 1, 70)], ["r1.0"], id="part in part"
        ),
        pytest.param(
            [*read_part(1, TEXT, 5, 60), *edit(2), *read_part(3, EDITED, 1, 70, version="v2")],
            [],
            id="part in part of another version: lines may have moved",
        ),
        pytest.param(
            [*read(1, TEXT), *edit(2), *read(3, EDITED, "src/y.py", "v2")], [], id="another file"
        ),
        pytest.param(
            [*read(1, TEXT), *edit(2), *read(3, EDITED, "./src/../src/x.py", "v2")],
            [],
            id="a path whose link target is another file",
        ),
        pytest.param(
            [*read(1, TEXT), *edit(2), *cut(read(3, EDITED, version="v2"))],
            [],
            id="a re-read that does not say which lines it shows",
        ),
        pytest.param([*grep(1, GREP), *read(2, TEXT)], ["r1.0"], id="grep, then the whole file"),
        pytest.param(
            [*grep(1, GREP), *read_part(2, TEXT, 1, 40)], [], id="kosmokrator 8: grep, then a part"
        ),
        pytest.param([*grep(1, GREP, "src"), *read(2, TEXT)], [], id="grep on a directory"),
        pytest.param([*grep(1, GREP, None), *read(2, TEXT)], [], id="grep on everything"),
        pytest.param([*read(1, TEXT), *grep(2, GREP)], [], id="the whole file, then grep"),
        pytest.param(
            [*shell(1, "t", TEXT, failed=True), *shell(2, "t", TEXT, failed=True)], [], id="errors"
        ),
        pytest.param([*read(1, "short"), *read(2, "short")], [], id="hardly longer than a note"),
    ],
)
def test_what_is_superseded(entries, wanted):
    assert superseded(entries) == wanted


@pytest.mark.parametrize("pruning", [PruningSettings(), PruningSettings(protect_turns=0)])
def test_of_what_is_protected_only_the_very_same_text_leaves(pruning):
    """What the file said before the edit may be asked for; the same text stands further down."""
    settings = PipelineSettings(pruning=pruning)
    again = [*read(1, TEXT), *edit(2), *read(3, EDITED, version="v2")]
    assert superseded(again, LARGE, settings=settings) == []
    same = [said for number in range(1, 9) for said in read(number, TEXT)]
    assert superseded(same, LARGE, settings=settings) == [f"r{n}.0" for n in range(1, 8)]


def test_a_read_that_was_truncated_covers_nothing():
    """KosmoKrator 8: the later read is itself truncated."""
    short = edited("e1", Replace("r3.0", "head … tail", ItemState.TRUNCATED), stage=Stage.TRUNCATE)
    entries = [*read(1, TEXT), *edit(2), *read(3, EDITED, version="v2"), short]
    assert superseded(entries) == []
    assert superseded([*grep(1, GREP), *read(3, TEXT), short]) == []


def test_a_failed_read_covers_nothing():
    failed = read(3, EDITED, version="v2")
    failed[-1] = replace(failed[-1], parts=(replace(failed[-1].parts[0], failed=True),))
    assert superseded([*read(1, TEXT), *edit(2), *failed]) == []


def test_the_base_of_a_pointer_stays():
    pair = [*read(1, TEXT), *shell(2, "cat", numbered(TEXT))]
    pointer = edited("e1", arriving(*pair), stage=Stage.REFER)
    entries = [*pair, pointer, *edit(3), *read(4, EDITED, version="v2")]
    assert superseded(entries) == []


def test_the_placeholder_names_the_file_and_where_it_stands_now():
    again = [*read(1, TEXT), *edit(2), *read(3, EDITED, version="v2")]
    before = next_request(again, SMALL, FREE, cold=True)
    now = texts(after(before, planned(before, dedup.plan)))
    assert now["r1.0"] == (
        "[superseded: file_read src/x.py, 100 lines; read again in turn 1, item r3.0]"
    )


def test_it_waits_while_the_cache_is_warm_and_there_is_room():
    entries = [*read(1, TEXT), *read(2, TEXT)]
    assert superseded(entries, LARGE, cold=False) == []
    full = [*entries, *shell(3, "log", "word " * 37_000)]
    assert superseded(full, LARGE, cold=False) == []
    many = [*[said for n in range(10, 15) for said in read(n, TEXT)], *full]
    assert "r1.0" in superseded(many, LARGE, cold=False)


def test_it_is_idempotent_and_can_be_turned_off():
    before = next_request([*read(1, TEXT), *read(2, TEXT)], SMALL, cold=True)
    assert planned(after(before, planned(before, dedup.plan)), dedup.plan) is None
    off = PipelineSettings(pruning=PruningSettings(enabled=False))
    assert superseded([*read(1, TEXT), *read(2, TEXT)], settings=off) == []


def test_what_a_person_brought_back_stays_until_blocking():
    back = edited("e1", Restore(items=("r1.0",)), stage=Stage.RESTORE)
    entries = [*read(1, TEXT), *read(2, TEXT), back]
    assert superseded(entries) == []
    assert superseded([*entries, *shell(3, "log", "word " * 48_000)]) == ["r1.0"]


def test_a_pin_that_quotes_a_superseded_result_stands_as_it_was():
    quoted = pin(1, TEXT[:200])
    before = next_request([*read(1, TEXT), quoted, *read(2, TEXT)], SMALL, cold=True)
    later = after(before, planned(before, dedup.plan))
    assert texts(later)["pin.p1"] == f"[pinned 1] {TEXT[:200]}"
    assert states(later)["r1.0"] == "superseded"
