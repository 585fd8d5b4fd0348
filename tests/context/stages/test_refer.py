"""Refer, at the door: pointers to what stands in view, and changed lines alone."""

from dataclasses import replace

import pytest

from builders import AT, edited
from context.stages.logs import (
    call,
    edit,
    grep,
    lines,
    next_request,
    read,
    read_part,
    shell,
    states,
    texts,
)
from plimsoll.context.log.entries import ItemState, Refer, Replace, Stage, Undone
from plimsoll.context.pipeline.settings import PipelineSettings, ReferSettings
from plimsoll.context.stages.refer import changed_lines, refer
from plimsoll.text.lines import version_of

TEXT = lines("x")
EDITED = TEXT.replace("x7.0", "changed")


def arriving(*entries, settings=None):
    """The pointer for the last message, whose call already stands in the log."""
    return refer(entries[-1], next_request(entries[:-1], settings=settings))


def test_an_unchanged_read_enters_as_a_pointer_that_names_turn_target_and_item():
    first, again = read(1, TEXT), read(2, TEXT)
    found = arriving(*first, *again)
    assert found == Refer(
        "r2.0",
        version_of(first[-1].parts[0].text),
        "[unchanged since turn 1: file_read src/x.py, item r1.0]",
    )


def test_the_same_text_of_another_call_says_what_it_is():
    found = arriving(*shell(1, "cat a", TEXT), *shell(2, "cat b", TEXT))
    assert found.text == "[the same text stands in turn 1: shell cat a, item r1.0]"


REPLACED = edited("e1", Replace("r1.0", "-", ItemState.PRUNED), stage=Stage.PRUNE)


@pytest.mark.parametrize(
    ("entries", "why"),
    [
        ([*read(1, "few words"), *read(2, "few words")], "small"),
        ([*read(1, TEXT), REPLACED, *read(2, TEXT)], "the base left the view"),
        ([*read(1, TEXT), *read(2, lines("other"))], "another content"),
    ],
)
def test_what_enters_in_full(entries, why):
    assert arriving(*entries) is None, why


def test_the_setting_turns_it_off():
    off = PipelineSettings(refer=ReferSettings(enabled=False))
    assert arriving(*read(1, TEXT), *read(2, TEXT), settings=off) is None


def test_a_reread_after_an_edit_enters_as_the_changed_lines():
    found = arriving(*read(1, TEXT), *edit(2), *read(3, EDITED, version="v2"))
    old, new = TEXT.split("\n")[7], EDITED.split("\n")[7]
    assert found.text.split("\n") == [
        "[changed since turn 1: file_read src/x.py, item r1.0; all other lines are equal]",
        "@@ -8,1 +8,1 @@",
        f"-{old}",
        f"+{new}",
    ]


def test_the_third_version_is_told_against_the_one_that_stands_verbatim():
    first, second = read(1, TEXT), read(3, EDITED, version="v2")
    pointer = arriving(*first, *edit(2), *second)
    third = read(5, EDITED.replace("x9.0", "more"), version="v3")
    log = [*first, *edit(2), *second, edited("e9", pointer, stage=Stage.REFER), *edit(4), *third]
    found = arriving(*log)
    assert found.base == pointer.base
    assert "changed" in found.text
    assert "more" in found.text


def test_changes_are_told_against_the_same_file_that_stands_verbatim_alone():
    gone = edited("e1", Replace("r1.0", "-", ItemState.PRUNED), stage=Stage.PRUNE)
    again = read(3, EDITED, version="v2")
    assert arriving(*read(1, TEXT), gone, *edit(2), *again) is None
    other = arriving(*read(1, TEXT, "src/other.py"), *edit(2), *again)
    assert other.text.startswith("[partly known from turn 1: file_read src/other.py")


def test_a_read_that_changed_too_much_enters_in_full():
    assert arriving(*read(1, TEXT), *read(2, lines("y"), version="v2")) is None


def test_lines_that_are_known_from_another_call_are_folded():
    half = "\n".join([*lines("y", 10).split("\n"), *TEXT.split("\n")[20:], "end"])
    found = arriving(*shell(1, "cat x", TEXT), *shell(2, "head x", half))
    assert found.text.split("\n") == [
        "[partly known from turn 1: shell cat x, item r1.0]",
        *lines("y", 10).split("\n"),
        "[40 lines as there: x20.0 x20.1 x20.2 x20.3 x20.4 ... x59.0 x59.1 x59.2 x59.3 x59.4]",
        "end",
    ]


def test_a_few_known_lines_are_not_folded():
    few = "\n".join([*lines("y", 50).split("\n"), *TEXT.split("\n")[:5]])
    assert arriving(*shell(1, "cat x", TEXT), *shell(2, "head x", few)) is None
    most = "\n".join([*lines("y", 50).split("\n"), *TEXT.split("\n")[:20]])
    assert arriving(*shell(1, "cat x", TEXT), *shell(2, "head x", most)) is None


def test_the_pointer_to_an_error_says_that_it_is_one():
    failed = f"{TEXT}\n[exit code: 1]"
    found = arriving(*shell(1, "make", failed), *shell(2, "make", failed))
    assert found.text == "[unchanged since turn 1: shell make, item r1.0, exit code 1]"


def test_lines_of_a_file_that_stands_whole_enter_as_a_pointer_only_for_the_same_version():
    found = arriving(*read(1, TEXT), *read_part(2, TEXT, 10, 40))
    assert found.text == "[unchanged since turn 1: lines 10-40 of file_read src/x.py, item r1.0]"
    assert arriving(*read(1, TEXT), *read_part(2, TEXT, 10, 40, version="v2")) is None
    assert arriving(*read_part(1, TEXT, 10, 40), *read_part(2, TEXT, 5, 40)) is None


def test_lines_point_only_to_the_same_file_and_only_while_it_stands_whole():
    part = read_part(3, TEXT, 20, 40)
    gone = edited("e1", Replace("r1.0", "-", ItemState.PRUNED), stage=Stage.PRUNE)
    assert arriving(*read(1, TEXT), *part).text.startswith("[unchanged since turn 1")
    assert arriving(*read(1, TEXT), gone, *part) is None
    assert arriving(*read(1, lines("y"), "src/other.py"), *part) is None


def test_parallel_results_of_one_message_refer_to_each_other():
    first, second = read(1, TEXT), read(2, TEXT)
    parallel = replace(first[0], parts=(*first[0].parts, second[0].parts[1]))
    twin = replace(second[1], group="a1")
    pointer = arriving(parallel, first[1], twin)
    assert pointer.text == "[unchanged since turn 1: file_read src/x.py, item r1.0]"

    entries = [parallel, first[1], twin, edited("e1", pointer, stage=Stage.REFER)]
    assert texts(next_request(entries))["r2.0"] == pointer.text
    cut = edited("e2", Replace("r1.0", "-", ItemState.TRUNCATED), stage=Stage.TRUNCATE)
    assert texts(next_request([*entries, cut]))["r2.0"] == twin.parts[0].text


def test_the_full_text_comes_back_when_the_base_leaves_and_the_pointer_with_it():
    pointer = edited("e1", arriving(*read(1, TEXT), *read(2, TEXT)), stage=Stage.REFER)
    entries = [*read(1, TEXT), *read(2, TEXT), pointer]
    gone = edited("e2", Replace("r1.0", "-", ItemState.PRUNED), stage=Stage.PRUNE)
    assert states(next_request(entries))["r2.0"] == "referred"
    assert texts(next_request([*entries, gone]))["r2.0"] == read(2, TEXT)[-1].parts[0].text
    assert states(next_request([*entries, gone, Undone("u", AT, "e2")]))["r2.0"] == "referred"


def test_a_result_that_reads_like_a_pointer_is_text_like_any_other():
    marker = "[unchanged since turn 1: file_read src/x.py, item r1.0] " * 40
    assert arriving(*grep(1, marker), *call(2, "web_fetch", {"url": "u"}, TEXT)) is None


def listing(letters: str, step: int) -> str:
    """Lines of which the first and every so many bear their number."""
    return "\n".join(
        f"{n}\t{c}" if n % step == 0 or n == 1 else c for n, c in enumerate(letters, 1)
    )


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("a\nb\nc", "a\nB\nc", ["@@ -2,1 +2,1 @@", "-b", "+B"]),
        ("a\nb", "a\nx\ny\nb", ["@@ -2,0 +2,2 @@", "+x", "+y"]),
        ("a\nb\nb\nc", "a\nb\nc", ["@@ -3,1 +3,0 @@", "-b"]),
        ("10\ta\n11\tb", "10\tn\n11\ta\n12\tb", ["@@ -10,0 +10,1 @@", "+n"]),
        (listing("abcdefghijkl", 10), listing("xabcdefghijkl", 10), ["@@ -1,0 +1,1 @@", "+x"]),
        (listing("abcdefghijkl", 1), listing("abcdefghiJkl", 1), ["@@ -10,1 +10,1 @@", "-j", "+J"]),
        (
            "4\t./a\n8\t./b",
            "6\t./a\n8\t./b\n2\t./c",
            ["@@ -1,1 +1,1 @@", "-4\t./a", "+6\t./a", "@@ -3,0 +3,1 @@", "+2\t./c"],
        ),
        # A note of the tool below the lines has no number.
        (f"{listing('abc', 1)}\n[end]", f"{listing('xabc', 1)}\n[end]", ["@@ -1,0 +1,1 @@", "+x"]),
        ("same", "same", []),
    ],
)
def test_changed_lines(old, new, wanted):
    assert changed_lines(old, new) == wanted
