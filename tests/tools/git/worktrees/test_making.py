"""A tree holds what the folder has, and making one leaves the person's repository as it is."""

import os
from pathlib import Path

import pytest

from plimsoll.errors import ToolFailed
from plimsoll.tools.git.worktrees.manifest import text_of_link
from tools.git.worktrees.builders import commit, git, leftovers, put, state_of, trees_of

pytestmark = pytest.mark.slow


def files_of(root: Path) -> dict[str, bytes | str]:
    return {
        path.relative_to(root).as_posix(): text_of_link(path)
        if path.is_symlink()
        else path.read_bytes()
        for path in root.rglob("*")
        if (path.is_symlink() or path.is_file())
        and path.name != ".git"
        and ".git" not in path.parts
    }


def test_a_tree_has_what_is_uncommitted_too_and_the_repository_stays_as_it_is(tmp_path):
    root = commit(
        tmp_path / "work",
        {
            "a.py": "one\n",
            "gone.py": "x\n",
            "win.txt": b"a\r\nb\r\n",
            'odd "name\n.txt': "o\n",
            ".gitignore": "node_modules/\n.env\n*.log\n",
            "image.png": b"\x89PNG\0\1\2",
            "run.sh": "#!/bin/sh\n",
        },
    )
    git(root, "config", "core.autocrlf", "true")
    (root / "run.sh").chmod(0o755)
    (root / "link").symlink_to("./a.py")
    put(root, {"a.py": "staged\n", "new/b.py": "new\n", ".env": "T=1\n", "x.log": "l\n"})
    git(root, "add", "a.py")
    put(root, {"a.py": "and more\n", "node_modules/m/index.js": "m\n"})
    (root / "gone.py").unlink()
    before = state_of(root)
    tree = trees_of(root).make("Fix the parser!", "s1")
    assert tree.name.startswith("fix-the-parser-")
    wanted = files_of(root)
    for name in (".env", "x.log", "node_modules/m/index.js"):
        wanted.pop(name)
    assert files_of(tree.root) == {**wanted, "node_modules": str(root / "node_modules")}
    assert os.access(tree.root / "run.sh", os.X_OK)
    assert (tree.linked, tree.missing) == (
        ("node_modules",),
        (".env (git ignores it)", "x.log (git ignores it)"),
    )
    assert not tree.root.is_relative_to(root)
    # In it git says what it says in the folder.
    status = git(root, "status", "--porcelain", "-uall")
    inside = git(tree.root, "status", "--porcelain", "-uall")
    assert inside.replace("?? node_modules\n", "") == status
    assert git(tree.root, "diff", "--cached") == git(root, "diff", "--cached")
    assert tree.leave("nothing") is None
    tree.remove()
    assert leftovers(root) == []
    assert state_of(root) == before


def test_a_folder_below_the_top_has_a_tree_of_itself_alone(tmp_path):
    top = commit(tmp_path / "work", {"pack/a.py": "a\n", "other/b.py": "b\n"})
    root = top / "pack"
    put(root, {"c.py": "c\n"})
    tree = trees_of(root).make("t", "s1")
    assert files_of(tree.root) == {"a.py": b"a\n", "c.py": b"c\n"}
    assert git(tree.root, "status", "--porcelain") == "?? pack/c.py\n"
    put(tree.root, {"a.py": "A\n"})
    assert tree.leave("Change") is not None
    tree.remove()
    assert git(top, "diff", "--name-status", "main", f"plimsoll/{tree.name}") == (
        "M\tpack/a.py\nA\tpack/c.py\n"
    )


def test_a_split_index_and_a_linked_worktree_are_no_hindrance(tmp_path):
    main = commit(tmp_path / "main", {"a.py": "a\n"})
    git(main, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    root = tmp_path / "side"
    put(root, {"b.py": "b\n"})
    git(root, "update-index", "--split-index")
    git(root, "add", "b.py")
    tree = trees_of(root).make("t", "s1")
    assert git(tree.root, "status", "--porcelain") == "A  b.py\n"
    tree.remove()
    assert git(main, "worktree", "list").count("\n") == 2


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("none", "in no git repository"),
        ("bare", "bare repository"),
        ("unborn", "no commit yet"),
        ("elsewhere", "lies elsewhere"),
        ("submodule", "lies elsewhere"),
        ("commondir", "lies elsewhere"),
    ],
)
def test_where_none_can_be_made_it_is_said_why_and_nothing_is_left(tmp_path, kind, why):
    root, other = tmp_path / "work", commit(tmp_path / "other", {"secret.txt": "s\n"})
    root.mkdir()
    if kind == "bare":
        git(root, "init", "-q", "--bare")
    elif kind == "unborn":
        git(root, "init", "-q")
    elif kind == "elsewhere":
        (root / ".git").write_text(f"gitdir: {other / '.git'}\n")
    elif kind == "commondir":
        git(root, "init", "-q")
        (root / ".git/commondir").write_text(str(other / ".git"))
    elif kind == "submodule":
        commit(root, {"a.py": "a\n"})
        git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "sub")
        root = root / "sub"
    with pytest.raises(ToolFailed, match=why) as raised:
        trees_of(root).make("t", "s1")
    assert "Without `isolated`" in raised.value.message
    assert not list((root.parent / "data").glob("*/*")) if kind != "submodule" else True
    assert not (other / ".git/worktrees").exists()


def test_an_index_that_is_a_link_is_not_copied(tmp_path):
    # It stands for one to /dev/zero, which has no end.
    root = commit(tmp_path / "work", {"a.py": "a\n"})
    (root / ".git/index").rename(tmp_path / "other")
    (root / ".git/index").symlink_to(tmp_path / "other")
    with pytest.raises(ToolFailed, match="index cannot be copied"):
        trees_of(root).make("t", "s1")
    assert leftovers(root) == []


def test_a_shallow_repository_has_trees_and_a_submodule_is_named(tmp_path):
    source = commit(tmp_path / "source", {"a.py": "a\n"})
    commit(source, {"a.py": "b\n"})
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{source}", "work")
    root = tmp_path / "work"
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(source), "sub")
    git(root, "commit", "-q", "-m", "sub")
    tree = trees_of(root).make("t", "s1")
    assert tree.missing == ("sub (a submodule)",)
    put(tree.root, {"a.py": "c\n"})
    branch = tree.leave("Change")
    tree.remove()
    assert branch is not None
    assert git(root, "show", f"{branch}:a.py") == "c\n"
    assert git(root, "diff", "--name-only", "HEAD", branch) == "a.py\n"
    assert leftovers(root) == []


def test_nothing_that_the_repository_names_is_run(tmp_path):
    root, ran = (
        commit(tmp_path / "work", {"a.py": "a\n", ".gitattributes": "* filter=e\n"}),
        tmp_path / "ran",
    )
    program = tmp_path / "evil"
    program.write_text(f"#!/bin/sh\necho $0 $@ >> {ran}\ncat\n")
    program.chmod(0o755)
    hooks = root / ".git/hooks"
    for name in (
        "post-checkout",
        "pre-commit",
        "post-commit",
        "reference-transaction",
        "post-index-change",
    ):
        (hooks / name).symlink_to(program)
    for name in (
        "core.fsmonitor",
        "filter.e.clean",
        "filter.e.smudge",
        "filter.e.process",
        "diff.external",
        "gpg.program",
    ):
        git(root, "config", name, str(program))
    git(root, "config", "commit.gpgsign", "true")
    put(root, {"a.py": "b\n"})
    ran.unlink(missing_ok=True)
    tree = trees_of(root).make("t", "s1")
    put(tree.root, {"a.py": "c\n", "d.py": "d\n"})
    branch = tree.leave("Change")
    tree.remove()
    assert not ran.exists(), ran.read_text()
    assert branch is not None
    assert git(root, "-c", "core.fsmonitor=false", "show", f"{branch}:d.py") == "d\n"
