"""What the doctor looks at, in which order, and what it says of the folder's own store."""

import io
from argparse import Namespace
from pathlib import Path

import pytest

from plimsoll.errors import InvalidInput
from plimsoll.redaction.secrets import Secrets
from plimsoll.storage.database.opening import open_database
from plimsoll.storage.locate import DATABASE_FILE, locate, paths_of
from plimsoll.terminal.commands.doctor import doctor
from plimsoll.terminal.screen import Screen
from plimsoll.tools.written_over import KEPT, keep_text

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLIMSOLL_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "folder").mkdir()
    return tmp_path / "folder"


def lines(folder: Path) -> tuple[int, list[str]]:
    """The exit code, and the findings below title and headings."""
    out = io.StringIO()
    options = Namespace(
        workspace=str(folder), ask=False, salvage=False, editors=False, secrets=Secrets({})
    )
    code = doctor(options, Screen(out, io.StringIO()))
    return code, out.getvalue().splitlines()[2:]


def test_servers_are_looked_at_and_not_started(folder: Path, tmp_path: Path, monkeypatch):
    own = tmp_path / "config" / "plimsoll" / "config.toml"
    own.parent.mkdir(parents=True)
    own.write_text(
        '[mcp.gone]\ncommand = "no-such-program"\nargs = ["-v"]\n'
        '[mcp.key]\ncommand = "sh"\nenv = {A = "${NO_SUCH_KEY}"}\n'
        f'[mcp.here]\ncommand = "touch"\nargs = ["{tmp_path}/started"]\n'
        '[mcp.off]\ncommand = "sh"\nenabled = false\n'
    )
    code, found = lines(folder)
    told = {line[2:].split("  ")[0]: line for line in found if line.startswith("  MCP ")}
    assert code == 1
    assert "no-such-program -v. There is no program" in told["MCP gone"]
    assert "NO_SUCH_KEY" in told["MCP key"]
    assert " ok " in told["MCP here"]
    assert "switched off" in told["MCP off"]
    assert not (tmp_path / "started").exists()


def store_line(folder: Path) -> tuple[int, str]:
    code, found = lines(folder)
    (line,) = [line for line in found if line.startswith("  store  ")]
    return code, line


def test_all_is_told_in_its_order_where_nothing_is_kept_yet(folder: Path, tmp_path: Path):
    found = lines(folder)[1]
    names = [line[2:].split("  ")[0] for line in found]
    assert [name for name in names if not name.startswith("sandbox ")] == [
        "plimsoll",
        "libraries",
        "sqlite",
        "data folder",
        "store journal",
        "store",
        "log",
        "config",
        "settings",
        "profile",
        "model",
        "team",
        "table of models",
        "ripgrep",
        "sandbox",
        "vocabulary o200k_base",
        "vocabulary cl100k_base",
    ]
    assert f"nothing is kept of {folder} yet" in "".join(found)
    assert not (tmp_path / "data").exists()


def test_the_store_of_the_folder_is_looked_at_and_left_as_it_is(folder: Path, tmp_path: Path):
    place = locate(folder, tmp_path / "data").folder
    open_database(place).close()
    before = (place / DATABASE_FILE).read_bytes()
    code, line = store_line(folder)
    assert code == 0
    assert "is whole; sessions: 0, memories: 0" in line
    (place / DATABASE_FILE).write_bytes(before[:4096] + bytes(len(before) - 4096))
    code, line = store_line(folder)
    assert code == 1
    assert "wrong" in line
    assert "plimsoll doctor --salvage" in line
    assert (place / DATABASE_FILE).read_bytes() == before[:4096] + bytes(len(before) - 4096)


def test_a_folder_that_is_not_there_is_said(folder: Path):
    with pytest.raises(InvalidInput, match="no folder"):
        lines(folder / "gone")


def test_a_file_that_a_kill_left_half_written_is_named_with_the_way_back(folder, tmp_path):
    file = folder / "a b.cfg"
    kept = paths_of(folder, tmp_path / "data").sessions / KEPT
    copy = keep_text(kept, file, b"old\n", b"new\n")
    file.write_text("n")
    code, found = lines(folder)
    told = " ".join(" ".join(found).split())
    assert code == 1
    assert "unfinished write" in told
    file.write_text("new\n")
    assert "unfinished write" not in " ".join(lines(folder)[1])
    assert not copy.exists()
