import pytest

from plimsoll.errors import ToolFailed
from plimsoll.tools.editor.knowledge import Place, Position, Symbol


async def test_a_definition_by_the_editor(use, editor, root):
    editor.places = {("user.py", 2, 6): [Place(root / "ledger.py", 11)]}
    outcome = await use("definition", symbol="empty", path="user.py", line=3)
    assert outcome.text == "ledger.py:11: def empty():\n[by the editor]"
    assert editor.asked == [Position(2, 6)]


async def test_a_name_that_first_stands_in_a_comment_is_tried_again(use, editor, root):
    editor.places = {("ledger.py", 6, 8): [Place(root / "ledger.py", 7)]}
    outcome = await use("definition", symbol="Ledger.count", path="ledger.py")
    assert outcome.text == "ledger.py:7: def count(self):\n[by the editor]"
    assert editor.asked == [Position(1, 7), Position(6, 8)]


async def test_characters_are_counted_as_the_wire_does(use, editor, root):
    (root / "wide.py").write_text("a = '😀'; empty()\n")
    await use("definition", symbol="empty", path="wide.py")
    assert editor.asked[0] == Position(0, 10)


async def test_a_definition_by_text(use):
    assert (await use("definition", symbol="count")).text == (
        "ledger.py:7: def count(self):\n[by text search]"
    )


async def test_a_definition_that_is_nowhere_is_said(use):
    with pytest.raises(ToolFailed, match=r"No definition of nowhere was found \[by text search\]"):
        await use("definition", symbol="nowhere")


async def test_a_name_that_does_not_stand_there_is_said(use):
    with pytest.raises(ToolFailed, match=r"empty does not stand on line 1 in ledger.py"):
        await use("definition", symbol="empty", path="ledger.py", line=1)
    with pytest.raises(ToolFailed, match="line needs the path"):
        await use("definition", symbol="empty", line=1)


async def test_uses_by_the_editor(use, editor, root):
    outside = Place(root.parent / "library.py", 9)
    used = [Place(root / "user.py", 3), Place(root / "user.py", 3), outside]
    editor.places = {("ledger.py", 10, 4): used}
    outcome = await use("references", symbol="empty", path="ledger.py", line=11)
    assert outcome.text == (
        'user.py:3: print(empty().count(), "count")\n'
        f"{outside.path}:9 (outside the workspace)\n[by the editor]"
    )


async def test_uses_of_what_the_editor_finds_by_its_name(use, editor, root):
    facts = {"kind": "function", "line": 11, "first": 11, "last": 12}
    editor.everywhere = [Symbol(name="empty", path=root / "ledger.py", **facts)]
    editor.places = {("ledger.py", 10, 4): [Place(root / "user.py", 1)]}
    assert (await use("references", symbol="empty")).text == (
        "user.py:1: from ledger import Ledger, empty\n[by the editor]"
    )


async def test_uses_by_text_are_whole_words(use, root):
    (root / "more.txt").write_text("counts\ncount_all\n")
    assert (await use("references", symbol="count")).text == (
        'ledger.py:2: """count is what it is for."""\n'
        "ledger.py:7: def count(self):\n"
        'user.py:3: print(empty().count(), "count")\n'
        "[by text search]"
    )


async def test_many_uses_are_counted(use, root):
    (root / "many.py").write_text("many\n" * 130)
    rows = (await use("references", symbol="many")).text.split("\n")
    assert rows[-2:] == ["[30 more not shown]", "[by text search]"]
    assert len(rows) == 102


async def test_what_is_outside_is_named_and_not_read(use, editor, root):
    secret = root.parent / "secret.txt"
    secret.write_text("the secret")
    (root / "link.py").symlink_to(secret)
    editor.places = {("user.py", 2, 6): [Place(root / "link.py", 1)]}
    outcome = await use("definition", symbol="empty", path="user.py", line=3)
    assert "the secret" not in outcome.text
    assert "(outside the workspace)" in outcome.text
