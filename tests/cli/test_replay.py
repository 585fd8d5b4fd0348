"""`plimsoll replay`: valid, exact, and the same each time."""

import json
import re
from pathlib import Path

from cli.shell import Shell, rows


def recording(folder: Path) -> Path:
    lines = [{"role": "system", "content": "Be brief."}]
    for number in range(30):
        call = {"id": f"c{number}", "name": "bash", "arguments": {"cmd": f"make {number}"}}
        lines += [
            {"role": "user", "content": f"Build part {number}."},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": f"part {number}\n" * 200},
            {"role": "assistant", "content": f"Part {number} is built."},
        ]
    path = folder / "recorded.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_a_replay_is_the_same_each_time_and_sums_exactly(shell: Shell):
    path = recording(shell.folder)
    first = shell.run("replay", str(path), "--window", "8192", "--json")
    second = shell.run("replay", str(path), "--window", "8192", "--json")
    assert first.stdout == second.stdout
    events = rows(first)
    requests = [event for event in events if event["kind"] == "request"]
    assert [request["index"] for request in requests] == list(range(60))
    assert all(request["tokens"] <= 8192 * 3 // 4 for request in requests)
    assert not any("violations" in request for request in requests)
    assert any(event["kind"] == "reduction" for event in events)
    meters = [event for event in events if event["kind"] == "meter"]
    assert len(meters) == 30
    assert all(sum(p["tokens"] for p in m["parts"]) == m["used"] for m in meters)
    assert [event["kind"] for event in events].index("report") == len(events) - 1


def test_a_replay_for_people(shell: Shell):
    path = recording(shell.folder)
    done = shell.run("replay", str(path), "--window", "8192", "--report")
    out = done.stdout.decode()
    assert done.returncode == 0
    assert re.search(r"^⊖ (prune|digest): (Removed|Summarised) ", out, re.MULTILINE)
    assert "60 requests in a window of 8,192 tokens" in out
    assert "Largest items" in out
