import pytest

from plimsoll.errors import ToolFailed
from plimsoll.tools.editor.knowledge import Diagnostic


def problem(path, message="it is wrong", line=3, severity="error") -> Diagnostic:
    return Diagnostic(path=path, line=line, severity=severity, message=message, source="ts 2322")


async def test_the_problems_of_the_workspace(use, editor, root):
    path, other = root / "ledger.py", root.parent / "other.py"
    told = [
        problem(path, "so\nso", severity="warning"),
        problem(path),
        problem(path, "x", 1, "hint"),
    ]
    editor.problems = [{path: told, other: [problem(other)]}]
    assert (await use("diagnostics")).text == (
        "ledger.py:3 error: it is wrong [ts 2322]\n"
        "ledger.py:3 warning: so so [ts 2322]\n[by the editor]"
    )


async def test_none_and_nobody_are_told_apart(use, editor, root):
    editor.problems = [{root / "ledger.py": []}, None, {}]
    assert (await use("diagnostics", path="ledger.py")).text == "[no problems]\n[by the editor]"
    with pytest.raises(ToolFailed, match="No editor here reports problems"):
        await use("diagnostics", path="ledger.py")
    with pytest.raises(ToolFailed, match=r"has not looked at ledger.py"):
        await use("diagnostics", path="ledger.py")


async def test_a_change_says_what_is_new(use, editor, root):
    path = root / "ledger.py"
    before, after = (
        [problem(path)],
        [problem(path, line=4), problem(path, "new"), problem(path, "w")],
    )
    editor.problems = [{path: before}, {path: after}]
    outcome = await use(
        "file_edit", path="ledger.py", old_string="self.rows", new_string="rows", replace_all=True
    )
    assert outcome.text == "Changed ledger.py (+2 -2 lines)."
    assert await outcome.afterwards() == (
        "New problems, by the editor:\n"
        "ledger.py:3 error: new [ts 2322]\nledger.py:3 error: w [ts 2322]"
    )
    assert editor.asked == [False, True]


async def test_what_was_not_known_before_is_not_said_to_be_new(use, editor, root):
    path = root / "new.py"
    editor.problems = [{}, {path: [problem(path), problem(path, "h", severity="information")]}]
    outcome = await use("file_write", path="new.py", content="x\n")
    assert await outcome.afterwards() == (
        "Problems there now, by the editor:\nnew.py:3 error: it is wrong [ts 2322]"
    )


async def test_without_an_editor_nothing_is_waited_for(use, editor):
    outcome = await use("file_write", path="new.py", content="x\n")
    assert outcome.afterwards is None
    assert editor.asked == [False]
