"""What README and docs/editors.md show is run as it stands there, each block by a test."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from plimsoll.settings.sources import file_layer, merge
from plimsoll.terminal.arguments import parser

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
HERE = "tests/docs/test_blocks.py"
NEOVIM = "tests/editors/neovim/test_neovim.py"
EDITOR = "tests/terminal/editors/test_editor.py"
ACP = "tests/acp_door/test_introduction.py"
RUN_BY = {
    "README.md": [
        ("sh", "tests/test_install.py"),
        ("toml", HERE),
        ("toml", HERE),
        ("sh", HERE),
    ],
    "docs/editors.md": [("sh", EDITOR), ("text", NEOVIM), ("json", ACP), ("json", ACP)],
}
"""The blocks of a page in their order, each with the test that runs it."""

COMMAND = re.compile(r"`plimsoll( [^`\n]*)?`")
MEANT = {"PROMPT": "x", "TEXT": "x", "QUERY": "x", "FROM": "x", "NAME": "cheap", "…": ""}
PAGES = ["README.md", "docs/editors.md", "docs/commands.md"]


def blocks(page: str) -> list[tuple[str, str]]:
    return BLOCK.findall((ROOT / page).read_text("utf-8"))


@pytest.mark.parametrize("page", RUN_BY)
def test_each_block_is_run_by_a_test(page: str):
    assert [language for language, _ in blocks(page)] == [one for one, _ in RUN_BY[page]]
    for _, test in RUN_BY[page]:
        assert page in (ROOT / test).read_text("utf-8")


@pytest.mark.parametrize("block", [text for kind, text in blocks("README.md") if kind == "toml"])
def test_the_settings_are_taken_as_they_stand(block: str, tmp_path: Path):
    (tmp_path / "config.toml").write_text(block)
    settings = merge([file_layer(tmp_path / "config.toml")])
    assert settings.model.provider == "openai"
    assert settings.model.name in block


@pytest.mark.parametrize("page", PAGES)
def test_each_command_of_the_program_is_one(page: str):
    shown = COMMAND.findall((ROOT / page).read_text("utf-8"))
    assert shown
    for line in shown:
        plain = re.sub(r"[\[\]]", "", line)
        words = [MEANT.get(word, word) for word in shlex.split(plain)]
        words = [word.rstrip("…") for word in words if word]
        # One word names a command; with more it is shown as it is typed.
        words = [*words, "--help"] if len(words) == 1 else words
        try:
            parser().parse_args(words)
        except SystemExit as end:
            assert end.code in (0, None), line


def checkout_lines() -> list[str]:
    return [line.split("#")[0].strip() for line in blocks("README.md")[-1][1].splitlines()]


@pytest.mark.slow
def test_the_lines_of_a_checkout_run(tmp_path: Path):
    asks, tests, fast = checkout_lines()
    kept = {"HOME": str(tmp_path), "PLIMSOLL_DATA_DIR": str(tmp_path / "data")}
    environment = {**os.environ, **kept}
    done = subprocess.run(
        ["bash", "-c", asks], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"budget\.py:\d+", done.stdout)
    # These two run this test: that they are there, and take what they are given, must do.
    assert (tests, fast) == ("scripts/test", "scripts/test --fast")
    assert os.access(ROOT / tests, os.X_OK)
    assert "--fast" in (ROOT / tests).read_text("utf-8")
