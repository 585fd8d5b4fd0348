"""`--trace` of the real server: its file, and that no canary is in it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from product.harness import READ, Product

pytestmark = pytest.mark.slow

CANARY = "canary-words-of-somebody"
KEY = "sk-canary-4f9b1c7d2e8a6b3c5d0e"
SCRIPT = {
    "steps": [
        {"text": f"I read {CANARY}.", "calls": [READ], "usage": {"input": 9_000, "output": 3}},
        {"text": f"Done {CANARY}.", "usage": {"input": 18_000, "output": 4}},
    ]
}


def test_the_server_traces_its_turns_and_no_canary(tmp_path: Path):
    path = tmp_path / "trace.jsonl"
    serve = ("-m", "plimsoll", "serve", "--trace", str(path))
    with Product(tmp_path, SCRIPT, serve, OPENAI_API_KEY=KEY) as server:
        (server.workspace / "big.txt").write_text(f"{CANARY} {KEY}\n" * 2_000)
        server.open()
        session = server.new_session()
        server.turn(session, f"Read it: {CANARY} {KEY}")
        rows = server.call("plimsoll/session/cost", {"sessionId": session})["rows"]
        server.call("shutdown")
        server.notify("exit")
        server.wait_closed()
    assert path.stat().st_mode & 0o777 == 0o600
    text = path.read_text()
    assert CANARY not in text
    assert KEY not in text
    spans = [json.loads(line) for line in text.splitlines()]
    (turn,) = [span for span in spans if span["kind"] == "turn"]
    assert {span.get("parentSpanId") for span in spans} == {None, turn["spanId"]}
    assert turn["attributes"]["gen_ai.conversation.id"] == session
    requests = [span["attributes"] for span in spans if span["kind"] == "request"]
    assert sum(each["gen_ai.usage.input_tokens"] for each in requests) == 27_000
    assert [row["input"] for row in rows] == [27_000]
    assert [s["name"] for s in spans if s["kind"] == "tool"] == ["execute_tool file_read"]


def test_a_run_traces_too_and_says_what_cannot_be_written(tmp_path: Path):
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"steps": [{"text": "Hello."}]}))
    own = {
        "PLIMSOLL_DATA_DIR": str(tmp_path / "data"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "PLIMSOLL_MODEL__PROVIDER": "scripted",
        "PLIMSOLL_MODEL__NAME": str(script),
    }
    command = [sys.executable, "-m", "plimsoll", "run", "--workspace", str(tmp_path), "--trace"]
    for name, code in (("trace.jsonl", 0), ("none/trace.jsonl", 1)):
        done = subprocess.run(
            [*command, str(tmp_path / name), "Hi."],
            env={**os.environ, **own},
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == code, done.stderr
    assert "The trace cannot be written" in done.stderr
    lines = (tmp_path / "trace.jsonl").read_text().splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["preflight", "request", "turn"]
