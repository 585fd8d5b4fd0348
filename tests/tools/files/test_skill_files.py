"""Skills on disk: which count, what is read of them, and what leads out."""

import os
from pathlib import Path

import pytest

from plimsoll.errors import ToolFailed
from plimsoll.tools.files.front_matter import front_matter
from plimsoll.tools.files.skill_files import MOST_BYTES, SkillFolders
from session.layers.skill_folders import make_skill


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return (tmp_path / "work").resolve()


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "own"


def names(found) -> list[tuple[str, str]]:
    return [(one.name, one.source) for one in found]


@pytest.mark.parametrize(
    ("head", "name", "description"),
    [
        ("name: pdf\ndescription: Reads PDFs.", "pdf", "Reads PDFs."),
        ("name: 'pdf'\ndescription: 'It''s so.' ", "pdf", "It's so."),
        ('name: "pdf"\ndescription: "a \\"b\\" c: d"', "pdf", 'a "b" c: d'),
        ("name: pdf # a comment\ndescription: >-\n  one\n  two\nlicense: MIT", "pdf", "one two"),
        ("name: pdf\ndescription: |\n  one\n  two", "pdf", "one\ntwo"),
        ("name: pdf\ndescription: one\n  goes on", "pdf", "one goes on"),
        ("metadata:\n  name: no\n  description: no\nname: pdf\ndescription: x", "pdf", "x"),
        ("name: [a, b]\n- description: x\n? y", "[a, b]", ""),
    ],
)
def test_the_front_matter_is_read_in_the_forms_that_people_write(head, name, description):
    found = front_matter(f"---\n{head}\n---\nThe text.")
    assert (found.name, found.description, found.body) == (name, description, "The text.")
    assert not found.allowed_tools


@pytest.mark.parametrize("text", ["", "no head", "---\nname: x\nnever ends", " ---\nname: x\n---"])
def test_without_a_front_matter_all_is_the_text(text):
    found = front_matter(text)
    assert (found.name, found.description, found.body) == ("", "", text)


def test_all_places_are_found_the_own_ones_first_and_a_name_once(root: Path, own: Path):
    make_skill(own, "deploy", "Mine.")
    make_skill(root / ".agents/skills", "deploy", "Theirs.")
    make_skill(root / ".agents/skills", "review")
    make_skill(root / ".claude/skills", "pdf", allowed_tools="Bash(rm *)")
    (root / ".claude/skills/empty").mkdir()
    (root / ".claude/skills/file").write_text("x")
    make_skill(root / ".claude/skills", "silent", "")
    folders = SkillFolders(root, [own, own.parent / "missing"])
    found = folders.find(trusted=True)
    assert names(found) == [("deploy", "person"), ("review", "folder"), ("pdf", "folder")]
    assert [one.asks_for_tools for one in found] == [False, False, True]
    assert found[0].description == "Mine."
    assert names(folders.find(trusted=False)) == [("deploy", "person")]


def test_a_name_that_is_none_gives_way_to_that_of_the_folder(root: Path, own: Path):
    folder = make_skill(own, "tidy-up")
    (folder / "SKILL.md").write_text("---\nname: a]\\n[b\ndescription: x\n---\n")
    make_skill(own, "[bad name]")
    assert names(SkillFolders(root, [own]).find(trusted=True)) == [("tidy-up", "person")]


def test_the_text_comes_without_its_front_matter_and_names_the_other_files(root: Path, own: Path):
    folder = make_skill(own, "pdf", body="Step 1.")
    (folder / "references").mkdir()
    (folder / "references/api.md").write_text("The API.")
    (folder / ".hidden").write_text("x")
    folders = SkillFolders(root, [own])
    (skill,) = folders.find(trusted=True)
    text = folders.read(skill, None)
    assert (text.text, text.others) == ("Step 1.", ("references/api.md",))
    assert folders.read(skill, "references/api.md").text == "The API."


@pytest.mark.parametrize("name", ["../../secret", "link", "below/secret", "\0", " ", "/etc/passwd"])
def test_what_leads_out_of_a_skill_is_refused(root: Path, own: Path, name: str):
    folder = make_skill(own, "pdf")
    (own.parent / "secret").write_text("hush")
    (folder / "link").symlink_to(own.parent / "secret")
    (folder / "below").symlink_to(own.parent)
    folders = SkillFolders(root, [own])
    (skill,) = folders.find(trusted=True)
    with pytest.raises(ToolFailed, match=r"leads out|is a path below"):
        folders.read(skill, name)


def test_a_folders_skill_that_leads_out_of_the_workspace_is_none(root: Path, tmp_path: Path):
    make_skill(tmp_path / "elsewhere", "out")
    place = root / ".agents/skills"
    place.mkdir(parents=True)
    (place / "out").symlink_to(tmp_path / "elsewhere/out")
    inner = place / "inner"
    inner.mkdir()
    (inner / "SKILL.md").symlink_to(tmp_path / "elsewhere/out/SKILL.md")
    assert SkillFolders(root, []).find(trusted=True) == ()
    # A person's own links are theirs, and one within the workspace stays in it.
    assert names(SkillFolders(root, [place]).find(trusted=False)) == [("out", "person")]
    (root / ".claude").symlink_to(root / ".agents")
    make_skill(place, "here")
    assert names(SkillFolders(root, []).find(trusted=True)) == [("here", "folder")]


def test_a_skill_that_was_swapped_for_a_link_is_not_followed(root: Path, own: Path):
    folder = make_skill(own, "pdf")
    folders = SkillFolders(root, [own])
    (skill,) = folders.find(trusted=True)
    (own.parent / "secret").write_text("hush")
    (folder / "SKILL.md").unlink()
    (folder / "SKILL.md").symlink_to(own.parent / "secret")
    with pytest.raises(ToolFailed, match="leads out"):
        folders.read(skill, None)


def test_what_is_no_text_or_too_long_is_said(root: Path, own: Path):
    folder = make_skill(own, "pdf")
    (folder / "image.png").write_bytes(b"\x89PNG\0")
    (folder / "long.md").write_text("x" * (MOST_BYTES + 5))
    os.mkfifo(folder / "pipe")
    folders = SkillFolders(root, [own])
    (skill,) = folders.find(trusted=True)
    for name, told in (
        ("image.png", "not a text file"),
        ("pipe", "pipe"),
        ("none.md", "does not exist"),
    ):
        with pytest.raises(ToolFailed, match=told):
            folders.read(skill, name)
    assert folders.read(skill, "long.md").text.endswith("100,000 bytes are read]")
