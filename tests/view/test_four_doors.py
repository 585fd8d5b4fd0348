"""One session through four doors: ACP, an editor, a terminal, a browser. One log, one ledger."""

import json
import subprocess
import sys

import pytest

from acp_door.client import AcpClient
from lsp.preloaded import run
from view.conftest import environment_of

pytestmark = pytest.mark.slow

EDIT = {
    "name": "file_edit",
    "arguments": {"path": "notes.txt", "old_string": "two", "new_string": "2"},
}
SCRIPT = {
    "rules": [{"when": "change", "steps": [{"calls": [EDIT]}, {"text": ["Changed."]}]}],
    "mode": "echo",
}
ASK = "plimsoll/session/requestPermission"
KEEP = {"PLIMSOLL_COMPACTION__KEEP_TURNS": "1", "PLIMSOLL_COMPACTION__KEEP_FRACTION": "0.01"}


def test_a_session_is_the_same_through_each_door(start, tab, command, tmp_path):
    def terminal(*words: str) -> subprocess.CompletedProcess[bytes]:
        argv = [sys.executable, "-m", "plimsoll", *words]
        done = run(argv, b"", editor.workspace, environment_of(editor, **KEEP), 60)
        assert done.returncode == 0, done.stderr
        return done

    editor = start(SCRIPT, **KEEP)
    (editor.workspace / "notes.txt").write_text("one\ntwo\nthree\n")
    with AcpClient(tmp_path, SCRIPT, **KEEP) as agent:
        agent.open()
        session = agent.new_session()
        for n in range(4):
            assert agent.prompt(session, f"The tide of day {n}: " + "high water, " * 900)
    editor.responses[ASK] = {"outcome": "selected", "optionId": "allowOnce"}
    editor.open()
    folder = {"workspaceFolder": editor.uri, "sessionId": session}
    editor.call("plimsoll/session/load", folder)
    editor.turn(session, "change it")
    assert (editor.workspace / "notes.txt").read_text() == "one\n2\nthree\n"

    terminal("run", "--session", session, "/compact anyway")
    page = tab(command(editor, "--session", session, **KEEP).address)
    report = page.sees(lambda _: True)["report"]
    (compaction,) = (each for each in report["receipts"] if each["stage"] in ("compact", "digest"))
    assert compaction["tokensAfter"] < compaction["tokensBefore"]
    assert page.asks("context/undo", editId=compaction["id"])["result"]["receipt"]["undone"]
    page.sees(lambda now: any(each["undone"] for each in now["report"]["receipts"]))

    with AcpClient(tmp_path, SCRIPT, **KEEP) as agent:
        agent.open()
        agent.loaded(session)
        assert agent.prompt(session, "And the next one?")
        used = agent.updates(session, "usage_update")[-1]["used"]
    editor.call("plimsoll/session/load", folder)
    in_editor = editor.call("plimsoll/context/report", {"sessionId": session, "detail": "detail"})
    printed = json.loads(terminal("report", "--session", session, "--json").stdout)
    browser = page.sees(lambda now: now["report"]["meter"]["used"] == used)["report"]
    for each in (in_editor, printed, browser):
        assert each["meter"]["used"] == used
        assert sum(part["tokens"] for part in each["meter"]["parts"]) == used
        assert each["receipts"] == in_editor["receipts"]
        assert each["items"] == in_editor["items"]
