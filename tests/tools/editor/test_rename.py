from dataclasses import replace

import pytest

from plimsoll.errors import ToolFailed
from plimsoll.tools.editor.knowledge import Position, RenameEdits, TextEdit
from plimsoll.tools.ports.intent import Intent
from tools.editor.conftest import LEDGER, USER

ASKED = {"path": "ledger.py", "symbol": "empty", "new_name": "blank"}
DIFF = (
    "--- a/ledger.py\n+++ b/ledger.py\n@@ -8,5 +8,5 @@\n"
    "         return len(self.rows)\n \n \n-def empty():\n+def blank():\n     return Ledger()\n"
    "--- a/user.py\n+++ b/user.py\n@@ -1,3 +1,3 @@\n"
    "-from ledger import Ledger, empty\n+from ledger import Ledger, blank\n \n"
    '-print(empty().count(), "count")\n+print(blank().count(), "count")'
)


def edit(line: int, first: int, last: int, text: str = "blank") -> TextEdit:
    return TextEdit(Position(line, first), Position(line, last), text)


@pytest.fixture
def renaming(editor, root):
    editor.renames = RenameEdits(
        files={
            root / "ledger.py": [edit(10, 4, 9)],
            root / "user.py": [edit(2, 6, 11), edit(0, 27, 32)],
        }
    )
    return editor


@pytest.fixture
def prepare(tools, context):
    async def prepared(**more) -> Intent:
        return await tools["rename"].prepare({**ASKED, **more}, context)

    return prepared


async def test_all_is_shown_exactly(prepare, renaming, root):
    intent = await prepare(line=11)
    assert intent.title == "Rename empty to blank in 2 files"
    assert intent.diff == DIFF
    assert intent.ask
    assert intent.wider is not None
    assert [place.path for place in intent.locations] == [root / "ledger.py", root / "user.py"]
    assert renaming.asked == [("ledger.py", Position(10, 4), "blank")]
    assert (root / "ledger.py").read_text() == LEDGER


async def test_all_is_changed(use, renaming, root, buffers):
    buffers.texts[root / "user.py"] = USER
    outcome = await use("rename", **ASKED)
    assert outcome.text == (
        "Renamed empty to blank in 2 files:\nledger.py (+1 -1 lines)\nuser.py (+2 -2 lines)"
    )
    assert [change.path.name for change in outcome.changes] == ["ledger.py", "user.py"]
    assert (root / "ledger.py").read_text() == LEDGER.replace("empty", "blank")
    assert buffers.texts[root / "user.py"] == USER.replace("empty", "blank")
    assert (root / "user.py").read_text() == USER


async def test_nothing_is_changed_where_one_file_has_moved_on(
    prepare, tools, context, renaming, root
):
    intent = await prepare()
    (root / "user.py").write_text(f"{USER}# more\n")
    with pytest.raises(ToolFailed, match=r"user.py has changed since the change was shown"):
        await tools["rename"].run(intent, context)
    assert (root / "ledger.py").read_text() == LEDGER


async def test_what_was_changed_before_a_failure_is_said(
    prepare, tools, context, renaming, root, buffers
):
    buffers.texts[root / "user.py"] = USER
    buffers.typing = [f"{USER}# typed\n"]
    outcome = await tools["rename"].run(await prepare(), context)
    assert outcome.failed
    assert "user.py was typed in" in outcome.text
    assert outcome.text.endswith("Changed before: ledger.py (+1 -1 lines)\nNot changed: user.py")
    assert [change.path.name for change in outcome.changes] == ["ledger.py"]


async def test_a_protected_file_is_asked_about_each_time(prepare, editor, root):
    (root / "setup.py").write_text("empty = 1\n")
    editor.renames = RenameEdits(files={root / "setup.py": [edit(0, 0, 5)]})
    intent = await prepare()
    assert intent.why_each_time is not None
    assert intent.wider is None


@pytest.mark.parametrize("linked", [False, True])
async def test_what_lies_outside_is_never_changed(linked, prepare, editor, root):
    outside = root.parent / "outside.py"
    outside.write_text("empty\n")
    (root / "inside.py").symlink_to(outside)
    editor.renames = RenameEdits(files={root / "inside.py" if linked else outside: [edit(0, 0, 5)]})
    with pytest.raises(ToolFailed, match=r"lies outside the workspace\. Nothing was changed"):
        await prepare()


@pytest.mark.parametrize(
    "edits",
    [
        [edit(40, 0, 1)],
        [edit(10, 4, 400)],
        [edit(10, 4, 9), edit(10, 6, 12)],
        [edit(10, 9, 4)],
        [edit(-1, 0, 0)],
    ],
)
async def test_edits_that_do_not_fit_change_nothing(edits, prepare, editor, root):
    editor.renames = RenameEdits(files={root / "ledger.py": edits})
    with pytest.raises(ToolFailed, match="does not fit its text"):
        await prepare()


async def test_files_that_would_move_are_refused(prepare, renaming):
    renaming.renames = replace(renaming.renames, other_changes=2)
    with pytest.raises(ToolFailed, match="make, move or delete 2 files"):
        await prepare()


async def test_nobody_who_can_rename_is_said(prepare, editor):
    with pytest.raises(ToolFailed, match="No editor here can rename empty"):
        await prepare()
    with pytest.raises(ToolFailed, match="is no name"):
        await prepare(new_name="a\nb")
    editor.renames = RenameEdits(files={})
    with pytest.raises(ToolFailed, match="No editor here can rename empty"):
        await prepare()
