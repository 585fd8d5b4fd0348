"""What stands in an open buffer is the truth, saved or not."""

import pytest

from plimsoll.session.checkpoints import since
from plimsoll.session.checkpoints.restoring import Restored
from plimsoll.tools.files import restoring
from session.checkpoints.acts import left, opened, prompts, restored, rewind_to, turn, write


class Editor:
    """Open buffers, in which edits are made if the editor ``takes`` them."""

    def __init__(self, takes):
        self.takes, self.texts = takes, {}

    def open_files(self):
        return ()

    def open_text(self, path):
        return self.texts.get(path)

    async def apply_edit(self, path, before, after, label):
        if self.takes and self.texts.get(path) == before:
            self.texts[path] = after
        return self.takes


@pytest.mark.parametrize(
    ("takes", "buffer", "found"),
    [
        (True, "agent\n", ("restored", None)),
        (False, "agent\n", ("restored", None)),
        (True, "agent\ntyped", ("left", restoring.CHANGED)),
    ],
)
async def test_an_open_buffer_is_the_truth(tmp_path, takes, buffer, found):
    async with opened(tmp_path, *turn(write("a.txt", "agent\n"))) as own:
        path = own.folder / "a.txt"
        path.write_text("before\n")
        await own.turn("First.")
        editor = Editor(takes)
        editor.texts[path] = buffer
        object.__setattr__(own.session.state.environment.call_context, "documents", editor)
        (result,) = (await rewind_to(own)).restored.files
        assert (result.action, result.why) == found
        changed = editor.texts[path] if takes else path.read_text()
        assert changed == ("before\n" if found[0] == "restored" else buffer)


async def test_a_created_file_with_unsaved_changes_stays(tmp_path):
    async with opened(tmp_path, *turn(write("a.txt", "one\n"))) as own:
        await own.turn("First.")
        path, editor = own.folder / "a.txt", Editor(takes=True)
        editor.texts[path] = "one\n"
        object.__setattr__(own.session.state.environment.call_context, "documents", editor)
        path.write_text("on disk")
        went = await own.session.rewind(prompts(own)[0], files=True)
        assert went.restored == Restored((left(own, "a.txt", restoring.UNSAVED),), 0)
        assert path.read_text() == "on disk"


@pytest.mark.parametrize(("unsaved", "why"), [(False, None), (True, since.CHANGED)])
async def test_unsaved_changes_may_be_later_than_the_prompt(tmp_path, unsaved, why):
    async with opened(tmp_path, *turn(write("a.txt", "one\n"))) as own:
        path, editor = own.folder / "a.txt", Editor(takes=True)
        path.write_text("saved\n")
        editor.texts[path] = "unsaved\n" if unsaved else "saved\n"
        object.__setattr__(own.session.state.environment.call_context, "documents", editor)
        await own.turn("First.")
        assert path.read_text() == "saved\n"
        (found,) = (await rewind_to(own)).restored.files
        assert (found.action, found.why) == ("restored", why)


async def test_what_the_agent_left_unsaved_is_no_change_by_somebody_else(tmp_path):
    steps = (*turn(write("a.txt", "one\n")), *turn(write("a.txt", "two\n")))
    async with opened(tmp_path, *steps) as own:
        path, editor = own.folder / "a.txt", Editor(takes=True)
        editor.texts[path] = "none\n"
        object.__setattr__(own.session.state.environment.call_context, "documents", editor)
        await own.turn("First.")
        own.session.state.clock.at = "2200-01-02T00:00:00.000Z"
        await own.turn("Second.")
        assert (await rewind_to(own, 1)).restored.files == (restored(own, "a.txt"),)
        assert editor.texts[path] == "one\n"
