"""The install lines of the README, each in a clean environment, from what a checkout holds."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

# What is fetched from registries takes minutes beside other suites.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

ROOT = Path(__file__).parents[1]
SECTION = re.compile(r"^## Install it\n.*?^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
VSIX = Path("client-vscode/dist/plimsoll.vsix")
MOST_PACKED, MOST_UNPACKED = 9_500_000, 25_000_000
"""Bytes of the extension: what a person waits for, and what then lies on their disk."""
PROMPT = "Where is the limit?"


def documented() -> list[str]:
    """The lines that the README shows, without what it says of them."""
    (shown,) = SECTION.findall((ROOT / "README.md").read_text("utf-8"))
    return [line.split("#")[0].strip() for line in shown.splitlines()]


def bash(line: str, folder: Path, **variables: str) -> str:
    """What a line of a shell prints; its end on both streams is told where it fails."""
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], **kept(), **variables}
    done = subprocess.run(
        ["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{line}\n{done.stdout[-2000:]}{done.stderr[-4000:]}"
    return done.stdout


def kept() -> dict[str, str]:
    """What the machine sets for its package managers; what is never run need not be compiled."""
    return {"PIP_COMPILE": "0"} | {
        name: text
        for name, text in os.environ.items()
        if name.lower().startswith(("pip_", "uv_", "npm_config_", "ssl_", "http", "no_proxy"))
    }


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What a fresh clone holds: no environment, no modules, nothing built."""
    if not (ROOT / ".git").exists():
        pytest.skip("what a clone holds is known in a repository alone")
    names = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(names, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        target = tmp_path / "clone" / name
        if (ROOT / name).is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target)
    return tmp_path / "clone"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "budget.py").write_text("LIMIT = 8\n")
    return folder


def works(program: Path, folder: Path) -> None:
    """It answers a question about a folder, by the search that needs no model."""
    line = f'"{program}" run --workspace "{folder}" "{PROMPT}"'
    answer = bash(line, folder, PLIMSOLL_DATA_DIR=str(folder.parent / "data"))
    assert "budget.py:1" in answer


def brings_its_plugins(program: Path, folder: Path) -> None:
    """The line for an editor names a file that was installed, with all that the file needs."""
    (loaded,) = re.findall(r'"(.*)"', bash(f'"{program}" editor nvim', folder))
    here = ROOT / "server" / "plimsoll" / "editors" / "nvim"
    there = Path(loaded).parents[1]
    for file in here.rglob("*.*"):
        assert (there / file.relative_to(here)).read_bytes() == file.read_bytes()


def venv(at: Path, package: str = "") -> Path:
    """A new environment, with pip or with a package alone; answers the folder of its programs."""
    python = f'"{sys.executable}" -m'
    line = (
        f'{python} venv --without-pip "{at}" && {python} pip --python "{at}" install -q {package}'
    )
    bash(line if package else f'{python} venv "{at}"', ROOT)
    return at / "bin"


def test_the_readme_shows_the_lines_that_are_tried_here():
    assert documented() == [
        "pip install .",
        "pipx install .",
        "uv tool install .",
        "npm --prefix client-vscode run package",
        f"code --install-extension {VSIX}",
    ]


def test_pip_installs_it_into_a_fresh_environment(clone: Path, folder: Path, tmp_path: Path):
    programs = venv(tmp_path / "venv")
    bash(documented()[0], clone, PATH=f"{programs}{os.pathsep}{os.environ['PATH']}")
    works(programs / "plimsoll", folder)
    brings_its_plugins(programs / "plimsoll", folder)


@pytest.mark.parametrize(("line", "tool"), [(1, "pipx"), (2, "uv")])
def test_a_tool_installs_it_in_an_environment_of_its_own(
    line: int, tool: str, clone: Path, folder: Path, tmp_path: Path
):
    try:
        programs = venv(tmp_path / "tools", tool)
    except AssertionError as problem:
        pytest.skip(f"no {tool} to be had from pip's index: {str(problem)[-200:]}")
    places = {
        "PIPX_HOME": str(tmp_path / "kept"),
        "PIPX_BIN_DIR": str(tmp_path / "bin"),
        "UV_TOOL_DIR": str(tmp_path / "kept"),
        "UV_TOOL_BIN_DIR": str(tmp_path / "bin"),
    }
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    bash(documented()[line], clone, PATH=path, **places)
    works(tmp_path / "bin" / "plimsoll", folder)


def test_the_extension_is_built_in_a_fresh_clone_with_its_server(
    clone: Path, folder: Path, tmp_path: Path
):
    """The server that it carries is run as the extension runs it."""
    if shutil.which("npm") is None:
        pytest.skip("no npm here")
    bash(documented()[3], clone, PLIMSOLL_PYTHON=sys.executable)
    with zipfile.ZipFile(clone / VSIX) as packed:
        assert (clone / VSIX).stat().st_size <= MOST_PACKED
        assert sum(one.file_size for one in packed.infolist()) <= MOST_UNPACKED
        assert not [name for name in packed.namelist() if "plimsoll/editors/" in name]
        packed.extractall(tmp_path / "unpacked")
    launch = tmp_path / "unpacked" / "extension" / "bundled" / "launch.py"
    line = f'"{sys.executable}" "{launch}" run --workspace "{folder}" "{PROMPT}"'
    answer = bash(line, folder, PLIMSOLL_DATA_DIR=str(tmp_path / "data"))
    assert "budget.py:1" in answer
