"""Going back puts the agent's files back as they were, or names each with the reason."""

import asyncio
import stat
from datetime import datetime, timedelta

import pytest

from plimsoll.context.log.entries import Noted, Said
from plimsoll.context.log.notes import FILE
from plimsoll.session.checkpoints import changes, rewinding, since
from plimsoll.session.checkpoints import restoring as copies
from plimsoll.session.checkpoints.restoring import FileResult, Restored
from plimsoll.session.session import Session
from plimsoll.storage.sqlite import SqliteStore
from plimsoll.tools.files import restoring
from session.checkpoints.acts import (
    edit,
    left,
    opened,
    prompts,
    removed,
    restored,
    rewind_to,
    tree,
    turn,
    write,
)
from session.checkpoints.clocks import FileClock, early
from session.harness import SECRET, harness, redact


async def test_files_are_as_they_were_and_the_undo_brings_both_back(tmp_path):
    steps = (
        *turn(write("a.txt", "one\n"), write("new/b.txt", "b\n")),
        *turn(edit("a.txt", "one", "two")),
    )
    async with opened(tmp_path, *steps) as own:
        path = own.folder / "a.txt"
        path.write_text("none\n")
        path.chmod(0o640)
        await own.turn("First.")
        await own.turn("Second.")
        after, said = dict(tree(own.folder)), own.session.state.log.fold.view
        went = await rewind_to(own)
        assert went.restored == Restored((restored(own, "a.txt"), removed(own, "new/b.txt")), 0)
        assert dict(tree(own.folder)) == {"a.txt": b"none\n"}
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        taken = await own.session.undo(went.id)
        assert taken.receipt is None
        assert taken.restored == Restored((restored(own, "a.txt"), restored(own, "new/b.txt")), 0)
        assert dict(tree(own.folder)) == after
        assert own.session.state.log.fold.view == said
        await own.consistent()


async def test_going_back_in_the_middle_keeps_what_the_earlier_turn_made(tmp_path):
    steps = (*turn(write("a.txt", "one\n")), *turn(write("a.txt", "two\n")))
    async with opened(tmp_path, *steps) as own:
        await own.turn("First.")
        await own.turn("Second.")
        assert (await rewind_to(own, 1)).restored == Restored((restored(own, "a.txt"),), 0)
        assert dict(tree(own.folder)) == {"a.txt": b"one\n"}


async def test_to_an_answer_the_edit_that_it_made_stays(tmp_path):
    async with opened(tmp_path, *turn(write("a.txt", "one\n"))) as own:
        await own.turn("First.")
        said = [entry.id for entry in own.entries if isinstance(entry, Said)]
        assert (await own.session.rewind(said[1], files=True)).restored == Restored((), 0)
        assert dict(tree(own.folder)) == {"a.txt": b"one\n"}


async def test_without_the_word_files_stay(tmp_path):
    async with opened(tmp_path, *turn(write("a.txt", "one\n"))) as own:
        await own.turn("First.")
        went = await own.session.rewind(prompts(own)[0])
        assert went.restored is None
        assert dict(tree(own.folder)) == {"a.txt": b"one\n"}
        assert (await own.session.undo(went.id)).restored is None


async def test_what_somebody_changed_or_deleted_since_is_named_and_left(tmp_path):
    calls = [write(name, "agent\n") for name in ("changed", "deleted", "made", "kept")]
    async with opened(tmp_path, *turn(*calls)) as own:
        for name in ("changed", "deleted"):
            (own.folder / name).write_text("before\n")
        await own.turn("First.")
        (own.folder / "changed").write_text("person\n")
        (own.folder / "made").write_text("person\n")
        (own.folder / "deleted").unlink()
        went = await rewind_to(own)
        assert went.restored == Restored(
            (
                left(own, "changed", restoring.CHANGED),
                left(own, "deleted", restoring.DELETED),
                left(own, "made", restoring.CHANGED),
                removed(own, "kept"),
            ),
            0,
        )
        assert dict(tree(own.folder)) == {"changed": b"person\n", "made": b"person\n"}


async def test_what_somebody_changed_between_two_edits_is_not_lost(tmp_path):
    steps = (*turn(write("a.txt", "one\n")), *turn(edit("a.txt", "one", "two")))
    async with opened(tmp_path, *steps) as own:
        await own.turn("First.")
        (own.folder / "a.txt").write_text("one\nperson\n")
        await own.turn("Second.")
        assert (await rewind_to(own)).restored == Restored(
            (left(own, "a.txt", changes.BETWEEN),), 0
        )
        assert dict(tree(own.folder)) == {"a.txt": b"two\nperson\n"}


async def test_what_somebody_changed_since_the_rewind_is_left_by_its_undo(tmp_path):
    async with opened(tmp_path, *turn(write("a.txt", "one\n"), write("b.txt", "b\n"))) as own:
        (own.folder / "a.txt").write_text("before\n")
        await own.turn("First.")
        went = await rewind_to(own)
        (own.folder / "a.txt").write_text("person\n")
        (own.folder / "b.txt").write_text("person\n")
        taken = await own.session.undo(went.id)
        assert taken.restored == Restored(
            (left(own, "a.txt", restoring.CHANGED), left(own, "b.txt", restoring.MADE)), 0
        )
        assert set(dict(tree(own.folder)).values()) == {b"person\n"}


async def test_secrets_protected_and_large_files_are_named_and_not_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(changes, "LARGEST", 1_000)
    calls = [
        write("key.txt", "none\n"),
        write("Makefile", "all:\n"),
        write("large.txt", "x" * 1_001),
        write("fits.txt", "x" * 1_000),
    ]
    async with opened(tmp_path, *turn(*calls)) as own:
        (own.folder / "key.txt").write_text(f"{SECRET}\n")
        await own.turn("First.")
        went = await rewind_to(own)
        assert went.restored is not None
        key, make, large, fits = went.restored.files
        assert (key, large) == (
            left(own, "key.txt", changes.SENSITIVE),
            left(own, "large.txt", changes.TOO_LARGE),
        )
        assert make.action == "left"
        assert make.why == (
            "No copy of it was kept: Makefile: building, testing or installing runs what it says."
        )
        assert fits == removed(own, "fits.txt")
        blobs = list((tmp_path / "sessions").rglob("checkpoints/*"))
        assert [path.read_text() for path in blobs] == ["x" * 1_000]
        assert stat.S_IMODE(blobs[0].stat().st_mode) == 0o600


async def test_outside_of_the_folder_nothing_is_kept_or_put_back(tmp_path):
    async with opened(tmp_path, *turn(write("../out.txt", "agent\n"))) as own:
        await own.turn("First.")
        (found,) = (await rewind_to(own)).restored.files
        why = "No copy of it was kept: it lies outside of the folder."
        assert found == FileResult(tmp_path / "out.txt", "left", why)
        assert (tmp_path / "out.txt").read_text() == "agent\n"


@pytest.mark.parametrize("above", [False, True])
async def test_no_link_is_followed(tmp_path, above):
    async with opened(tmp_path, *turn(write("in/a.txt", "agent\n"))) as own:
        (own.folder / "in").mkdir()
        (own.folder / "in/a.txt").write_text("before\n")
        await own.turn("First.")
        moved = tmp_path / "elsewhere"
        place = own.folder / ("in" if above else "in/a.txt")
        place.rename(moved)
        place.symlink_to(moved)
        (found,) = (await rewind_to(own)).restored.files
        assert found == left(own, "in/a.txt", restoring.LINKED)
        assert (own.folder / "in/a.txt").read_text() == "agent\n"


async def test_a_link_that_is_swapped_in_at_the_last_moment_is_not_followed(tmp_path):
    async with opened(tmp_path, *turn(write("a.txt", "agent\n"))) as own:
        (own.folder / "a.txt").write_text("before\n")
        await own.turn("First.")
        append = own.session.state.append

        async def swapping(*entries):
            if not (own.folder / "a.txt").is_symlink():
                (own.folder / "a.txt").rename(tmp_path / "elsewhere")
                (own.folder / "a.txt").symlink_to(tmp_path / "elsewhere")
            await append(*entries)

        own.session.state.append = swapping
        went = await own.session.rewind(prompts(own)[0], files=True)
        assert went.restored == Restored((left(own, "a.txt", restoring.LINKED),), 0)
        assert (tmp_path / "elsewhere").read_text() == "agent\n"
        assert (await own.session.undo(went.id)).restored == Restored(
            (left(own, "a.txt", restoring.LINKED),), 0
        )


async def test_in_a_folder_that_is_not_trusted_nothing_is_written(tmp_path):
    async with opened(tmp_path, *turn(write("a.txt", "agent\n"))) as own:
        await own.turn("First.")
        own.trust[0] = False
        assert (await rewind_to(own)).restored.files == (left(own, "a.txt", copies.UNTRUSTED),)
        assert (own.folder / "a.txt").read_text() == "agent\n"


async def test_a_copy_that_is_gone_or_damaged_is_said(tmp_path):
    async with opened(tmp_path, *turn(write("a.txt", "1\n"), write("b.txt", "2\n"))) as own:
        for name in ("a.txt", "b.txt"):
            (own.folder / name).write_text(f"{name} before\n")
        await own.turn("First.")
        for path in (tmp_path / "sessions").rglob("checkpoints/*"):
            if path.read_text() == "a.txt before\n":
                path.unlink()
            elif path.read_text() == "b.txt before\n":
                path.write_text("forged")
        assert (await rewind_to(own)).restored.files == (
            left(own, "a.txt", copies.GONE),
            left(own, "b.txt", copies.GONE),
        )


@pytest.mark.slow
async def test_commands_are_counted_and_not_undone(tmp_path):
    run = {"name": "shell", "arguments": {"command": "echo ran > ran.txt"}}
    async with opened(tmp_path, *turn(run, write("a.txt", "1\n"))) as own:
        await own.turn("First.")
        assert (await rewind_to(own)).restored == Restored((removed(own, "a.txt"),), 1)
        assert dict(tree(own.folder)) == {"ran.txt": b"ran\n"}


async def test_an_edit_that_was_cancelled_as_it_was_made_is_named(tmp_path):
    async with opened(tmp_path, *turn(write("a.txt", "agent\n"))) as own:
        tool = own.project.environment.tools["file_write"]
        run = tool.run

        async def cancelled(intent, context):
            await run(intent, context)
            raise asyncio.CancelledError

        tool.run = cancelled
        assert (await own.turn("First.")).reason == "cancelled"
        assert (await rewind_to(own)).restored.files == (left(own, "a.txt", rewinding.INTERRUPTED),)


async def test_bytes_come_back_also_where_the_edit_changed_the_encoding(tmp_path):
    steps = turn(edit("latin.txt", "Grüße", "Hello"), edit("mark.txt", "one", "zwölf"))
    async with opened(tmp_path, *steps) as own:
        (own.folder / "latin.txt").write_bytes("Grüße\r\n".encode("latin-1"))
        (own.folder / "mark.txt").write_bytes(b"\xef\xbb\xbfone\n")
        before = dict(tree(own.folder))
        await own.turn("First.")
        await rewind_to(own)
        assert dict(tree(own.folder)) == before


async def test_after_a_restart_files_go_back_and_come_back(tmp_path):
    store = SqliteStore.in_memory(redact)
    async with opened(tmp_path, *turn(write("a.txt", "agent\n")), store=store) as own:
        (own.folder / "a.txt").write_text("before\n")
        await own.turn("First.")
        name = own.session.id
        await own.session.close()
        own.project.live.clear()
        own.session = await own.project.load(name)
        assert isinstance(own.session, Session)
        went = await rewind_to(own)
        assert (own.folder / "a.txt").read_text() == "before\n"
        await own.session.close()
        own.project.live.clear()
        own.session = await own.project.load(name)
        await own.session.undo(went.id)
        assert (own.folder / "a.txt").read_text() == "agent\n"


@pytest.mark.parametrize("before", [True, False])
async def test_after_a_crash_amid_it_the_undo_brings_all_back(tmp_path, before):
    """The note is written before the file: on whichever side a crash falls, both are known."""
    calls = [write("a.txt", "agent\n"), write("b.txt", "agent\n")]
    async with opened(tmp_path, *turn(*calls)) as own:
        (own.folder / "a.txt").write_text("before\n")
        await own.turn("First.")
        restorer = own.project.environment.files.restorer
        restore = restorer.restore

        async def dying(file, context):
            if not before:
                await restore(file, context)
            raise RuntimeError

        restorer.restore = dying
        with pytest.raises(RuntimeError):
            await own.session.rewind(prompts(own)[0], files=True)
        del restorer.restore
        notes = [e for e in own.entries if isinstance(e, Noted) and e.what == FILE]
        assert len(notes) == 4
        (rewound,) = own.session.state.log.fold.rewinds
        await own.session.undo(rewound)
        assert dict(tree(own.folder)) == {"a.txt": b"agent\n", "b.txt": b"agent\n"}
        assert (await rewind_to(own)).restored.files == (
            restored(own, "a.txt"),
            removed(own, "b.txt"),
        )


async def test_what_may_have_changed_before_the_agents_first_edit_is_named(tmp_path):
    calls = [write("a.txt", "agent\n"), write("made.txt", "agent\n")]
    async with harness(tmp_path, *turn(*calls), clock=early()) as own:
        (own.folder / "a.txt").write_text("person\n")
        await own.turn("First.")
        went = await rewind_to(own)
        assert went.restored.files == (
            FileResult(own.folder / "a.txt", "restored", since.CHANGED),
            FileResult(own.folder / "made.txt", "removed", since.APPEARED),
        )
        assert dict(tree(own.folder)) == {"a.txt": b"person\n"}
        assert (await own.session.undo(went.id)).restored.files == (
            restored(own, "a.txt"),
            restored(own, "made.txt"),
        )


async def test_one_that_is_as_wanted_already_is_named_too(tmp_path):
    async with harness(tmp_path, *turn(write("a.txt", "agent\n")), clock=early()) as own:
        (own.folder / "a.txt").write_text("person\n")
        await own.turn("First.")
        (own.folder / "a.txt").write_text("person\n")
        assert (await rewind_to(own)).restored.files == (left(own, "a.txt", since.CHANGED),)


async def test_what_the_agent_did_to_a_folder_says_nothing_of_its_next_file(tmp_path):
    clock = FileClock(tmp_path / "probe")
    names = ("a.txt", "in/b.txt", "in/c.txt", "d.txt", "in/deep/e.txt", "in/f.txt")
    async with harness(
        tmp_path, *turn(*(write(name, "x\n") for name in names)), clock=clock
    ) as own:
        # The folder is younger than the clock's first look.
        clock.tick()
        since_then = datetime.fromisoformat(clock.at) + timedelta(microseconds=since.CLOCK_STEP)
        while datetime.fromisoformat(clock.at) <= since_then:
            clock.tick()
        await own.turn("First.")
        assert (await rewind_to(own)).restored.files == tuple(removed(own, name) for name in names)


async def test_a_fork_goes_back_before_it_was_made_also_when_its_source_is_gone(tmp_path):
    steps = (*turn(write("a.txt", "one\n")), *turn(edit("a.txt", "one", "two")))
    async with opened(tmp_path, *steps) as own:
        (own.folder / "a.txt").write_text("none\n")
        await own.turn("First.")
        await own.turn("Second.")
        source = own.session.id
        own.session = await own.project.fork(source)
        await own.project.delete(source)
        assert (await rewind_to(own, 1)).restored.files == (restored(own, "a.txt"),)
        assert (own.folder / "a.txt").read_text() == "one\n"
        went = await rewind_to(own)
        assert went.restored.files == (restored(own, "a.txt"),)
        assert (own.folder / "a.txt").read_text() == "none\n"
        await own.session.undo(went.id)
        assert (own.folder / "a.txt").read_text() == "one\n"


async def test_a_fork_whose_copies_cannot_be_kept_names_the_files(tmp_path):
    async with opened(tmp_path, *turn(write("a.txt", "one\n"))) as own:
        (own.folder / "a.txt").write_text("none\n")
        await own.turn("First.")
        source = own.session.id
        clock = own.project.environment.clock
        number = int(clock.new_id("s")[1:]) + 1
        folder = tmp_path / "sessions" / f"s{number}"
        folder.write_text("in the way")
        own.session = await own.project.fork(source)
        assert own.session.id == folder.name
        assert (await rewind_to(own)).restored.files == (left(own, "a.txt", copies.GONE),)
