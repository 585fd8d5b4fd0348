"""Other names of protected files: found where a command may write, or said not to be."""

import os
from pathlib import Path

import pytest

from plimsoll.tools.process.confinement import aliases as module
from plimsoll.tools.process.confinement.aliases import Aliases, aliases

PROTECTED = {".git/config", ".vscode", "AGENTS.md"}


@pytest.fixture
def work(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    for folder in (".git/objects", ".vscode/objects", "sub", "../caches", "../elsewhere"):
        (root / folder).mkdir(parents=True)
    for file in (".git/config", ".vscode/tasks.json", ".vscode/objects/one", "AGENTS.md", "plain"):
        (root / file).write_text(file)
    return root


def found(work: Path) -> Aliases:
    return aliases(work, PROTECTED, [work.parent / "caches", work.parent / "gone"])


@pytest.mark.parametrize(
    ("links", "inside", "uncovered"),
    [
        ([], (), None),
        ([("plain", "sub/plain")], (), None),
        ([(".git/config", "sub/x"), (".git/config", ".git/y")], (".git/y", "sub/x"), None),
        ([(".vscode/tasks.json", "x"), ("AGENTS.md", "sub/y")], ("sub/y", "x"), None),
        # Read-only with the folder in which it is.
        ([("AGENTS.md", ".vscode/x")], (), None),
        # Nothing can be written there.
        ([("AGENTS.md", "../elsewhere/x")], (), None),
        ([("AGENTS.md", "../caches/x"), ("AGENTS.md", "x")], ("x",), "AGENTS.md"),
        # Git looks at what it finds by its hash; clones share these.
        ([(".vscode/objects/one", "x")], (), None),
    ],
)
def test_names_that_were_made_before(
    work: Path, links: list[tuple[str, str]], inside: tuple[str, ...], uncovered: str | None
):
    for source, target in links:
        os.link(work / source, work / target)
    assert found(work) == Aliases(inside, uncovered)


def test_what_is_too_much_to_look_through_is_not_called_covered(
    work: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(module, "MOST_WALKED", 3)
    assert found(work) == Aliases()
    os.link(work / "AGENTS.md", work / "sub" / "x")
    assert found(work).open == "AGENTS.md"
