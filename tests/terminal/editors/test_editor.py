"""`plimsoll editor`: one line is printed, or written on a person's word, and no file is lost.

The lines of docs/editors.md are run here.
"""

import io
import os
import re
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from plimsoll.errors import InvalidInput
from plimsoll.terminal.editors.editor import editor
from plimsoll.terminal.editors.plugins import PLUGINS
from plimsoll.terminal.screen import Screen

PAGE = (Path(__file__).parents[3] / "docs" / "editors.md").read_text("utf-8")
NEOVIM = PLUGINS["nvim"]


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("NVIM_APPNAME", raising=False)
    return tmp_path / "config" / "nvim" / "plugin" / "plimsoll.lua"


def run(name: str = "nvim", install: bool = False, yes: bool = False) -> tuple[int, str]:
    out = io.StringIO()
    options = Namespace(name=name, install=install, yes=yes)
    return editor(options, Screen(out, io.StringIO())), out.getvalue()


def test_the_one_line_is_printed_and_nothing_is_written(config: Path):
    assert run() == (0, f"{NEOVIM.code}\n")
    assert NEOVIM.loads.is_file()
    assert not config.parent.exists()


def test_it_is_written_once_and_again_nothing_changes(config: Path):
    code, said = run(install=True, yes=True)
    assert code == 0
    assert said.startswith(f"{config} gets this line:\n  {NEOVIM.code}\n")
    written = config.read_text()
    assert written.splitlines()[1:] == [NEOVIM.code]
    before = config.stat().st_mtime_ns
    assert "nothing was changed" in run(install=True)[1]
    assert (config.read_text(), config.stat().st_mtime_ns) == (written, before)


def test_a_line_of_an_older_installation_is_replaced(config: Path):
    run(install=True, yes=True)
    config.write_text(config.read_text().replace("/plimsoll/", "/gone/"))
    run(install=True, yes=True)
    assert config.read_text().splitlines()[1:] == [NEOVIM.code]


def test_a_file_of_somebody_else_stays_as_it_is(config: Path):
    config.parent.mkdir(parents=True)
    config.write_text("local chat\n")
    with pytest.raises(InvalidInput, match="was not written by Plimsoll"):
        run(install=True, yes=True)
    assert config.read_text() == "local chat\n"


def test_another_configuration_of_neovim_is_found(config: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NVIM_APPNAME", "other")
    run(install=True, yes=True)
    assert (config.parents[2] / "other" / "plugin" / "plimsoll.lua").is_file()
    assert not config.exists()


@pytest.mark.parametrize(
    ("there", "file"),
    [
        ([], ".emacs.d/init.el"),
        ([".emacs"], ".emacs"),
        ([".emacs.d/other.el"], ".emacs.d/init.el"),
        ([".config/emacs/init.el"], ".config/emacs/init.el"),
    ],
)
def test_the_line_for_emacs_is_added_where_emacs_reads_it(
    there: list[str], file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    for name in there:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("(setq a 1)")
    before = "(setq a 1)\n" if file in there else ""
    assert run("emacs", install=True, yes=True)[0] == 0
    written = (tmp_path / file).read_text()
    assert written.startswith(before)
    assert written.removeprefix(before).splitlines()[1:] == [PLUGINS["emacs"].code]
    assert "nothing was changed" in run("emacs", install=True)[1]
    assert (tmp_path / file).read_text() == written


def test_an_editor_without_a_plugin_is_said(config: Path):
    with pytest.raises(InvalidInput, match="no plugin for 'vi'") as refused:
        run("vi")
    assert "nvim" in str(refused.value)


@pytest.mark.slow
def test_neovim_loads_the_file_that_is_written_as_the_page_says(tmp_path: Path):
    (line,) = re.findall(r"^```sh\n(plimsoll editor nvim.*)\n```$", PAGE, re.MULTILINE)
    programs = Path(sys.executable).parent
    variables = {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "PLIMSOLL_DATA_DIR": str(tmp_path / "data"),
    }
    subprocess.run([*line.split(), "--yes"], env=variables, check=True, capture_output=True)
    asked = [programs / "nvim", "--headless", "-c", "lua io.write(vim.fn.exists(':Plimsoll'))"]
    done = subprocess.run([*asked, "-c", "qall"], env=variables, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("2", "")
