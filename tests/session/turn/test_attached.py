"""What goes along for ``@changes``: lists of names, then what fits of the diffs."""

from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.errors import InvalidInput, ToolFailed
from plimsoll.session.ports.content import Attachable, Excerpt, PromptText, RepositoryChanges
from plimsoll.session.turn.attached import changes_text, read_changes
from plimsoll.terminal.mentions import content_of
from plimsoll.tools.ports.repository import DiffOfFiles, WorkingChanges
from session.harness import harness
from session.known_repository import know

CHANGES = WorkingChanges(
    staged=DiffOfFiles(("M a.py", "A .env"), "--- a/a.py\n"),
    unstaged=DiffOfFiles(("R b.py -> c.py",), "--- a/b.py\n"),
    untracked=("new/",),
    withheld=(".env",),
)
TEXT = """\
# Staged
M a.py
A .env
# Not staged
R b.py -> c.py
# Untracked, names alone
new/
# Left out, as their names are those of files with secrets
.env
# Diff of what is staged
--- a/a.py

# Diff of what is not staged
--- a/b.py
"""
NOTHING = WorkingChanges(staged=DiffOfFiles(), unstaged=DiffOfFiles(), untracked=(), withheld=())


def test_all_names_stand_before_what_is_cut():
    assert changes_text(CHANGES, str) == TEXT
    assert changes_text(CHANGES, lambda _: "[cut]").endswith(".env\n[cut]")
    many = tuple(f"{number}.py" for number in range(107))
    rows = changes_text(replace(NOTHING, untracked=many), str).splitlines()
    assert rows[-2:] == ["99.py", "[7 more are not listed]"]


async def read(
    folder: Path, changes: WorkingChanges | ToolFailed, *, trusted: bool = True
) -> tuple[Attachable, ...]:
    async with harness(folder) as h:
        know(h.session.state, changes, trusted=trusted)
        state, content = h.session.state, (PromptText("See"), RepositoryChanges())
        context = state.environment.call_context
        return await read_changes(content, context, state.load.next_request)


async def test_it_is_bounded_as_a_result_is_and_says_what_is_left_out(tmp_path: Path):
    long = DiffOfFiles(("M a.py",), "".join(f"+line {number}\n" for number in range(9_000)))
    text, excerpt = await read(tmp_path, replace(NOTHING, unstaged=long))
    assert text == PromptText("See")
    assert isinstance(excerpt, Excerpt)
    assert excerpt.title == "changes: 1 not staged"
    assert excerpt.text.startswith("# Not staged\nM a.py\n# Diff of what is not staged\n+line 0\n")
    assert "[truncated: 9,002 lines" in excerpt.text
    assert len(excerpt.text) < 40_000
    assert excerpt.text.endswith("+line 8999\n")


async def test_without_anything_to_say_nothing_is_sent(tmp_path: Path):
    with pytest.raises(InvalidInput, match="nothing is changed in this folder"):
        await read(tmp_path, NOTHING)
    with pytest.raises(InvalidInput, match="@changes: Git is away"):
        await read(tmp_path, ToolFailed("Git is away"))
    with pytest.raises(InvalidInput, match="not trusted"):
        await read(tmp_path, CHANGES, trusted=False)


def test_a_file_of_that_name_is_meant_before_the_changes(tmp_path: Path):
    prompt = PromptText('Why @changes? "@changes" @changes-log')
    assert content_of(prompt, tmp_path) == (prompt, RepositoryChanges())
    (tmp_path / "changes").write_text("x")
    _, file = content_of(prompt, tmp_path)
    assert file != RepositoryChanges()
