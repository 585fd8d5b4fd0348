"""Servers of other programs are read as they keep them, and no secret is copied."""

import json
from pathlib import Path

import pytest

from plimsoll.errors import InvalidInput
from plimsoll.settings.layers import Layer
from plimsoll.settings.mcp import McpSettings
from plimsoll.settings.mcp_import import FoundServer, known_files, read_servers
from plimsoll.settings.sources import merge

KEY = "ghp_" + "R7dK2mQ9xW4zT8vB1nL6cY3hJ5fS0pGaE2uX"


def read(tmp_path: Path, tree: object) -> dict[str, FoundServer]:
    path = tmp_path / "mcp.json"
    path.write_text(tree if isinstance(tree, str) else json.dumps(tree))
    return {one.name: one for one in read_servers(path, tmp_path)}


def test_the_file_of_vs_code_is_read_with_comments_and_inputs(tmp_path):
    found = read(
        tmp_path,
        """{
          // mine
          "inputs": [{"id": "perplexityKey", "type": "promptString", "password": true}],
          "servers": {
            "memory": {"type": "stdio", "command": "npx", "args": ["-y", "a // b", "/* c */"],},
            "Ask it": {"command": "x", "env": {"KEY": "${input:perplexityKey}"},
              "cwd": "/tmp", "envFile": ".env"},
            "here": {"command": "x", "args": ["${workspaceFolder}/db", "${userHome}", "${env:A}"]},
          },
        }""",
    )
    assert found["memory"].server == McpSettings(command="npx", args=("-y", "a // b", "/* c */"))
    assert found["memory"].notes == ()
    assert found["Ask-it"] == FoundServer(
        name="Ask-it",
        server=McpSettings(command="x", env={"KEY": "${PERPLEXITY_KEY}"}),
        notes=("needs the variable PERPLEXITY_KEY", "left out: cwd, envFile"),
    )
    here = found["here"].server
    assert here is not None
    assert here.args == ("${workspaceFolder}/db", "${HOME}", "${A}")
    assert found["here"].notes == ("needs the variable A", "needs the variable HOME")


def test_the_file_of_claude_code_is_read_for_this_folder_too(tmp_path):
    tree = {
        "mcpServers": {"all": {"command": "x", "args": ["${A:-b}"]}},
        "projects": {
            str(tmp_path): {
                "mcpServers": {"own": {"type": "http", "url": "https://a.example/mcp"}}
            },
            "/elsewhere": {"mcpServers": {"other": {"command": "x"}}},
        },
    }
    found = read(tmp_path, tree)
    assert list(found) == ["all", "own"]
    assert found["own"].server == McpSettings(url="https://a.example/mcp")
    assert found["all"].notes == ("needs the variable A",)


def test_no_secret_is_copied_and_what_comes_of_it_can_be_set(tmp_path):
    tree = {
        "mcpServers": {
            "git": {
                "command": "x",
                "args": ["--api-key", "abcabcabc", f"--token={KEY}", KEY, "postgresql://a:b@c/d"],
                "env": {"GIT_TOKEN": KEY, "PLAIN": "1", "api-key": "abc"},
            },
            "web": {
                "url": "https://a.example",
                "headers": {"Authorization": f"Bearer {KEY}", "X-Api-Key": "abcabcabc"},
            },
        }
    }
    found = read(tmp_path, tree)
    git, web = found["git"].server, found["web"].server
    assert git is not None
    assert web is not None
    assert git.args == ("--api-key", "${API_KEY}", "--token=${TOKEN}", "${SECRET}", "${SECRET}")
    assert git.env["GIT_TOKEN"] == "${GIT_TOKEN}"
    assert web.headers == {"Authorization": "Bearer ${WEB_TOKEN}", "X-Api-Key": "${X_API_KEY}"}
    assert KEY not in repr([git.args, git.env, web.headers, found])
    assert "abcabcabc" not in repr([git.args, git.env, web.headers, found])
    written = {"command": "x", "args": git.args, "env": {"GIT_TOKEN": git.env["GIT_TOKEN"]}}
    assert merge([Layer("a", {"mcp": {"git": written}})]).mcp


def test_a_path_below_the_folder_names_it_since_no_server_runs_there(tmp_path):
    given = {"command": "./run.sh", "args": [".", "./a", "../b", ".c", "--at=."]}
    server = read(tmp_path, {"mcpServers": {"x": given}})["x"].server
    assert server is not None
    assert server.command == "${workspaceFolder}/run.sh"
    assert server.args == ("${workspaceFolder}", "${workspaceFolder}/a", "../b", ".c", "--at=.")
    assert not list(server.references())


def test_what_cannot_be_taken_over_says_why(tmp_path):
    found = read(
        tmp_path,
        {
            "mcpServers": {
                "old": {"type": "sse", "url": "https://a.example/sse"},
                "none": {},
                "both": {"command": "x", "url": "https://a.example"},
                "odd": {"command": ["x"]},
                "text": "x",
                "key": {"url": f"https://a.example/mcp?api_key={KEY}"},
                "off": {"command": "x", "disabled": True},
            }
        },
    )
    assert {name: one.server is None for name, one in found.items()} == {
        **dict.fromkeys(("old", "none", "both", "odd", "text", "key"), True),
        "off": False,
    }
    assert all(one.notes for one in found.values() if one.server is None)
    assert KEY not in repr(found)
    assert found["off"].server == McpSettings(command="x", enabled=False)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"a": 1}', "[" * 100_000])
def test_what_holds_no_servers_is_refused(tmp_path, text):
    with pytest.raises(InvalidInput):
        read(tmp_path, text)


@pytest.mark.timeout(120)
@pytest.mark.parametrize("piece", ['\\"', "/*", '"/*', ",", '\\"\\', "${", "${env:"])
@pytest.mark.parametrize("form", ["@", '"@', '{"mcpServers": {"a": {"command": "@"}}}'])
def test_a_hostile_file_is_read_at_once(tmp_path, form, piece):
    text = form.replace("@", piece * (190_000 // len(piece)))
    try:
        read(tmp_path, text)
    except InvalidInput as error:
        assert "too large" not in error.message


def test_a_large_file_of_the_folder_is_not_read_but_one_of_the_home(tmp_path):
    text = '{"mcpServers": {}, "x": "' + "x" * 200_000 + '"}'
    with pytest.raises(InvalidInput, match="too large"):
        read(tmp_path, text)
    assert read_servers(tmp_path / "mcp.json", tmp_path / "folder") == ()


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="No such file"):
        read_servers(tmp_path / "none.json", tmp_path)


def test_the_files_of_a_folder_come_first(tmp_path):
    files = known_files(tmp_path / "home", tmp_path / "folder")
    assert files[0] == tmp_path / "folder" / ".vscode" / "mcp.json"
    assert tmp_path / "home" / ".claude.json" in files
