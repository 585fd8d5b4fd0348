"""`/rewind`: the prompts with their numbers, and going back to one."""

import pytest

from plimsoll.errors import InvalidInput, NotFound
from plimsoll.session.commands.rewinding import aim_of, foreseen, prompts_of
from plimsoll.session.commands.slash import Slash, run_slash
from plimsoll.session.ports.content import PromptText
from plimsoll.session.project import Project
from session.checkpoints.clocks import late
from session.harness import Harness, harness

PERSONS = "It was changed since the agent's last edit of it."


def write(path, text):
    return {"name": "file_write", "arguments": {"path": path, "content": text}}


STEPS = (
    {"calls": [write("a.txt", "one\n"), write("b.txt", "b\n"), write("new.txt", "new\n")]},
    {"text": "Done."},
    {"text": "Yes."},
)


async def typed(own: Harness, text: str) -> str:
    name, _, rest = text.removeprefix("/").partition(" ")
    assert isinstance(own.project, Project)
    return (await run_slash(Slash(name, rest), own.project, own.session)).markdown


async def changed(own: Harness) -> None:
    """Two turns; the first one changes files, of which a person changes one again."""
    (own.folder / "a.txt").write_text("none\n")
    await own.turn("Change  the files,\nplease.")
    await own.turn("Is it done?")
    (own.folder / "b.txt").write_text("person\n")


async def test_alone_it_lists_the_prompts(tmp_path):
    async with harness(tmp_path, *STEPS) as own:
        assert await typed(own, "/rewind") == "Nothing was said yet."
        await changed(own)
        assert await typed(own, "/rewind") == (
            "1. Change the files, please.\n2. Is it done?\n\n"
            "`/rewind N` goes back to prompt N, `/rewind N files` puts files back as they were "
            "then too."
        )


async def test_of_many_prompts_the_newest_are_listed(tmp_path):
    async with harness(tmp_path, {"text": "Yes."}, script="echo") as own:
        for number in range(1, 32):
            await own.turn(f"Prompt {number}.")
        told = await typed(own, "/rewind")
        assert told.startswith("1 earlier one is not shown.\n\n2. Prompt 2.\n3. Prompt 3.\n")
        assert "\n31. Prompt 31.\n" in told


async def test_without_the_word_files_stay(tmp_path):
    async with harness(tmp_path, *STEPS) as own:
        await changed(own)
        told = await typed(own, "/rewind 1")
        assert told.startswith(
            "Prompt 1 and what came after it have left the conversation.\n\n"
            "Files stay as they are.\n\n`/undo "
        )
        assert (own.folder / "a.txt").read_text() == "one\n"
        fold = own.session.state.log.fold
        assert prompts_of(fold) == []
        assert [group.visible for group in fold.groups if group.visible] == []


async def test_the_prompt_comes_back_as_it_was_typed_and_the_undo_brings_all_back(tmp_path):
    async with harness(tmp_path, *STEPS) as own:
        await changed(own)
        assert isinstance(own.project, Project)
        said = [each for group in own.session.state.log.fold.groups for each in group.visible]
        reply = await run_slash(Slash("rewind", "2"), own.project, own.session)
        assert reply.draft == PromptText("Is it done?", ())
        fold = own.session.state.log.fold
        assert [each.words for each in prompts_of(fold)] == ["Change the files, please."]
        (rewind,) = fold.rewinds
        await typed(own, f"/undo {rewind}")
        assert [each for group in fold.groups for each in group.visible] == said


async def test_only_to_before_a_prompt_can_be_gone_back(tmp_path):
    async with harness(tmp_path, {"text": "Yes."}) as own:
        await own.turn("Hello.")
        answer = own.session.state.log.fold.groups[-1].visible[-1]
        with pytest.raises(InvalidInput):
            await own.session.rewind(answer.id, before=True)


async def test_with_it_each_file_is_put_back_or_named_and_the_undo_is_told(tmp_path):
    async with harness(tmp_path, *STEPS, clock=late()) as own:
        await changed(own)
        told = await typed(own, "/rewind 1 files")
        (rewind,) = own.session.state.log.fold.rewinds
        assert told == (
            "Prompt 1 and what came after it have left the conversation.\n\n2 files restored.\n\n"
            f"Left as they are:\n\n- `b.txt`: {PERSONS}\n\n"
            f"`/undo {rewind}` takes that back, until something new is said."
        )
        assert (own.folder / "a.txt").read_text() == "none\n"
        assert not (own.folder / "new.txt").exists()
        assert "2 files restored." in await typed(own, f"/undo {rewind}")
        assert (own.folder / "new.txt").read_text() == "new\n"


async def test_what_would_be_done_is_told_file_by_file_and_nothing_is_done(tmp_path):
    async with harness(tmp_path, *STEPS, clock=late()) as own:
        await changed(own)
        before = list(own.entries)
        fold = own.session.state.log.fold
        assert await foreseen(own.session, aim_of("1 files", fold)) == (
            "Back to prompt 1, \u201cChange the files, please.\u201d: it and what came after it "
            "leave the conversation.\n\n2 files would be restored.\n\n"
            "- `a.txt` would be as it was then\n- `new.txt` would be removed\n\n"
            f"Would be left as they are:\n\n- `b.txt`: {PERSONS}"
        )
        assert (await foreseen(own.session, aim_of("2", fold))).endswith("Files stay as they are.")
        assert own.entries == before
        assert (own.folder / "a.txt").read_text() == "one\n"


@pytest.mark.parametrize(
    ("rest", "error"),
    [("0", InvalidInput), ("x", InvalidInput), ("1 all", InvalidInput), ("2", NotFound)],
)
async def test_another_word_or_number_is_refused(tmp_path, rest, error):
    async with harness(tmp_path, {"text": "Yes."}) as own:
        await own.turn("Hello.")
        with pytest.raises(error):
            await typed(own, f"/rewind {rest}")
