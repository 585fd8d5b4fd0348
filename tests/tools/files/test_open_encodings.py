"""Edits of open buffers whose files are not UTF-8: nothing goes in that saving would lose."""

from pathlib import Path

import pytest

from plimsoll.errors import ToolFailed
from tools.conftest import Buffers, Use

TEXT = "Ärger über Öl\nLIMIT = 5\n"


def opened(root: Path, buffers: Buffers, text: str, encoding: str, typed: str = "") -> Path:
    path = root / "old.txt"
    path.write_bytes(text.encode(encoding))
    buffers.texts[path] = text + typed
    return path


@pytest.mark.parametrize("typed", ["", "typed → too\n"], ids=["saved", "typed in"])
async def test_a_character_that_the_encoding_of_the_file_lacks(
    use: Use, root: Path, buffers: Buffers, typed: str
) -> None:
    path = opened(root, buffers, TEXT, "latin-1", typed)
    with pytest.raises(ToolFailed, match=r"old\.txt is latin-1, which has no '\\u65e5'"):
        await use("file_edit", path="old.txt", old_string="= 5", new_string="= 日")
    assert buffers.texts[path] == TEXT + typed
    await use("file_edit", path="old.txt", old_string="= 5", new_string="= ß")
    assert buffers.texts[path] == (TEXT + typed).replace("5", "ß")


async def test_the_editor_knows_better_in_which_encoding_it_has_read_a_file(
    use: Use, root: Path, buffers: Buffers
) -> None:
    path = opened(root, buffers, "日本\nLIMIT = 5\n", "shift_jis")
    await use("file_edit", path="old.txt", old_string="= 5", new_string="= 値")
    assert buffers.texts[path] == "日本\nLIMIT = 値\n"
    buffers.texts[path] = "ú{\nLIMIT = 5\n"
    await use("file_edit", path="old.txt", old_string="= 5", new_string="= €")
    assert buffers.texts[path] == "ú{\nLIMIT = €\n"
