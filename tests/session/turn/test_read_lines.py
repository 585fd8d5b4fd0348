"""Lines that were read are found again, and followed through the agent's own changes."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from builders import AT, LEDGER, assistant, result, user
from plimsoll.context.log.entries import Noted
from plimsoll.context.log.messages import Source, canonical
from plimsoll.context.log.notes import FRESH, STALE
from plimsoll.context.view.fold import Fold
from plimsoll.session.turn.read_lines import (
    ReadState,
    follow_own_change,
    note_data,
    place_of,
    read_states,
)
from plimsoll.text.lines import lines_of, version_of, version_of_lines
from plimsoll.tools.ports.intent import TextChange
from session.turn.reads import TEN

ROWS = st.lists(st.integers(0, 30).map(str), unique=True, min_size=2, max_size=20)


def changed_text(before, after):
    return TextChange(path=Path("a.py"), before=before, after=after)


def state_of(text, lines):
    return ReadState(lines, version_of_lines(list(lines_of(text))[lines[0] - 1 : lines[1]]))


LINES = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=12)
UNLIKE = ROWS.flatmap(
    lambda rows: st.integers(1, len(rows)).map(lambda cut: (rows[:cut], rows[cut:]))
)


def test_lines_are_found_nearest_to_where_they_were():
    text = "a\nb\n" * 9
    assert place_of(state_of(text, (5, 6)), text, list(lines_of(text))) == 4
    shifted = "new\n" + text
    assert place_of(state_of(text, (5, 6)), shifted, list(lines_of(shifted))) in {3, 5}


@given(st.tuples(LINES, LINES) | UNLIKE, st.data())
def test_of_an_own_change_what_is_left_is_known(texts_of_lines, data):
    """Whatever the agent puts in the place of some lines, what was read is where it went."""
    before, inserted = texts_of_lines
    first = data.draw(st.integers(1, len(before)))
    last = data.draw(st.integers(first, len(before)))
    at = data.draw(st.integers(0, len(before)))
    to = data.draw(st.integers(at, len(before)))
    after = [*before[:at], *inserted, *before[to:]]
    texts = ["".join(f"{line}\n" for line in lines) for lines in (before, after)]
    known = state_of(texts[0], (first, last))
    now = follow_own_change(known, changed_text(*texts))
    if now is not None:
        assert place_of(now, texts[1], after) is not None
    # Among lines that are alike nobody can tell where one of them came in.
    unlike = len({*before, *inserted}) == len(before) + len(inserted)
    if to < first or at >= last:
        assert now is not None
        assert now.version == known.version or not unlike


def test_what_somebody_else_had_changed_stays_unknown_after_an_own_change():
    change = changed_text(TEN.replace("line 4", "LINE 4"), "other\n")
    assert follow_own_change(state_of(TEN, (3, 5)), change) is None
    assert follow_own_change(ReadState(None, version_of(TEN)), change) is None
    whole = follow_own_change(ReadState(None, version_of(TEN)), changed_text(TEN, "other\n"))
    assert whole == ReadState(None, version_of("other\n"))


def test_lines_that_moved_with_an_own_change_are_those_that_were_read():
    """Only a note that says where they are now counts, and only of what still stands."""
    source = Source("file:///w/a.py", None, version_of(TEN))
    asked = assistant("a1", "", ("c1", "file_read", '{"path": "a.py"}'))
    answer = result("r1", "a1", "c1", TEN, "file_read", source=source)
    fold = Fold(LEDGER, [user("u1", "Read."), asked, answer])
    held = [shown for shown in fold.view.items() if shown.item == "r1.0"]
    moved, gone = ReadState((2, 3), "v2"), ReadState(None, "v3")

    def note(what, item, state):
        return Noted(id=item, at=AT, what=what, item=item, data=canonical(note_data(state)))

    assert read_states(held, []) == {"r1.0": ReadState(None, version_of(TEN))}
    assert read_states(held, [note(STALE, "r1.0", gone)]) == read_states(held, [])
    notes = [note(FRESH, "r1.0", moved), note(FRESH, "r9.0", gone)]
    assert read_states(held, notes) == {"r1.0": moved}
