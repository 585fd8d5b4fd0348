"""Typing while an answer streams, beside a pygls server without handlers: round trips and memory.

A round trip is a change of the document and a request that both servers refuse, one after another;
both servers get the same change in turns, so that a busy machine is busy for both.
"""

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from startup import Server, ended, home_in

BARE = """
from pygls.lsp.server import LanguageServer

LanguageServer("bare", "1").start_io()
"""
LINES = 2000
WORDS_A_SECOND = 50
SAMPLES = 10


def opened(argv: list[str], folder: Path, environment: dict[str, str]) -> Server:
    """A server that has the document open."""
    server = Server(argv, {**home_in(str(folder)), **environment})
    options = {"plimsoll": {"protocolVersion": 1, "capabilities": {"sessionUpdates": True}}}
    workspace = [{"uri": folder.as_uri(), "name": "folder"}]
    server.ask(
        -1,
        "initialize",
        {
            "processId": os.getpid(),
            "rootUri": folder.as_uri(),
            "workspaceFolders": workspace,
            "capabilities": {},
            "initializationOptions": options,
        },
    )
    server.send(method="initialized", params={})
    text = "".join(f"value_{number} = {number}\n" for number in range(LINES))
    path = folder / "typed.py"
    path.write_text(text)
    document = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": text}
    server.send(method="textDocument/didOpen", params={"textDocument": document})
    return server


def talking(folder: Path, words: int) -> dict[str, str]:
    """A model that reads the document, and then talks for as long as anybody types."""
    pieces = [piece for n in range(words) for piece in (f"w{n} ", {"pause": 1 / WORDS_A_SECOND})]
    read = {"name": "file_read", "arguments": {"path": "typed.py"}}
    script = {"steps": [{"calls": [read]}, {"text": pieces}]}
    (folder / "script.json").write_text(json.dumps(script))
    return {
        "PLIMSOLL_MODEL__PROVIDER": "scripted",
        "PLIMSOLL_MODEL__NAME": str(folder / "script.json"),
        "PLIMSOLL_DATA_DIR": str(folder / "data"),
    }


def begin_turn(server: Server, folder: Path) -> None:
    answer = server.ask(-2, "plimsoll/session/new", {"workspaceFolder": folder.as_uri()})
    content = [{"type": "text", "text": "Look at it and tell."}]
    session = answer["result"]["session"]["id"]
    server.ask(-3, "plimsoll/session/prompt", {"sessionId": session, "content": content})


def typed(server: Server, uri: str, number: int, place: tuple[int, int]) -> float:
    """Milliseconds of a keystroke, to the answer that comes after it."""
    line, at = place
    where = {"line": line, "character": at}
    change = {"range": {"start": where, "end": where}, "text": "x"}
    document = {"uri": uri, "version": number + 2}
    begun = time.perf_counter()
    params = {"textDocument": document, "contentChanges": [change]}
    server.send(method="textDocument/didChange", params=params)
    server.ask(number, "bench/nothing", {})
    return (time.perf_counter() - begun) * 1000


def resident(pid: int) -> float:
    """Megabytes of a process in memory."""
    status = Path(f"/proc/{pid}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def percentile(times: list[float], share: float) -> float:
    return sorted(times)[int(len(times) * share)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", type=int, default=10_000, help="keystrokes in each server")
    keys = parser.parse_args().keys
    source = random.Random(7)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        bare = stack.enter_context(ended(opened([sys.executable, "-c", BARE], folder, {})))
        argv = [sys.executable, "-m", "plimsoll", "serve"]
        ours = stack.enter_context(ended(opened(argv, folder, talking(folder, 20 * keys))))
        begin_turn(ours, folder)
        uri = (folder / "typed.py").as_uri()
        servers = {"bare pygls": bare, "plimsoll": ours}
        times: dict[str, list[float]] = {name: [] for name in servers}
        memory: list[float] = []
        for number in range(keys):
            place = (source.randrange(LINES), source.randrange(8))
            for name, server in servers.items():
                times[name].append(typed(server, uri, number, place))
            if number % (keys // SAMPLES) == keys // SAMPLES - 1:
                memory.append(resident(ours.process.pid))
    for name, found in times.items():
        middle, tail = statistics.median(found), percentile(found, 0.99)
        print(f"{name}: {middle:.2f} ms a keystroke, p99 {tail:.2f} ms")
    ratio = percentile(times["plimsoll"], 0.99) / percentile(times["bare pygls"], 0.99)
    print(f"p99 is {ratio:.2f} times that of the bare server, {keys} keystrokes in each")
    print("memory after each tenth, MB: " + " ".join(f"{megabytes:.0f}" for megabytes in memory))
    print("load of the machine: " + " ".join(f"{load:.1f}" for load in os.getloadavg()))


if __name__ == "__main__":
    main()
