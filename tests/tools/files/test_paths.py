"""Hostile paths against every tool that takes one, judged by canaries and not by what is said."""

import difflib
import os
import socket
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plimsoll.errors import ToolFailed
from plimsoll.tools.files.paths import _COMPARED, resolve, shown_name
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import Intent

CANARY = "canary-4711"
TOOLS = {
    "file_read": {},
    "file_write": {"content": "overwritten"},
    "file_edit": {"old_string": CANARY, "new_string": "overwritten"},
    "grep": {"pattern": "canary"},
    "glob": {"pattern": "**"},
}
# {out} is a folder beside the workspace, {root} the workspace itself.
OUTSIDE = [
    "../out/canary.txt",
    "../out",
    "..",
    "a/../../out/canary.txt",
    "a/b/../../../out/canary.txt",
    "./a/.././../out/canary.txt",
    "missing/../../out/canary.txt",
    "{out}/canary.txt",
    "{out}",
    "{out}/../out/canary.txt",
    "{root}/../out/canary.txt",
    "{root}x/canary.txt",
    "//{out}/canary.txt",
    "///{out}/canary.txt",
    "{out}/./canary.txt",
    "link-file",
    "link-folder/canary.txt",
    "link-folder",
    "a/../link-folder/canary.txt",
    "link-chain",
    "link-relative/canary.txt",
    "link-new/new.txt",
    "link-dangling",
    "link-folder/../out/canary.txt",
    "link-deep/../canary.txt",
    "/",
    "/etc/passwd",
    "/proc/self/environ",
    "/proc/self/root/etc/passwd",
    "/proc/self/cwd/x",
    "/dev/zero",
    "/dev/stdin",
]
REFUSED = [
    "file:///etc/passwd",
    "file:{out}/canary.txt",
    "FILE:///etc/passwd",
    "http://127.0.0.1/x",
    "vscode-remote://x/y",
    "\\\\server\\share\\x",
    "\\\\?\\C:\\x",
    "\\??\\C:\\x",
    "//?/C:/x",
    "//./pipe/x",
    "a\0b",
    "{out}/canary.txt\0.md",
    "",
    "   ",
    "x" * 256,
    "a/" * 3000,
    "loop",
    "loop/x",
]
# Names that look like ways out and are plain names here.
INSIDE = [
    "~x",
    "~$x.docx",
    "./~/x",
    "$HOMER/x",
    "$lib/x",
    "..a",
    "a/...",
    "%2e%2e/out",
    "..\\out",
    "\uff0e\uff0e/out",
]


@pytest.fixture
def out(root: Path) -> Path:
    outside = root.parent / "out"
    outside.mkdir()
    (outside / "canary.txt").write_text(f"{CANARY}\n")
    (outside / "deep").mkdir()
    (root.parent / "workx").mkdir()
    (root.parent / "workx" / "canary.txt").write_text(f"{CANARY}\n")
    (root / "a" / "b").mkdir(parents=True)
    links = {
        "link-file": outside / "canary.txt",
        "link-folder": outside,
        "link-chain": root / "link-file",
        "link-relative": Path("../out"),
        "link-new": outside,
        "link-dangling": outside / "not-there.txt",
        "link-deep": outside / "deep",
        "loop": root / "loop",
    }
    for name, target in links.items():
        (root / name).symlink_to(target)
    return outside


def spelled(path: str, root: Path, out: Path) -> str:
    return path.replace("{root}", str(root)).replace("{out}", str(out))


def everything(folder: Path) -> dict[str, str]:
    return {
        str(path): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


@pytest.mark.parametrize("path", OUTSIDE)
@pytest.mark.parametrize("name", TOOLS)
async def test_nothing_outside_is_touched_without_asking(name, path, tools, context, root, out):
    before = everything(root.parent)
    arguments = {"path": spelled(path, root, out), **TOOLS[name]}
    intent = tools[name].prepare(arguments, context)
    assert intent.ask
    assert str(root.parent) not in intent.title or "outside the workspace" in intent.title
    assert CANARY not in repr(intent).replace(TOOLS[name].get("old_string", CANARY * 2), "")
    assert everything(root.parent) == before


@pytest.mark.parametrize("path", OUTSIDE)
def test_a_person_sees_the_real_target(path, tools, context, root, out):
    asked = spelled(path, root, out)
    real = os.path.realpath(root / asked)
    title = tools["file_write"].prepare({"path": asked, "content": ""}, context).title
    assert title == f"Write {real} (outside the workspace)"


@pytest.mark.parametrize("path", REFUSED)
@pytest.mark.parametrize("name", TOOLS)
def test_what_cannot_be_judged_is_refused(name, path, prepare, root, out):
    with pytest.raises(ToolFailed):
        prepare(name, path=spelled(path, root, out), **TOOLS[name])


@pytest.mark.parametrize("path", INSIDE)
def test_a_strange_name_is_only_a_name(path, context, root, out):
    target = resolve(path, context)
    assert target.inside
    assert target.path == root / path


@pytest.mark.parametrize("path", ["~/x", "~", "$HOME/x", "${HOME}/x", "$HOME"])
def test_the_home_is_the_home_and_is_asked_about(path, context, prepare, root, out):
    at_home = replace(context, environment={"HOME": str(out)})
    target = resolve(path, at_home)
    assert (target.path.relative_to(out).as_posix(), target.inside) in {("x", False), (".", False)}
    with pytest.raises(ToolFailed, match="home folder"):
        resolve(path, replace(context, environment={}))


def test_another_home_is_refused_unless_a_folder_is_named_so(context, root):
    with pytest.raises(ToolFailed, match="home folder"):
        resolve("~root/x", context)
    (root / "~root").mkdir()
    assert resolve("~root/x", context).path == root / "~root" / "x"


ODD = st.text(
    st.sampled_from(
        "ab .é\u00a0\u202f\u3000\u200d\ufe0f\u00ad\u200b\u200f\u202e\t\n\r\u0301\u2028[]{}~$"
    ),
    min_size=1,
    max_size=12,
).filter(lambda name: name.strip(" .") and "/" not in name)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sets(ODD, min_size=1, max_size=4), ODD)
def test_what_is_shown_as_a_path_leads_back(context, names, folder):
    with tempfile.TemporaryDirectory(dir=context.root) as made:
        below = Path(made) / folder
        below.mkdir()
        for name in names:
            (below / name).touch()
        for name in names:
            shown = shown_name(below / name, context.root)
            assert resolve(shown, context).path == below / name


ALIKE = {
    "Shot 9.41 AM.txt": "Shot 9.41\u202fAM.txt",
    "v 13.05.txt": "v\u00a013.05.txt",
    "é.txt": "e\u0301.txt",
    "soft hyphen.txt": "soft\u00ad hyphen.txt",
}


@pytest.mark.parametrize(("asked", "name"), ALIKE.items())
def test_a_plain_blank_stands_for_an_odd_one(asked, name, context, root):
    (root / "a\u00a0b").mkdir()
    (root / "a\u00a0b" / name).touch()
    assert resolve(f"a b/{asked}", context).path == root / "a\u00a0b" / name


def test_of_two_that_fit_none_is_guessed_and_what_is_there_counts(context, root):
    for name in ("x\u00a0y", "x\u202fy"):
        (root / name).touch()
    assert resolve("x y", context).path == root / "x y"
    (root / "x y").touch()
    assert resolve("x y", context).path == root / "x y"


def test_outside_no_folder_is_listed_to_guess_a_name(context, root, out):
    (out / "a\u00a0b").touch()
    (root / "link").symlink_to(out)
    assert resolve("link/a b", context).path == out / "a b"
    assert resolve(f"{out}/a b", context).path == out / "a b"


@pytest.mark.parametrize("name", ["file_read", "file_write", "file_edit"])
@pytest.mark.parametrize("kind", ["pipe", "socket", "folder", "device"])
async def test_only_plain_files_are_opened(name, kind, use, root):
    path = root / "odd"
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "socket":
            with socket.socket(socket.AF_UNIX) as listener:
                listener.bind(str(path))
        case "folder":
            path.mkdir()
        case _:
            path = Path("/dev/zero")
    with pytest.raises(ToolFailed, match=r"pipe, socket or device|is a folder"):
        await use(name, path=str(path), **TOOLS[name])


async def test_a_pipe_among_files_does_not_stop_a_search(use, root):
    os.mkfifo(root / "pipe")
    (root / "a.txt").write_text("canary\n")
    assert (await use("grep", pattern="canary")).text == "a.txt:1:canary"
    assert (await use("glob", pattern="**")).text == "a.txt"
    with pytest.raises(ToolFailed):
        await use("grep", pattern="canary", path="pipe")


async def test_links_are_not_followed_by_searches(use, root, out):
    (root / "mine.txt").write_text("canary of mine\n")
    assert (await use("grep", pattern="canary")).text == "mine.txt:1:canary of mine"
    assert (await use("glob", pattern="**")).text == "mine.txt"


async def test_the_spill_folder_is_read_and_searched_without_asking(use, prepare, context):
    spilled = context.spill_folder / "call.txt"
    spilled.write_text("one\ntwo\n")
    assert not prepare("file_read", path=str(spilled)).ask
    assert (await use("file_read", path=str(spilled))).text == "1\tone\ntwo"
    assert not prepare("grep", pattern="two", path=str(context.spill_folder)).ask
    assert (await use("grep", pattern="two", path=str(spilled))).text == f"{spilled}:2:two"
    assert prepare("file_write", path=str(spilled), content="x").ask


SWAPS = {
    "file_read": "a/file.txt",
    "file_write": "a/file.txt",
    "file_edit": "a/file.txt",
    "grep": "a",
    "glob": "a",
}


@pytest.mark.parametrize("name", TOOLS)
@pytest.mark.parametrize("swapped", ["a", "a/file.txt"])
async def test_a_link_swapped_in_after_asking_is_not_followed(
    name, swapped, tools, context, root, out
):
    (root / "a" / "file.txt").write_text(f"{CANARY}\n")
    (out / "file.txt").write_text(f"{CANARY}\n")
    before = everything(out)
    arguments = {"path": SWAPS[name], **TOOLS[name]}
    intent = tools[name].prepare(arguments, context)
    (root / swapped).rename(root / "away")
    (root / swapped).symlink_to(out if swapped == "a" else out / "file.txt")
    if name in ("grep", "glob") and swapped != "a":
        assert "canary" not in (await tools[name].run(intent, context)).text.replace("match", "")
    else:
        with pytest.raises(ToolFailed, match="ask again"):
            await tools[name].run(intent, context)
    assert everything(out) == before


PROTECTED = [
    ".git/config",
    ".git/hooks/pre-commit",
    ".GIT/config",
    ".Git/hooks/x",
    "sub/.git/config",
    ".git",
    ".g\u200cit/config",
    ".git./config",
    ".git /config",
    "GIT~1/config",
    ".\uff47it/config",
    ".git::$INDEX_ALLOCATION/config",
    ".vscode/settings.json",
    ".VSCODE/tasks.json",
    "sub/.vscode/settings.json",
    ".idea/workspace.xml",
    "x.code-workspace",
    "X.CODE-WORKSPACE",
    ".plimsoll.toml",
    "plimsoll.toml",
    "hooks-link/pre-commit",
    "a/../.git/config",
]
UNPROTECTED = ["a.txt", ".gitignore", "github/workflows/ci.yml", "git/x", "vscode/x", "env"]


def approvals(prepare: "object", path: str) -> set[str]:
    intents: list[Intent] = [prepare("file_write", path=path, content=c) for c in ("x", "y")]
    assert all(intent.ask for intent in intents)
    return {intent.approval for intent in intents}


@pytest.mark.parametrize("path", PROTECTED)
def test_a_protected_path_is_never_covered_by_one_word(path, prepare, root):
    (root / "hooks-link").symlink_to(root / ".git" / "hooks")
    assert len(approvals(prepare, path)) == 2


def test_the_same_through_links_and_pointers(prepare, root):
    (root / "real").mkdir()
    (root / ".git").symlink_to(root / "real")
    assert len(approvals(prepare, "real/config")) == 2
    (root / ".git").unlink()
    (root / ".git").write_text("gitdir: elsewhere\n")
    assert len(approvals(prepare, "elsewhere/config")) == 2


@pytest.mark.parametrize("path", UNPROTECTED)
def test_other_paths_are(path, prepare):
    assert approvals(prepare, path) == {f"edit:{path}"}


def test_what_lies_outside_is_not(prepare, root, out):
    assert len(approvals(prepare, "../out/new.txt")) == 2


def test_a_workspace_inside_a_protected_folder_is_usable(context, root):
    inner = root / ".git" / "modules"
    inner.mkdir(parents=True)
    inner_place = CallContext(
        root=inner, documents=context.documents, spill_folder=context.spill_folder
    )
    assert not resolve("a.txt", inner_place).protected


def test_a_chain_of_links_without_end_is_refused(root, context):
    (root / "link-0").touch()
    for number in range(1, 3_000):
        (root / f"link-{number}").symlink_to(f"link-{number - 1}")
    with pytest.raises(ToolFailed, match="too many links"):
        resolve("link-2999", context)


def test_a_missing_file_is_compared_with_so_many_names_and_no_more(root, prepare, monkeypatch):
    compared: list[int] = []
    near = difflib.get_close_matches

    def count(word, possibilities, **more):
        compared.append(len(possibilities))
        return near(word, possibilities, **more)

    monkeypatch.setattr(difflib, "get_close_matches", count)
    for number in range(3_000):
        (root / f"{number:040}.txt").touch()
    with pytest.raises(ToolFailed, match="does not exist"):
        prepare("file_edit", path="1" * 40, old_string="a", new_string="b")
    assert compared == [_COMPARED]
