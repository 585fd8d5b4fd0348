"""A read becomes stale by a change of its lines, and fresh again when they are as they were."""

import pytest

from builders import assistant, result, user
from plimsoll.context.log.entries import ItemState, Noted, Slot
from plimsoll.context.log.messages import Part, PartKind, Source, canonical
from plimsoll.context.log.notes import STALE
from plimsoll.context.view.view import RenderedItem
from plimsoll.session.ports.environment import LastEdit
from plimsoll.session.turn.staleness import Review, edited_elsewhere, mark_changed, review
from plimsoll.storage.locate import ProjectPaths
from plimsoll.storage.locks.writers import Writers
from plimsoll.storage.sqlite import SqliteStore
from plimsoll.text.lines import version_of
from session.harness import harness, redact
from session.turn.reads import ROOT, TEN, read


def stale_note(item):
    return Noted(id="n", at="", what=STALE, item=item, data=canonical({"line": 1}))


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


@pytest.mark.parametrize(
    ("session", "now", "known", "told"),
    [
        ("s2", "new\n", "new\n", True),
        ("", "new\n", "new\n", False),
        ("s2", "newer\n", "new\n", False),
        ("s2", TEN, TEN, False),
    ],
    ids=["another session", "this one", "and somebody since", "what was read still stands"],
)
async def test_what_another_session_has_changed_since_it_was_read_is_known(
    tmp_path, session, now, known, told
):
    async with harness(tmp_path, files=True) as own:
        state, path = own.session.state, own.folder.resolve() / "a.py"
        path.write_text(now)
        edit = LastEdit(session or state.id, "Other", version_of(known))
        state.files.last_edits[path] = edit
        assert await edited_elsewhere(state.files, state.log, path) is None, "it was not read"
        source = Source(path.as_uri(), None, version_of(TEN))
        call = assistant("a1", "", ("c1", "file_read", "{}"))
        read_of = result("r1", "a1", "c1", TEN, "file_read", source=source)
        await state.append(user("u1", "Read it."), call, read_of)
        assert await edited_elsewhere(state.files, state.log, path) == (edit if told else None)
