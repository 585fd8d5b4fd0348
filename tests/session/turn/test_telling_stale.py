"""The model is told of files that are not as it read them."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from builders import assistant, result, user
from plimsoll.context.log.entries import Entry, ItemState
from plimsoll.context.log.messages import Source
from plimsoll.session.turn.telling_stale import (
    MOST_NAMED,
    NOTHING_STALE,
    SLOT,
    stale_text,
    tell_stale,
    to_tell,
)
from plimsoll.text.lines import version_of
from session.harness import Harness, harness
from session.turn.reads import ROOT, TEN, read


def test_the_model_is_told_of_what_no_later_read_has():
    first, second = read("one", TEN, (3, 5)), read("two", TEN, (1, 2))
    again, gone = read("three", TEN, (2, 6)), read("four", TEN, state=ItemState.PRUNED)
    stale = frozenset({"one", "two", "four"})
    assert to_tell([first, second, again, gone], stale) == [second]
    assert to_tell([again, first], stale) == [first]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ((3, 5), (3, 5), False),
        ((3, 5), (4, 5), True),
        ((3, 5), (3, 4), True),
        ((3, 5), None, False),
        (None, (1, 10), True),
        (None, None, False),
    ],
)
def test_a_later_read_counts_if_it_has_every_line(old, new, told):
    first, second = read("one", TEN, old), read("two", TEN, new)
    assert to_tell([first, second], {"one"}) == [first] * told


def test_files_are_named_with_the_lines_that_were_read():
    items = [read("1", TEN, (3, 5)), read("2", TEN, (7, 9)), read("3", TEN, path="b.py")]
    assert stale_text(items, ROOT) == (
        "[Changed since you read it: a.py (lines 3-5, 7-9), b.py. Read again what you need.]"
    )


@pytest.mark.parametrize(
    ("lines", "place"),
    [
        ([(3, 3)], "a.py (line 3)"),
        ([(3, 5)], "a.py (lines 3-5)"),
        ([(3, 3), (3, 3)], "a.py"),
        ([(3, 3), (7, 7)], "a.py (lines 3, 7)"),
        ([(3, 3), None], "a.py"),
    ],
)
def test_a_file_is_named_by_its_lines_where_all_of_its_reads_have_some(lines, place):
    items = [read(str(number), TEN, each) for number, each in enumerate(lines)]
    assert stale_text(items, ROOT).split("it: ")[1].split(". Read")[0] == place


@pytest.mark.parametrize(("more", "end"), [(0, "7.py"), (1, "7.py, 1 more"), (2, "7.py, 2 more")])
def test_a_few_files_are_named_and_the_others_counted(more, end):
    many = [read(str(number), TEN, path=f"{number}.py") for number in range(MOST_NAMED + more)]
    assert f"{end}. Read again" in stale_text(many, ROOT)


def reads(folder: Path, *names: str) -> list[Entry]:
    """Reads of files of the folder as they are now, each of its own message."""
    said: list[Entry] = [user("u1", "Read.")]
    for name in names:
        text = (folder / name).read_text()
        source = Source((folder / name).as_uri(), None, version_of(text))
        said.append(assistant(f"a-{name}", "", (f"c-{name}", "file_read", "{}")))
        said.append(result(f"r-{name}", f"a-{name}", f"c-{name}", text, "file_read", source=source))
    return said


@asynccontextmanager
async def having_read(tmp_path: Path, *names: str) -> AsyncIterator[Harness]:
    """A session that has read these files of its folder and was told that nothing has changed."""
    async with harness(tmp_path, files=True) as own:
        folder = own.folder.resolve()
        for name in names:
            (folder / name).write_text(f"the {name}\n")
        await own.session.state.append(*reads(folder, *names))
        await tell_stale(own.session.state)
        assert told(own) is None
        yield own


def told(own: Harness) -> str | None:
    frame = own.session.state.log.fold.frames.get(SLOT)
    return None if frame is None else frame.text


async def test_before_a_request_the_model_is_told_of_files_that_changed_and_that_are_gone(tmp_path):
    async with having_read(tmp_path, "a.py", "b.py", "c.py") as own:
        (own.folder / "a.py").write_text("something else\n")
        (own.folder / "b.py").unlink()
        await tell_stale(own.session.state)
        assert told(own) == "[Changed since you read it: a.py, b.py. Read again what you need.]"
        said = len(own.entries)
        await tell_stale(own.session.state)
        assert len(own.entries) == said, "told once"
        for name in ("a.py", "b.py"):
            (own.folder / name).write_text(f"the {name}\n")
        await tell_stale(own.session.state)
        assert told(own) == NOTHING_STALE
        await own.consistent()


async def test_a_file_that_cannot_be_read_any_more_is_not_said_to_have_changed(tmp_path):
    async with having_read(tmp_path, "a.py") as own:
        (own.folder / "a.py").write_bytes(b"\x00\xff\x00 no text")
        await tell_stale(own.session.state)
        assert told(own) is None


async def test_of_very_many_files_the_newest_are_looked_at(tmp_path):
    names = [f"{number}.py" for number in range(150)]
    async with having_read(tmp_path, *names) as own:
        for name in (names[0], names[80]):
            (own.folder / name).write_text("something else\n")
        await tell_stale(own.session.state)
        assert told(own) == "[Changed since you read it: 80.py. Read again what you need.]"


async def test_a_change_that_keeps_the_size_or_the_time_is_seen(tmp_path):
    async with having_read(tmp_path, "a.py", "b.py") as own:
        for name, text in (("a.py", "THE a.py\n"), ("b.py", "the b.py, longer\n")):
            path = own.folder / name
            before = path.stat().st_mtime_ns
            path.write_text(text)
            os.utime(path, ns=(before, before + (name == "a.py")))
        await tell_stale(own.session.state)
        assert told(own) == "[Changed since you read it: a.py, b.py. Read again what you need.]"


async def test_a_file_is_compared_up_to_five_megabytes(tmp_path):
    for size, changed in ((5_000_001, None), (5_000_000, "a.py")):
        async with having_read(tmp_path / str(size), "a.py") as own:
            (own.folder / "a.py").write_text("x" * size)
            await tell_stale(own.session.state)
            assert (told(own) is None) is (changed is None)


async def test_the_request_behind_a_change_says_so(tmp_path):
    read_it = {"calls": [{"name": "file_read", "arguments": {"path": "a.py"}}]}
    async with harness(tmp_path, read_it, *[{"text": "Yes."}] * 2, files=True) as own:
        (own.folder / "a.py").write_text("one\n")
        await own.turn("Read it.")
        (own.folder / "a.py").write_text("two\n")
        await own.turn("And now?")
        sent = ["\n".join(m.text for m in request.messages) for request in own.provider.requests]
        assert ["[Changed since you read it: a.py" in text for text in sent] == [False, False, True]
        await own.consistent()
