"""What was read of a file is found again wherever it stands; own changes are known."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import assistant, result, user
from plimsoll.context.log.entries import ItemState, Noted, Slot
from plimsoll.context.log.messages import Part, PartKind, Source, canonical
from plimsoll.context.log.notes import STALE
from plimsoll.context.view.view import RenderedItem
from plimsoll.session.turn.staleness import (
    MOST_NAMED,
    ReadState,
    Review,
    follow_own_change,
    mark_changed,
    place_of,
    review,
    stale_text,
    to_tell,
)
from plimsoll.storage.locate import ProjectPaths
from plimsoll.storage.locks.writers import Writers
from plimsoll.storage.sqlite import SqliteStore
from plimsoll.text.lines import lines_of, version_of, version_of_lines
from plimsoll.tools.ports.intent import TextChange
from session.harness import harness, redact

ROOT = Path("/work")
TEN = "".join(f"line {number}\n" for number in range(1, 11))


def read(item, text, lines=None, state=ItemState.VERBATIM, path="a.py"):
    rows = list(lines_of(text))
    version = None if lines is None else version_of_lines(rows[lines[0] - 1 : lines[1]])
    source = Source((ROOT / path).as_uri(), lines, version_of(text), version)
    part = Part(kind=PartKind.RESULT, text="shown", source=source)
    return RenderedItem(item=item, slot=Slot.TOOL_RESULTS, part=part, state=state, tokens=1)


def changed_text(before, after):
    return TextChange(path=Path("a.py"), before=before, after=after)


def stale_note(item):
    return Noted(id="n", at="", what=STALE, item=item, data=canonical({"line": 1}))


def state_of(text, lines):
    return ReadState(lines, version_of_lines(list(lines_of(text))[lines[0] - 1 : lines[1]]))


@pytest.mark.parametrize(
    ("text", "stale"),
    [
        (TEN, ()),
        ("new\n" + TEN, ("whole",)),
        (TEN.replace("line 9", "LINE 9"), ("whole",)),
        (TEN.replace("line 4", "LINE 4"), ("whole", "part")),
        (TEN.replace("\n", "\r\n"), ("whole",)),
        (None, ("whole", "part")),
    ],
)
def test_a_read_is_stale_by_its_own_lines_alone(text, stale):
    held = [read("whole", TEN), read("part", TEN, (3, 5))]
    assert review(held, [], text) == Review(stale, ())


def test_a_read_is_fresh_again_when_its_lines_are_as_they_were():
    held = [read("whole", TEN), read("part", TEN, (3, 5))]
    notes = [stale_note("whole"), stale_note("part")]
    assert review(held, notes, TEN) == Review((), ("whole", "part"))
    assert review(held, notes, "new\n" + TEN) == Review((), ("part",))


def test_a_selection_is_stale_by_a_change_of_its_lines():
    source = Source((ROOT / "a.py").as_uri(), (3, 5))
    part = Part(kind=PartKind.SELECTION, text="some", source=source)
    shown = RenderedItem(item="s", slot=Slot.USER, part=part, state=ItemState.VERBATIM, tokens=1)
    assert review([shown], [], TEN, line=6) == Review((), ())
    assert review([shown], [], TEN, line=5) == Review(("s",), ())


def test_lines_are_found_nearest_to_where_they_were():
    text = "a\nb\n" * 9
    assert place_of(state_of(text, (5, 6)), text, list(lines_of(text))) == 4
    shifted = "new\n" + text
    assert place_of(state_of(text, (5, 6)), shifted, list(lines_of(shifted))) in {3, 5}


LINES = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=12)


ROWS = st.lists(st.integers(0, 30).map(str), unique=True, min_size=2, max_size=20)
UNLIKE = ROWS.flatmap(
    lambda rows: st.integers(1, len(rows)).map(lambda cut: (rows[:cut], rows[cut:]))
)


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


def test_the_model_is_told_of_what_no_later_read_has():
    first, second = read("one", TEN, (3, 5)), read("two", TEN, (1, 2))
    again, gone = read("three", TEN, (2, 6)), read("four", TEN, state=ItemState.PRUNED)
    stale = frozenset({"one", "two", "four"})
    assert to_tell([first, second, again, gone], stale) == [second]
    assert to_tell([again, first], stale) == [first]


def test_files_are_named_with_the_lines_that_were_read():
    items = [read("1", TEN, (3, 5)), read("2", TEN, (7, 9)), read("3", TEN, path="b.py")]
    assert stale_text(items, ROOT) == (
        "[Changed since you read it: a.py (lines 3-5, 7-9), b.py. Read again what you need.]"
    )
    many = [read(str(number), TEN, path=f"{number}.py") for number in range(MOST_NAMED + 2)]
    assert "7.py, 2 more." in stale_text(many, ROOT)


async def test_what_another_window_writes_is_marked_by_that_window_alone(tmp_path):
    paths = ProjectPaths(tmp_path / "project")
    here, other = Writers(paths), Writers(paths)
    store = SqliteStore.in_memory(redact)
    store.writers = here
    async with harness(tmp_path, store=store) as own:
        state, path = own.session.state, own.folder.resolve() / "a.py"
        source = Source(path.as_uri(), None, version_of(TEN))
        call = assistant("a1", "", ("c1", "file_read", "{}"))
        read_of = result("r1", "a1", "c1", TEN, "file_read", source=source)
        await state.append(user("u1", "Read it."), call, read_of)
        paths.session(state.id).mkdir(parents=True)
        for writers in (other, here):
            writers.announce("window")
        assert other.claim(state.id) is None
        assert await mark_changed(state, path, "new\n") == Review((), ())
        other.keep_only(())
        assert await mark_changed(state, path, "new\n") == Review(("r1.0",), ())
