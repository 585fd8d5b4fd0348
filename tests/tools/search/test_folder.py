"""A folder that is attached: bounded, what git would include, and never one outside."""

import os
from pathlib import Path

import pytest

from plimsoll.context.log.messages import Part, PartKind
from plimsoll.errors import InvalidInput
from plimsoll.session.ports.content import Excerpt, FileRef, parts_of
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.search.folder import FIRST_LINES, MOST_BEGUN, MOST_LISTED, read_attached
from tools.files.test_attaching import CANARY, Nothing


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = Path(os.path.realpath(tmp_path)) / "work"
    folder.mkdir()
    return folder


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def part_of(work: Path, path: Path) -> Part:
    context = CallContext(root=work, documents=Nothing(), spill_folder=work.parent / "spill")
    return parts_of([FileRef(path)], context, read_attached)[0]


def test_a_folder_is_its_files_with_the_first_lines_of_the_telling_ones_first(work):
    long = "".join(f"line {n}\n" for n in range(FIRST_LINES + 1))
    write(work, {"src/zebra.py": "Z = 1\n", "src/README.md": long, "src/sub/a.py": "A = 1\n"})
    (work / "src/logo.bin").write_bytes(b"\0\1\2" * 50)

    assert part_of(work, work / "src") == Part(
        kind=PartKind.FILE,
        text="\n".join(
            [
                "[attached src/]",
                "[4 files; of 3 the first lines]",
                *("README.md", "logo.bin", "zebra.py", "sub/a.py"),
                *("", "--- src/README.md, its first lines"),
                *(f"line {n}" for n in range(FIRST_LINES)),
                *("", "--- src/zebra.py", "Z = 1"),
                *("", "--- src/sub/a.py", "A = 1"),
                "[end of src/]",
            ]
        ),
        attached="src/",
    )


def test_what_git_leaves_out_is_left_out_and_of_guarded_files_the_name_is_all(work):
    secrets = (".env", "deploy.pem", "secrets.yaml", "package.json", ".npmrc", "db_password.txt")
    write(work, dict.fromkeys((*secrets, "built/out.txt", "x.log"), f"key = {CANARY}\n"))
    write(work, {".gitignore": "built/\n*.log\n", "tokens.py": "TOKENS = 3\n"})
    (work / ".git").mkdir()
    write(work, {".git/config": CANARY})

    text = part_of(work, work).text

    assert CANARY not in text
    assert text.startswith("[attached ./]\n")
    assert "TOKENS = 3" in text
    assert [name for name in secrets if name not in text] == []
    assert [name for name in ("out.txt", "x.log", ".git/config") if name in text] == []


def test_a_large_folder_is_cut_and_says_by_how_much(work):
    write(work, {f"many/file{n:04}.py": "x" * 5_000 for n in range(MOST_LISTED + 41)})

    text = part_of(work, work / "many").text

    assert f"[{MOST_LISTED + 41} files; of {MOST_BEGUN} the first lines]" in text
    assert "[41 more files are not listed: name a folder below]" in text
    assert len(text) < 12_000


@pytest.mark.parametrize("link", [False, True])
def test_a_folder_outside_is_refused_by_its_own_path_and_by_a_link(work, link):
    write(work.parent, {"other/notes.txt": CANARY})
    path = work.parent / "other"
    if link:
        path = work / "docs"
        path.symlink_to("../other")
    with pytest.raises(InvalidInput, match="is a folder outside the one that is open"):
        part_of(work, path)


def test_a_link_within_a_folder_is_not_followed(work):
    write(work.parent, {"other/notes.txt": CANARY, "secret.txt": CANARY})
    write(work, {"src/a.py": "A = 1\n"})
    (work / "src/docs").symlink_to("../../other")
    (work / "src/plain.txt").symlink_to("../../secret.txt")

    text = part_of(work, work / "src").text

    assert "A = 1" in text
    assert CANARY not in text


def test_a_file_is_attached_as_before(work):
    write(work, {"a.py": "A = 1\n"})
    assert part_of(work, work / "a.py").text == "[attached a.py]\nA = 1\n\n[end of a.py]"


def test_an_excerpt_has_no_source_and_a_title_of_one_line(work):
    context = CallContext(root=work, documents=Nothing(), spill_folder=work.parent / "spill")
    excerpt = Excerpt("problems\n[end]", "a.py:1:1 error: no")
    (part,) = parts_of([excerpt], context, read_attached)
    assert (part.kind, part.source) == (PartKind.SELECTION, None)
    assert part.text.splitlines()[1] == "a.py:1:1 error: no"
