"""The log file of the real server: what it tells, and that no canary is in it."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

CANARY = "canary-words-of-somebody"
KEY = "sk-canary-4f9b1c7d2e8a6b3c5d0e"
SCRIPT = {
    "steps": [
        {
            "text": f"I look {CANARY}.",
            "calls": [{"name": "file_read", "arguments": {"path": f"{CANARY}.txt"}}],
        },
        {"text": f"Done {CANARY}."},
        {"error": "auth"},
    ]
}


@pytest.mark.parametrize("level", ["warning", "debug"])
def test_the_log_tells_of_turns_and_holds_nobodys_words(start, tmp_path: Path, level: str):
    server = start(SCRIPT, OPENAI_API_KEY=KEY, PLIMSOLL_LOG=level)
    server.open()
    session = server.new_session()
    server.turn(session, f"Look: {CANARY} {KEY}")
    server.turn(session, f"Again: {CANARY}")
    server.failure("plimsoll/session/load", {"sessionId": CANARY, "workspaceFolder": server.uri})
    server.call("shutdown")
    server.notify("exit")
    server.wait_closed()
    path = tmp_path / "data" / "log" / "plimsoll.log"
    assert path.stat().st_mode & 0o777 == 0o600
    text = path.read_text()
    assert CANARY not in text
    assert KEY not in text
    assert f" {server.process.pid} INFO plimsoll.lsp.server_app: plimsoll " in text
    assert f"a turn of {session} ended after" in text
    assert ": error, providerAuth" in text
    assert "INFO" not in server.stderr_at_end() or level == "debug"


def test_a_data_folder_that_cannot_be_written_keeps_the_server_alive(start, tmp_path: Path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "log").write_text("no folder")
    server = start({"steps": [{"text": "Hello."}]})
    server.open()
    assert server.turn(server.new_session(), "Hi.")[-1]["stopReason"] == "endTurn"
    server.call("shutdown")
    server.notify("exit")
    server.wait_closed()
    said = server.stderr_at_end()
    assert said.count("the log file cannot be written: StoreUnavailable") == 1
    assert Path(tmp_path / "data" / "log").is_file()
