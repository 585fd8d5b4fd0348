"""What an agent changed in a tree comes into the folder, and no line of either side is lost."""

import os
import random
import stat
from dataclasses import replace

import pytest

from plimsoll.tools.files.writing import ALL_EDITS
from plimsoll.tools.git.worktrees.manifest import text_of_link
from tools.git.worktrees.builders import (
    Disk,
    all_in,
    commit,
    context,
    git,
    leftovers,
    put,
    trees_of,
)

pytestmark = pytest.mark.slow
LINES = [f"line {n}\n" for n in range(40)]
TEXT = "".join(LINES)


def with_line(number: int, text: str) -> str:
    return "".join([*LINES[:number], f"{text}\n", *LINES[number + 1 :]])


async def test_each_kind_of_change_comes_in_as_it_is(tmp_path):
    root = commit(
        tmp_path / "work",
        {
            "a.py": TEXT,
            "win.txt": b"a\r\nb\r\n",
            "old/gone.py": "x\n",
            "moved.py": "m\n" * 9,
            "image.png": b"\x89PNG\0one",
            "run.sh": "#!/bin/sh\n",
            "lone": "text\n",
            "latin.txt": "gr\xfcn\n".encode("latin-1") * 20,
            ".gitignore": "out/\n",
        },
    )
    (root / "link").symlink_to("a.py")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "x")
    put(root, {"a.py": with_line(30, "the person's")})
    tree = trees_of(root).make("t", "s1")
    own = tree.root
    put(root, {"a.py": with_line(30, "the person's").replace("line 5\n", "LINE 5\n")})
    put(
        own,
        {
            "a.py": with_line(30, "the person's").replace("line 20\n", "LINE 20\n"),
            "win.txt": b"a\r\nB\r\n",
            "to/moved.py": "m\n" * 9,
            "image.png": b"\x89PNG\0two",
            "new.bin": b"\0\1",
            "latin.txt": "gr\xfcn\n".encode("latin-1") * 20 + "\xfc\n".encode("latin-1"),
            "out/ignored.txt": "i\n",
            "out/other.txt": "o\n",
        },
    )
    for name in ("old/gone.py", "moved.py", "link", "lone"):
        (own / name).unlink()
    (own / "run.sh").chmod(0o755)
    (own / "link").symlink_to("./new.bin")
    (own / "lone").symlink_to("/nowhere")
    tree.note_written(["out/ignored.txt"])
    intent = tree.review(context(root)).intent
    assert intent is not None
    remarks, _, diffs = (intent.diff or "").partition("--- ")
    assert remarks.splitlines() == [
        "image.png: 8 bytes, a PNG image -> 8 bytes, a PNG image",
        "link: a link to a.py -> a link to ./new.bin",
        "lone: 5 bytes, text -> a link to /nowhere",
        "moved.py: deleted, 9 lines",
        *["| m"] * 9,
        "new.bin: nothing -> 2 bytes, of an unknown type",
        "old/gone.py: deleted, 1 line",
        "| x",
        "run.sh: a file that can be run now",
    ]
    # A client finds each diff by its place.
    assert [place.path.name for place in intent.locations] == [
        "a.py",
        "latin.txt",
        "ignored.txt",
        "moved.py",
        "win.txt",
    ]
    assert diffs.count("\n@@ ") == 5
    files, written = await all_in(tree, root)
    assert {file.name: file.how for file in files} == dict.fromkeys(
        (
            *("a.py", "win.txt", "old/gone.py", "moved.py", "to/moved.py", "image.png", "link"),
            *("new.bin", "latin.txt", "out/ignored.txt", "run.sh", "lone"),
        ),
        "merged",
    )
    assert (root / "a.py").read_text() == (
        with_line(30, "the person's")
        .replace("line 5\n", "LINE 5\n")
        .replace("line 20\n", "LINE 20\n")
    )
    for name in ("win.txt", "to/moved.py", "image.png", "new.bin", "latin.txt", "out/ignored.txt"):
        assert (root / name).read_bytes() == (own / name).read_bytes()
    assert not (root / "out/other.txt").exists()
    assert (text_of_link(root / "link"), text_of_link(root / "lone")) == ("./new.bin", "/nowhere")
    assert (root / "run.sh").stat().st_mode & 0o111 == 0o111
    assert stat.S_IMODE((root / "a.py").stat().st_mode) == stat.S_IMODE(
        (own / "a.py").stat().st_mode
    )
    assert not (root / "old").exists()
    assert not (root / "moved.py").exists()
    assert {file.name for file in files if file.needs_branch} == {"image.png", "link"}
    texts = {
        change.path.name: (change.before, change.after) for change in written if change.is_text
    }
    assert texts["gone.py"] == ("x\n", None)
    assert texts["win.txt"] == ("a\r\nb\r\n", "a\r\nB\r\n")
    branch = tree.leave("All of it")
    tree.remove()
    assert branch is not None
    assert "one" in git(root, "show", f"{branch}~1:image.png")
    assert git(root, "diff", "--name-status", "-M", f"{branch}~1", branch).split("\n")[:-1] == [
        "M\ta.py",
        "M\timage.png",
        "M\tlatin.txt",
        "M\tlink",
        "T\tlone",
        "A\tnew.bin",
        "D\told/gone.py",
        "A\tout/ignored.txt",
        "M\trun.sh",
        "R100\tmoved.py\tto/moved.py",
        "M\twin.txt",
    ]
    assert leftovers(root) == []


@pytest.mark.parametrize(
    ("here", "there", "why"),
    [
        ("ours\n", "theirs\n", "in the same lines"),
        (None, "theirs\n", "deleted in the folder"),
        ("ours\n", None, "deleted in the tree"),
        (b"\0ours", b"\0theirs", "is no text"),
    ],
)
async def test_a_conflict_stays_on_both_sides(tmp_path, here, there, why):
    root = commit(tmp_path / "work", {"a.txt": "base\n", "b.txt": "b\n"})
    tree = trees_of(root).make("t", "s1")
    for at, text in ((root, here), (tree.root, there)):
        if text is None:
            (at / "a.txt").unlink()
        else:
            put(at, {"a.txt": text})
    put(tree.root, {"b.txt": "B\n", "new.txt": "n\n"})
    put(root, {"new.txt": "other\n"})
    files, _ = await all_in(tree, root)
    found = {file.name: file for file in files}
    assert {name: file.how for name, file in found.items()} == {
        "a.txt": "conflict",
        "b.txt": "merged",
        "new.txt": "conflict",
    }
    assert why in found["a.txt"].why
    assert "added on both sides" in found["new.txt"].why
    if here == "ours\n" and there == "theirs\n":
        assert found["a.txt"].both == (
            "<<<<<<< the user's folder\nours\n||||||| before\nbase\n=======\ntheirs\n"
            ">>>>>>> the agent's tree"
        )
    assert (root / "a.txt").exists() is (here is not None)
    branch = tree.leave("Change")
    tree.remove()
    if there is not None:
        assert git(root, "show", f"{branch}:a.txt").encode() == (
            there if isinstance(there, bytes) else there.encode()
        )
    assert git(root, "show", f"{branch}:new.txt") == "n\n"


async def test_what_changes_between_the_question_and_the_answer_stays(tmp_path):
    root = commit(tmp_path / "work", {"a.txt": "a\n", "dir/b.txt": "b\n"})
    tree = trees_of(root).make("t", "s1")
    put(tree.root, {"a.txt": "A\n", "dir/b.txt": "B\n"})
    review = tree.review(context(root))
    put(root, {"a.txt": "the person's\n"})
    (root / "dir").rename(root / "elsewhere")
    (root / "dir").symlink_to("elsewhere")
    assert review.intent is not None
    assert "-a\n+A" in (review.intent.diff or "")

    async def keep(change):
        raise AssertionError(change)

    files = await tree.bring_in(review, context(root), keep)
    assert {(file.name, file.how) for file in files} == {("a.txt", "left"), ("dir/b.txt", "left")}
    assert (root / "a.txt").read_text() == "the person's\n"
    assert (root / "dir/b.txt").read_text() == "b\n"
    tree.remove()


@pytest.mark.parametrize("below", ["", "pack"])
@pytest.mark.parametrize("does", ["nothing", "touches", "changes"])
async def test_a_persons_file_that_holds_secrets_is_in_no_branch(tmp_path, does, below):
    top = commit(tmp_path / "work", {f"{below}/a.txt".strip("/"): "a\n"})
    root = top / below
    put(root, {".env": "TOKEN=hush\n", "b.txt": "b\n"})
    tree = trees_of(root).make("t", "s1")
    assert (tree.root / ".env").read_text() == "TOKEN=hush\n"
    put(tree.root, {"a.txt": "A\n"})
    if does == "touches":
        os.utime(tree.root / ".env", (1, 1))
    elif does == "changes":
        put(tree.root, {".env": "TOKEN=other\n"})
    branch = tree.leave("Change")
    tree.remove()
    assert git(root, "ls-tree", "--name-only", branch or "").split() == ["a.txt", "b.txt"]
    assert tree.withheld == ((".env",) if does == "changes" else ())


async def test_secrets_that_are_committed_or_the_agents_own_are_in_the_branch(tmp_path):
    root = commit(tmp_path / "work", {"dir/.env": "A=1\n"})
    tree = trees_of(root).make("t", "s1")
    put(tree.root, {"dir/.env": "A=2\n", "new.key": "k\n"})
    branch = tree.leave("Change") or ""
    tree.remove()
    assert git(root, "show", f"{branch}:dir/.env") == "A=2\n"
    assert git(root, "show", f"{branch}:new.key") == "k\n"
    assert tree.withheld == ()


class Editor(Disk):
    """An editor that has one file open."""

    def __init__(self, path, text: str, takes: bool = True) -> None:
        self.path, self.text, self.takes = path, text, takes

    def open_text(self, path):
        return self.text if path == self.path else None

    async def apply_edit(self, path, before, after, label):
        if not self.takes or before != self.text:
            return False
        self.text = after
        return True


@pytest.mark.parametrize(("typed", "takes"), [(True, True), (False, True), (True, False)])
async def test_a_file_that_is_open_is_merged_with_what_is_typed_there(tmp_path, typed, takes):
    root = commit(tmp_path / "work", {"a.txt": TEXT})
    tree = trees_of(root).make("t", "s1")
    put(tree.root, {"a.txt": with_line(20, "the agent's")})
    text = with_line(3, "typed") if typed else TEXT
    editor = Editor(root / "a.txt", text, takes)
    there = replace(context(root), documents=editor)
    written = []

    async def keep(change):
        written.append((change.before, change.after))

    (file,) = await tree.bring_in(tree.review(there), there, keep)
    tree.remove()
    assert (root / "a.txt").read_text() == TEXT
    if not takes:
        assert (file.how, editor.text, written) == ("left", text, [])
        assert "unsaved changes" in file.why
        return
    merged = text.replace("line 20\n", "the agent's\n")
    assert (file.how, editor.text, written) == ("merged", merged, [(text, merged)])


async def test_protected_files_are_asked_about_each_time(tmp_path):
    root = commit(tmp_path / "work", {"a.txt": "a\n"})
    tree = trees_of(root).make("t", "s1")
    put(tree.root, {"a.txt": "A\n"})
    review = tree.review(context(root))
    assert review.intent is not None
    assert (review.intent.why_each_time, review.intent.approval) == (None, ALL_EDITS.key)
    put(tree.root, {".vscode/tasks.json": "{}\n"})
    review = tree.review(context(root))
    assert review.intent is not None
    assert ".vscode/tasks.json" in (review.intent.why_each_time or "")
    assert (review.intent.approval, review.intent.covers) == ("", "")
    tree.remove()


@pytest.mark.parametrize("seed", range(3))
async def test_four_writers_with_conflicting_edits_lose_no_line(tmp_path, seed):
    await four_writers(tmp_path, seed)


async def four_writers(tmp_path, seed: int) -> None:
    """Four trees of one folder, with edits that overlap; a person types meanwhile."""
    lot = random.Random(seed)
    names = [f"f{n}.txt" for n in range(4)]
    root = commit(tmp_path / f"work{seed}" / "work", dict.fromkeys(names, TEXT))
    put(root, {names[0]: with_line(39, "uncommitted")})
    trees = [trees_of(root).make(f"writer {n}", f"s{n}") for n in range(4)]
    made: dict[str, str] = {}
    for writer, tree in enumerate(trees):
        for number in range(12):
            name, line = lot.choice(names), lot.randrange(38)
            word = f"<w{writer}.{number}>"
            rows = (tree.root / name).read_text().splitlines(keepends=True)
            at = min(line, len(rows) - 1)
            if lot.random() < 0.5:
                rows.insert(at, f"{word}\n")
            else:
                rows[at] = rows[at].rstrip("\n") + f" {word}\n"
            (tree.root / name).write_text("".join(rows))
            made[word] = tree.name
        put(tree.root, {"shared.txt": f"new of w{writer}\n", f"own{writer}.txt": "o\n"})
        made[f"new of w{writer}"] = tree.name
    put(root, {names[1]: with_line(lot.randrange(40), "the person's")})
    made["the person's"] = made["uncommitted"] = ""
    for tree in lot.sample(trees, 4):
        files, _ = await all_in(tree, root)
        if any(file.how in ("conflict", "left") for file in files):
            assert tree.leave("Rest") == f"plimsoll/{tree.name}"
        tree.remove()
    present = "".join((root / name).read_text() for name in (*names, "shared.txt"))
    branches = git(root, "branch", "--list", "--format=%(refname:short)", "plimsoll/*").split()
    kept = {
        branch.removeprefix("plimsoll/"): git(root, "grep", "-h", "", branch) for branch in branches
    }
    for word, tree in made.items():
        assert word in present or word in kept.get(tree, ""), (seed, word)
    assert "<<<<" not in present
    assert leftovers(root) == []
