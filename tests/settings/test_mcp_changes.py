"""A person's servers are changed in their own file, and all else there stays."""

import tomllib

import pytest

from plimsoll.errors import InvalidInput, NotFound, SettingsInvalid
from plimsoll.settings.mcp import McpSettings
from plimsoll.settings.mcp_changes import (
    add_server,
    remove_server,
    servers_in,
    switch_server,
    switch_tool,
)

GIT = McpSettings(
    command="uvx",
    args=("mcp-server-git", 'a "b" ü'),
    env={"LEVEL": "2", "TOKEN": "${TOKEN}"},
    off_tools=("git_reset",),
)
OWN = """# mine
[model]
name = "x" # why
"""


def test_a_server_is_added_read_again_and_taken_out(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text(OWN)
    add_server("git", GIT, path)
    wiki = McpSettings(url="https://a.example/mcp", headers={"X-A": "1"}, enabled=False)
    add_server("wiki", wiki, path)
    assert servers_in(path) == {"git": GIT, "wiki": wiki}
    remove_server("git", path)
    assert servers_in(path) == {"wiki": wiki}
    remove_server("wiki", path)
    assert path.read_text() == OWN


def test_a_server_and_its_tools_are_switched(tmp_path):
    path = tmp_path / "config.toml"
    add_server("git", GIT, path)
    before = path.read_text()
    switch_tool("git", "git_add", enabled=False, path=path)
    switch_server("git", enabled=False, path=path)
    changed = servers_in(path)["git"]
    assert (changed.off_tools, changed.enabled) == (("git_add", "git_reset"), False)
    switch_tool("git", "git_add", enabled=True, path=path)
    switch_server("git", enabled=True, path=path)
    assert path.read_text() == before


def test_what_is_refused_leaves_the_file_as_it_is(tmp_path):
    path = tmp_path / "config.toml"
    add_server("git", GIT, path)
    before = path.read_text()
    with pytest.raises(InvalidInput, match="git already"):
        add_server("git", GIT, path)
    with pytest.raises(SettingsInvalid, match="neither command nor url"):
        add_server("none", McpSettings(), path)
    with pytest.raises(SettingsInvalid, match="without a secret"):
        add_server("web", McpSettings(url="https://a.example", headers={"Cookie": "abcd"}), path)
    with pytest.raises(SettingsInvalid, match="no name"):
        add_server("a/b", GIT, path)
    for change in (
        lambda: remove_server("none", path),
        lambda: switch_server("none", enabled=True, path=path),
        lambda: switch_tool("none", "a", enabled=True, path=path),
    ):
        with pytest.raises(NotFound):
            change()
    assert path.read_text() == before


def test_tables_inside_and_comments_of_a_persons_own_are_minded(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text(
        '[mcp.git] # mine\ncommand = "x"\n# stays\n[mcp.git.env]\nA = "1"\n[mcp.gitlab]\n'
        'command = "y"\n[budget]\nwarning_at = 0.7\n'
    )
    remove_server("git", path)
    assert tomllib.loads(path.read_text()) == {
        "mcp": {"gitlab": {"command": "y"}},
        "budget": {"warning_at": 0.7},
    }
    assert "# stays" in path.read_text()


@pytest.mark.parametrize(
    "text",
    ['mcp = {git = {command = "x"}}', '[mcp]\ngit.command = "x"', '[mcp."git"]\ncommand="x"'],
)
def test_a_server_that_is_written_otherwise_is_left_to_the_person(tmp_path, text):
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(SettingsInvalid, match="not changed by a program"):
        remove_server("git", path)
    with pytest.raises(SettingsInvalid, match="not changed by a program"):
        switch_server("git", enabled=False, path=path)
    assert path.read_text() == text
