"""`doctor --editors`: which editors are found, and what is said of those that do not answer."""

import io
import shutil
import sys
from pathlib import Path

import pytest

from left_out import not_on_this_machine
from plimsoll.terminal.editors.checkup import check_editors
from plimsoll.terminal.editors.machine import EDITORS
from plimsoll.terminal.editors.plugins import PLUGINS
from plimsoll.terminal.screen import Screen

pytestmark = pytest.mark.slow

PAGE = (Path(__file__).parents[3] / "docs" / "editors.md").read_text("utf-8")
PROGRAMS = Path(sys.executable).parent


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of programs, with ours alone; what shells need is behind it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "plimsoll").symlink_to(PROGRAMS / "plimsoll")
    (folder / "sh").symlink_to("/bin/sh")
    monkeypatch.setenv("PATH", str(folder))
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.delenv("NVIM_APPNAME", raising=False)
    return folder


def put(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


def rows() -> tuple[int, dict[str, str]]:
    """The exit code, and the line of each editor by its name."""
    out = io.StringIO()
    code = check_editors(Screen(out, io.StringIO()))
    lines = [line.strip() for line in out.getvalue().splitlines()[2:]]
    return code, {line.split("  ")[0]: line for line in lines}


def test_each_editor_has_its_line_and_both_servers_answer_where_none_is_here(path: Path):
    code, found = rows()
    assert code == 0
    assert set(found) == {*(each.name for each in EDITORS), "any LSP client", "any ACP client"}
    assert "ok" in found["any LSP client"]
    assert "plimsoll serve answered" in found["any LSP client"]
    assert "plimsoll acp answered" in found["any ACP client"]
    for each in EDITORS:
        assert found[each.name].endswith(each.line)
        assert each.name in PAGE


def test_neovim_starts_the_server_by_the_line(path: Path):
    (path / "nvim").symlink_to(PROGRAMS / "nvim")
    code, found = rows()
    assert code == 0
    assert "note   the server answered in it; not installed yet" in found["Neovim"]
    file = PLUGINS["nvim"].find_file({"XDG_CONFIG_HOME": str(path.parent)})
    file.parent.mkdir(parents=True)
    file.write_text(f"{PLUGINS['nvim'].code}\n")
    assert f"the server answered in it; loaded by {file}" in rows()[1]["Neovim"]


def test_emacs_starts_the_server_by_the_line_and_says_what_is_missing(path: Path):
    program = shutil.which("emacs", path="/usr/bin:/usr/local/bin")
    if program is None:
        not_on_this_machine("no emacs")
    (path / "emacs").symlink_to(program)
    code, found = rows()
    assert code == 0
    assert "note   the server answered in it; not installed yet" in found["Emacs"]
    (path / "plimsoll").unlink()
    assert "There is no program plimsoll: install it" in rows()[1]["Emacs"]


def test_without_our_program_on_the_path_it_is_wrong_and_says_so(path: Path):
    (path / "nvim").symlink_to(PROGRAMS / "nvim")
    put(path, "hx", "exit 0")
    (path / "plimsoll").unlink()
    code, found = rows()
    assert code == 1
    assert "wrong  plimsoll is not on PATH" in found["Helix"]
    assert "wrong  the plugin did not reach the server" in found["Neovim"]


def test_a_server_that_says_nothing_is_wrong_for_each_that_starts_it(path: Path):
    put(path, "hx", "exit 0")
    put(path, "zed", "exit 0")
    (path / "plimsoll").unlink()
    put(path, "plimsoll", "echo it is broken >&2; exit 3")
    code, found = rows()
    assert code == 1
    assert "wrong  plimsoll serve did not answer: it is broken" in found["Helix"]
    assert "wrong  plimsoll acp did not answer: it is broken" in found["Zed"]


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo plimsoll.plimsoll@0.1.0", "ok     plimsoll.plimsoll@0.1.0 is installed"),
        ("echo other.extension@2.0", "note   the extension is not installed"),
        ("echo no display >&2; exit 1", "note   it did not list its extensions: no display"),
    ],
)
def test_vs_code_is_asked_for_its_extensions(path: Path, script: str, said: str):
    put(path, "code", script)
    code, found = rows()
    assert code == 0
    assert said in found["VS Code"]
