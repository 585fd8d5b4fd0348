"""The file by which a folder suggests a project: read with care, as anybody may have written it."""

from pathlib import Path

import pytest

from plimsoll.errors import InvalidInput
from plimsoll.storage.shared.project_file import (
    read_suggestion,
    refuse_other_suggestion,
    write_suggestion,
)
from plimsoll.storage.shared.status import SuggestedProject

ID = "11111111-2222-4333-8444-555555555555"


def write(root: Path, text: str) -> None:
    (root / ".plimsoll").mkdir()
    (root / ".plimsoll/project").write_text(text)


@pytest.mark.parametrize("name", ["harbour", 'a "b" \\ c', "Häfen, größer"])
def test_what_is_written_is_read(tmp_path: Path, name: str):
    suggested = SuggestedProject(project=ID, name=name)
    write_suggestion(tmp_path, suggested)
    assert read_suggestion(tmp_path) == suggested


def test_a_file_that_is_there_is_never_replaced(tmp_path: Path):
    refuse_other_suggestion(tmp_path)
    write(tmp_path, "")
    suggested = SuggestedProject(project=ID, name="harbour")
    with pytest.raises(InvalidInput, match=r"has a file \.plimsoll/project already"):
        refuse_other_suggestion(tmp_path)
    with pytest.raises(InvalidInput) as refused:
        write_suggestion(tmp_path, suggested)
    assert refused.value.remedy == f'Write it yourself: id = "{ID}" name = "harbour"'
    assert (tmp_path / ".plimsoll/project").read_text() == ""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not TOML",
        f'id = "{ID}"',
        'id = "harbour"\nname = "harbour"',
        f'id = 7\nname = "{ID}"',
        f'id = "{ID}"\nname = ""',
        f'id = "{ID}"\nname = "two\\nlines"',
        f'id = "{ID}"\nname = "\\u202Eoverridden"',
        f'id = "{ID}"\nname = "{"x" * 201}"',
        f'id = "{ID}"\nname = "{"x" * 5000}"',
    ],
)
def test_what_is_no_suggestion_is_left_out(tmp_path: Path, text: str):
    write(tmp_path, text)
    assert read_suggestion(tmp_path) is None


def test_no_file_a_folder_in_its_place_and_odd_bytes(tmp_path: Path):
    assert read_suggestion(tmp_path) is None
    (tmp_path / ".plimsoll/project").mkdir(parents=True)
    assert read_suggestion(tmp_path) is None
    (tmp_path / ".plimsoll/project").rmdir()
    (tmp_path / ".plimsoll/project").write_bytes(b"\xff")
    assert read_suggestion(tmp_path) is None
