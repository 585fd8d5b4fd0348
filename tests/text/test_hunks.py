"""Laws of hunks: any choice of them is exactly that choice, and a person's edits stay theirs."""

from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from plimsoll.text.hunks import hunks_between, rebase, with_hunks
from plimsoll.text.lines import split_lines

LINES = st.lists(
    st.sampled_from(["a", "b", "c", "", "  d", "e\r", "f\rg", "\x0c\u2028"]), max_size=20
)
TEXT = st.builds(lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n"]))


@settings(max_examples=examples(200))
@given(TEXT, TEXT, st.sets(st.integers(0, 12)))
def test_what_is_taken_is_what_is_there(old, new, taken):
    before, after = split_lines(old), split_lines(new)
    assert "".join(before) == old
    found = hunks_between(before, after)
    rows, at = [], 0
    for number, hunk in enumerate(found):
        assert before[at : hunk.start] == after[hunk.new_start - (hunk.start - at) : hunk.new_start]
        assert number == 0 or hunk.start > at
        new_rows = after[hunk.new_start : hunk.new_end]
        rows += before[at : hunk.start]
        rows += new_rows if number in taken else before[hunk.start : hunk.end]
        at = hunk.end
    assert with_hunks(old, new, taken) == "".join([*rows, *before[at:]])
    assert with_hunks(old, new, range(len(found))) == new
    assert with_hunks(old, new, ()) == old


@settings(max_examples=examples(200))
@given(TEXT, TEXT)
def test_who_edits_nothing_owns_nothing_and_who_edits_all_owns_all(old, new):
    assert rebase(old, new, new) == old
    assert rebase(old, old, new) == new


@dataclass
class Line:
    """A place of a file."""

    text: str | None
    """None: nothing stands there."""
    was: str | None
    """What stands there without what the agent did and nobody kept."""


def of(lines: list[Line], *, before: bool) -> str:
    texts = (line.was if before else line.text for line in lines)
    return "".join(f"{text}\n" for text in texts if text is not None)


STEPS = st.lists(
    st.tuples(st.sampled_from(["agent", "person", "keep", "undo"]), st.integers(0, 40)), max_size=12
)


@settings(max_examples=examples(200))
@given(STEPS)
def test_any_mix_of_edits_and_choices_leaves_what_was_chosen(steps):
    """Every other line is an island that nobody edits, so that each hunk is one line."""
    lines = [Line(f"line {n}", f"line {n}") for n in range(20)]
    base = left = of(lines, before=True)
    for count, (what, at) in enumerate(steps):
        line = lines[at % 10 * 2]
        if what == "agent":
            line.text = None if at % 3 == 0 else f"agent {count}"
        elif what == "person":
            line.text = line.was = f"person {count}"
            base = rebase(base, left, of(lines, before=False))
        else:
            marked = [one for one in lines if one.text != one.was]
            found = len(hunks_between(split_lines(base), split_lines(left)))
            assert found == len(marked)
            if not found:
                continue
            number = at % found
            if what == "keep":
                base = with_hunks(base, left, {number})
                marked[number].was = marked[number].text
            else:
                left = with_hunks(base, left, set(range(found)) - {number})
                marked[number].text = marked[number].was
                assert left == of(lines, before=False)
        left = of(lines, before=False)
        assert base == of(lines, before=True)


def test_a_large_file_has_each_place_as_a_hunk_of_its_own():
    lines = [f"line {n}\n" for n in range(50_000)]
    changed = [*lines]
    changed[3], changed[49_990] = "one\n", "other\n"
    del changed[20_000:20_010]
    found = hunks_between(lines, changed)
    assert [(hunk.start, hunk.end) for hunk in found] == [
        (3, 4),
        (20_000, 20_010),
        (49_990, 49_991),
    ]


def test_a_lone_cr_ends_a_line_as_in_an_editor():
    (found,) = hunks_between(split_lines("a\rb\r\nc\nd"), split_lines("a\rb\r\nx\nd"))
    assert (found.start, found.end) == (2, 3)
