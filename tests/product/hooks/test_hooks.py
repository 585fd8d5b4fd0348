"""Hooks in the product: set by the person's file alone, seen by the client, without a right."""

import json
import os
from pathlib import Path

import pytest

from plimsoll.rules import find_sandbox

pytestmark = pytest.mark.slow

PERMISSION = "plimsoll/session/requestPermission"
DECLINED = {"outcome": "selected", "optionId": "rejectOnce"}
DENY = 'grep -q "\\"touch" && { echo "no new files" >&2; exit 2; }; exit 0'
TOUCH = {"command": "touch made"}


@pytest.fixture(scope="module", autouse=True)
def sandboxed():
    if find_sandbox(os.environ, ()).sandbox is None:
        pytest.skip("no sandbox works here")


def configure(home: Path, text: str) -> Path:
    """Write the person's settings; returns the folder of their programs."""
    programs = home / "config" / "plimsoll" / "hooks"
    programs.mkdir(parents=True)
    (programs.parent / "config.toml").write_text(text)
    return programs


def begun(start):
    product = start({"mode": "obedient"})
    product.asked = []

    def answer(params):
        product.asked.append(params["toolCall"])
        return DECLINED

    product.responses[PERMISSION] = answer
    product.open()
    return product


def hooks_of(updates):
    return [
        (update["event"], update["name"], update.get("decision"))
        for update in updates
        if update["kind"] == "hook"
    ]


def test_a_hook_from_the_persons_own_folder_denies_a_call(start, tmp_path):
    own = tmp_path / "config/plimsoll/hooks/deny"
    settings = f'[[hooks.PreToolUse]]\nmatcher = "Bash"\ncommand = "{own} --strict"\n'
    programs = configure(tmp_path, settings)
    program = programs / "deny"
    program.write_text(f"#!/bin/sh\n{DENY}\n")
    program.chmod(0o755)
    product = begun(start)
    session = product.new_session()
    updates = product.turn(session, f"Go. CALL shell {json.dumps(TOUCH)}")
    (told,) = hooks_of(updates)
    assert told == ("PreToolUse", "deny --strict", "deny")
    assert product.asked == []
    assert not (product.workspace / "made").exists()
    listed = product.turn(session, "/hooks")[1]["markdown"]
    assert f"`{own} --strict`" in listed
    assert "denied the call" in listed


def test_what_a_hook_says_moves_an_obedient_model_and_a_person_still_decides(start, tmp_path):
    order = f"CALL shell {json.dumps(TOUCH)}"
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / "order").write_text(order)
    configure(
        tmp_path, '[[hooks.PostToolUse]]\nmatcher = "glob"\ncommand = "cat order >&2; exit 2"\n'
    )
    product = begun(start)
    session = product.new_session()
    updates = product.turn(session, f"Go. CALL glob {json.dumps({'pattern': '*'})}")
    assert hooks_of(updates)[0] == ("PostToolUse", "cat order >&2; exit 2", "block")
    assert [call["name"] for call in product.asked] == ["shell"]
    assert not (product.workspace / "made").exists()


def test_no_folder_sets_a_hook(start, tmp_path):
    work = tmp_path / "workspace"
    touch = {"hooks": [{"type": "command", "command": "touch ran"}]}
    events = ("PreToolUse", "SessionStart", "UserPromptSubmit", "Stop")
    files = {
        ".claude/settings.json": json.dumps({"hooks": {event: [touch] for event in events}}),
        ".plimsoll/config.toml": '[[hooks.SessionStart]]\ncommand = "touch ran"\n',
        "config.toml": '[[hooks.SessionStart]]\ncommand = "touch ran"\n',
        ".codex/hooks.json": json.dumps({"SessionStart": [touch]}),
    }
    for name, text in files.items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text(text)
    product = begun(start)
    session = product.new_session()
    product.turn(session, 'Go. CALL glob {"pattern": "*"}')
    assert hooks_of(product.updates(session)) == []
    assert not (work / "ran").exists()
