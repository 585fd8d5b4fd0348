"""From the last byte of an answer to the next request: Plimsoll beside a minimal loop over httpx.

A model on loopback plays one scripted session to both, in turns: reads, edits, and commands that
print a log of 120 KB. The loop keeps a list of messages and sends it whole: it counts nothing,
stores nothing, confines nothing, and its commands run bare.

Plimsoll's trace says how long each call took: its gates, the tool's own run, the start of the
supervisor and the sandbox. Without that the gap is what all the rest takes. On a busy machine the
clock tells of the others: the column "processor" is what the agent's own threads ran in a gap.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from common import table

KINDS = ("read", "edit", "log")
WITHOUT = "without its calls"
TRACE = "trace.jsonl"
LINES_OF_A_FILE = 220
LINES_OF_THE_LOG = 1_500
LOOP = """
import json, subprocess, sys
import httpx

def read(path):
    return open(path).read()

def edit(path, old, new):
    text = open(path).read().replace(old, new, 1)
    open(path, "w").write(text)
    return "done"

def shell(command):
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True).stdout

tools = {
    "file_read": lambda a: read(a["path"]),
    "file_edit": lambda a: edit(a["path"], a["old_string"], a["new_string"]),
    "shell": lambda a: shell(a["command"]),
}
messages = [{"role": "user", "content": sys.argv[2]}]
client = httpx.Client(timeout=60)
while True:
    body = {"model": "gap", "messages": messages, "stream": True}
    calls = []
    with client.stream("POST", sys.argv[1] + "/chat/completions", json=body) as answer:
        for line in answer.iter_lines():
            if line.startswith("data: {"):
                for choice in json.loads(line[6:])["choices"]:
                    calls += choice["delta"].get("tool_calls", [])
    if not calls:
        break
    messages.append({"role": "assistant", "tool_calls": calls})
    for call in calls:
        result = tools[call["function"]["name"]](json.loads(call["function"]["arguments"]))
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
"""


@dataclass(slots=True)
class Play:
    """One run of the script: where it stands, and the gaps by the kind of step, in milliseconds."""

    calls: list[tuple[str, str, dict[str, object]]]
    at: int = 0
    answered: float = 0.0
    gaps: dict[str, list[float]] = field(default_factory=dict)
    """Of the steps of each kind, in their order."""
    pid: int = 0
    """The agent's process."""
    spent: float = 0.0
    processor: list[float] = field(default_factory=list)
    """What each gap took of the processors in the agent's process, tools included, no children."""

    def without(self, trace: Path) -> dict[str, list[float]]:
        """Return the gaps without the time that the trace tells of each call."""
        spans = map(json.loads, trace.read_text().splitlines())
        took = [span["durationMs"] for span in spans if span["kind"] == "tool"]
        kinds = [kind for kind, _, _ in self.calls]
        own = {kind: [t for t, k in zip(took, kinds, strict=True) if k == kind] for kind in KINDS}
        return {
            kind: [gap - tool for gap, tool in zip(gaps, own[kind], strict=True)]
            for kind, gaps in self.gaps.items()
        }

    def asked(self, now: float) -> tuple[str, dict[str, object]] | None:
        """Note the gap before this request and return the next call, none at the end."""
        if 0 < self.at <= len(self.calls):
            kind = self.calls[self.at - 1][0]
            self.gaps.setdefault(kind, []).append((now - self.answered) * 1000)
            self.processor.append(processor_time(self.pid) - self.spent)
        self.at += 1
        if self.at > len(self.calls):
            return None
        _, tool, arguments = self.calls[self.at - 1]
        return tool, arguments


def script(steps: int) -> list[tuple[str, str, dict[str, object]]]:
    """Reads, edits and logs in turn; each read is of a file of its own."""
    made: list[tuple[str, str, dict[str, object]]] = []
    for number in range(steps):
        path = f"part_{number // 3}.py"
        change = {"path": path, "old_string": "value_7 = 7", "new_string": "value_7 = 8"}
        made.append(
            (
                ("read", "file_read", {"path": path}),
                ("edit", "file_edit", change),
                ("log", "shell", {"command": f"cat run_{number // 3}.log"}),
            )[number % 3]
        )
    return made


def workspace(root: Path, steps: int) -> Path:
    """Files to read and logs to print, no two alike."""
    root.mkdir()
    for number in range(steps // 3 + 1):
        lines = (
            f"value_{line} = {line}  # of part {number}" if line < 40 else code(number, line)
            for line in range(LINES_OF_A_FILE)
        )
        (root / f"part_{number}.py").write_text("\n".join(lines))
        log = (logged(number, line) for line in range(LINES_OF_THE_LOG))
        (root / f"run_{number}.log").write_text("\n".join(log))
    return root


def code(number: int, line: int) -> str:
    return f"    result_{line} = handlers[{line * 7 % 11}].resolve(part_{number}, depth={line})"


def logged(number: int, line: int) -> str:
    at = f"12:{line // 60 % 60:02}:{line % 60:02}"
    return f"{at} INFO worker-{line % 7} step {number}.{line}: copied block {line * 37}"


def chunks(call: tuple[str, dict[str, object]] | None, number: int) -> Iterator[dict[str, object]]:
    """Yield the answer as a stream of chat completions."""
    if call is None:
        yield {"choices": [{"index": 0, "delta": {"content": "Done."}, "finish_reason": "stop"}]}
    else:
        function = {"name": call[0], "arguments": json.dumps(call[1])}
        called = {"index": 0, "id": f"call_{number}", "type": "function", "function": function}
        delta = {"tool_calls": [called]}
        yield {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        yield {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}


def handler(play: Play) -> type[BaseHTTPRequestHandler]:
    class Model(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Else the body waits 40 ms for the acknowledgement of the head.
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            call = play.asked(time.perf_counter())
            lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks(call, play.at)]
            body = "".join([*lines, "data: [DONE]\n\n"]).encode()
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            play.spent = processor_time(play.pid)
            self.wfile.write(body)
            play.answered = time.perf_counter()

        def do_GET(self) -> None:
            self.send_error(404)

        def log_message(self, *_: object) -> None: ...

    return Model


@contextmanager
def model(play: Play) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(play))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()


def plimsoll(url: str, home: Path) -> list[str]:
    settings = home / "plimsoll.toml"
    address = f'provider = "openai"\nname = "gap"\nbase_url = "{url}"\ncontext_window = 131072\n'
    settings.write_text(f"[model]\n{address}")
    agent = [sys.executable, "-m", "plimsoll", "run", "--auto-approve"]
    files = ["--trace", str(home / TRACE), "--config", str(settings)]
    return [*agent, *files, "Go through the parts."]


def loop(url: str, _home: Path) -> list[str]:
    return [sys.executable, "-c", LOOP, url, "Go through the parts."]


AGENTS = {"loop over httpx": loop, "plimsoll": plimsoll}
Gaps = dict[str, list[float]]


@dataclass(frozen=True, slots=True)
class Peak:
    """Bytes that were held at most."""

    own: int
    tree: int
    """With all children; pages that several hold count for each."""


def run(name: str, steps: int) -> tuple[dict[str, Gaps], list[float], Peak]:
    """Play the script to an agent.

    Returns its gaps by the name of their row, their processor time, and its memory.
    """
    play = Play(script(steps))
    with tempfile.TemporaryDirectory(prefix="plimsoll-") as made, model(play) as url:
        folder = Path(made)
        root = workspace(folder / "work", steps)
        argv = AGENTS[name](url, folder)
        process = subprocess.Popen(
            argv,
            cwd=root,
            env=private_home(made),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        play.pid = process.pid
        with ThreadPoolExecutor(1) as pool:
            peak = pool.submit(peak_of, process)
            code = process.wait(600)
            if code != 0 or play.at != steps + 1:
                raise SystemExit(f"{name}: exit code {code}, {play.at} of {steps + 1} requests")
            found = {name: play.gaps}
            if (folder / TRACE).exists():
                found[f"{name}, {WITHOUT}"] = play.without(folder / TRACE)
            return found, play.processor, peak.result()


def private_home(folder: str) -> dict[str, str]:
    """A home of its own, so that no store and no settings of a person are touched."""
    return {**os.environ, "HOME": folder, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder}


def peak_of(process: subprocess.Popen[bytes]) -> Peak:
    """Look at what the process and its children hold until it ends."""
    own = tree = 0
    while process.poll() is None:
        family = [process.pid, *descendants(process.pid)]
        own = max(own, held(process.pid, "VmHWM"))
        tree = max(tree, sum(held(pid, "VmRSS") for pid in family))
        time.sleep(0.02)
    return Peak(own, tree)


def processor_time(pid: int) -> float:
    """Milliseconds that the threads of a process have run, which a busy machine makes no longer."""
    spent = 0
    for task in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        try:
            spent += int(task.read_text().split()[0])
        except OSError:
            continue
    return spent / 1e6


def descendants(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = [int(each) for each in task.read_text().split()]
        except OSError:
            continue
        found += [each for child in children for each in (child, *descendants(child))]
    return found


def held(pid: int, what: str) -> int:
    """Bytes by a line of a process's status; none of one that has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith(what))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--runs", type=int, default=3, help="of each agent, in turns")
    options = parser.parse_args()
    gaps: dict[str, Gaps] = {}
    processor: Gaps = {}
    peaks: dict[str, Peak] = {}
    for _ in range(options.runs):
        for name in AGENTS:
            rows, spent, peak = run(name, options.steps)
            processor.setdefault(name, []).extend(spent)
            before = peaks.get(name, peak)
            peaks[name] = Peak(max(before.own, peak.own), max(before.tree, peak.tree))
            for row, kinds in rows.items():
                for kind, found in kinds.items():
                    gaps.setdefault(row, {}).setdefault(kind, []).extend(found)
    report(gaps, processor, peaks)


def report(gaps: dict[str, Gaps], processor: Gaps, peaks: dict[str, Peak]) -> None:
    """Print p50 and p95 of each kind in milliseconds, of all, and beside the loop."""
    head = ["gap, p50 / p95 ms", *KINDS, "all", "processor", "memory", "with children"]
    rows = []
    for name, kinds in gaps.items():
        everything = [gap for found in kinds.values() for gap in found]
        cells = [shown(kinds[kind]) for kind in KINDS]
        peak = peaks.get(name)
        memory = [f"{size / 1e6:.0f} MB" for size in (peak.own, peak.tree)] if peak else ["", ""]
        spent = shown(processor[name]) if name in processor else ""
        rows.append([name, *cells, shown(everything), spent, *memory])
    table(head, rows)
    print(f"load at the end: {os.getloadavg()[0]:.1f}")


def shown(found: list[float]) -> str:
    ordered = sorted(found)
    return f"{statistics.median(ordered):.0f} / {ordered[int(len(ordered) * 0.95)]:.0f}"


if __name__ == "__main__":
    main()
