"""Valid, malformed and random frames, and cancels in between: one answer for each request."""

import random
import time
from collections import Counter
from contextlib import suppress
from itertools import chain, islice
from typing import Any

from faults.piece import Piece, Run, fail
from faults.server import Died, Mortal, started
from lsp.dispatch.test_fuzz import NOTIFICATIONS, answers_due, mutated
from lsp.raw_client import frame

FRAMES, CANCELS = 500, 250
"""Of a case."""
CASES_A_SERVER = 10
LOST = (
    b"Content-Length: -5\r\n\r\n{}",
    b"Content-Length: 99999999999\r\n\r\n{}",
    b"Content-Length: abc\r\n\r\n{}",
    b"Content-Type: x\r\n\r\n{}",
    b"x" * 100_000,
    b"\0" * 100,
)
"""What no reader can find its way behind."""
SECONDS = 120
"""For all answers of a case."""
ENDS_SECONDS = 120


def run(found: Run) -> None:
    cases = found.each()
    while some := list(islice(cases, 1)):
        number, chance = some[0]
        with started(found.folder / str(number), {"mode": "echo"}) as server:
            server.open()
            known = seeds(server, server.new_session())
            for number, chance in chain(some, islice(cases, CASES_A_SERVER - 1)):
                server.forget()
                with found.case(number):
                    frames(found, server, known, chance)
                server.forget()
                with found.case(number):
                    cancels(found, server, known, chance)
            with found.case(number):
                lost(server, chance)
                found.count("streams lost")


def seeds(server: Mortal, session: str) -> list[dict[str, Any]]:
    folder, own = {"workspaceFolder": server.uri}, {"sessionId": session}
    asked = {
        "plimsoll/status": {},
        "plimsoll/session/list": folder,
        "plimsoll/session/load": {**folder, **own},
        "plimsoll/session/view": own,
        "plimsoll/session/cost": own,
        "plimsoll/session/setMode": {**own, "mode": "plan"},
        "plimsoll/session/cancel": own,
        "plimsoll/context/report": {**own, "detail": "list"},
        "plimsoll/context/preview": own,
        "plimsoll/context/undo": {**own, "editId": "none"},
        "plimsoll/context/evict": {**own, "itemIds": ["none"]},
        "plimsoll/context/explain": {**own, "itemId": "none"},
        "plimsoll/context/import": {**folder, "jsonl": '{"plimsollExport":1}\n[]'},
        "plimsoll/pin/list": own,
        "plimsoll/pin/remove": {**own, "number": 99},
        "plimsoll/memory/list": folder,
        "plimsoll/memory/search": {**folder, "query": "a pump"},
        "plimsoll/memory/forget": {"memoryId": "none"},
        "initialize": {"processId": None, "rootUri": None, "capabilities": {}},
        "workspace/executeCommand": {"command": "plimsoll.server.memories", "arguments": [folder]},
        "textDocument/codeLens": {"textDocument": {"uri": f"{server.uri}/a.txt"}},
        "no/such": {"a": [1, None]},
    }
    return [{"method": method, "params": params} for method, params in asked.items()]


def frames(found: Run, server: Mortal, known: list[dict[str, Any]], chance: random.Random) -> None:
    bodies = [
        chance.randbytes(chance.randrange(1, 400))
        if chance.random() < 0.1
        else mutated(chance, number, known, NOTIFICATIONS)
        for number in range(FRAMES)
    ]
    due = Counter(repr(answer) for body in bodies for answer in answers_due(body))
    stream = b"".join(frame(body) for body in bodies)
    step = chance.choice([1_001, 7_001, 65_537])
    for start in range(0, len(stream), step):
        server.send_bytes(stream[start : start + step])
    given = answers(server, due.total())
    found.count("frames", len(bodies))
    if given != due:
        fail(f"too few answers {due - given}, too many {given - due}")


def cancels(found: Run, server: Mortal, known: list[dict[str, Any]], chance: random.Random) -> None:
    ids = [f"cancel-{number}" for number in range(CANCELS)]
    waiting: list[str] = []
    for own in ids:
        seed = chance.choice(known)
        server.request(seed["method"], seed["params"], request_id=own)
        waiting += [own] * chance.choice([1, 1, 1, 2])
        while waiting and chance.random() < 0.7:
            server.notify("$/cancelRequest", {"id": waiting.pop(chance.randrange(len(waiting)))})
    for own in waiting:
        server.notify("$/cancelRequest", {"id": own})
    given, due = answers(server, len(ids)), Counter(map(repr, ids))
    found.count("cancels", len(ids))
    if given != due:
        fail(f"too few answers {due - given}, too many {given - due}")


def answers(server: Mortal, due: int) -> Counter[str]:
    """Wait until so many requests are answered, and a little longer for what is too much."""

    def given() -> Counter[str]:
        return Counter(repr(m["id"]) for m in list(server.messages) if "method" not in m)

    deadline = time.monotonic() + SECONDS
    while given().total() < due and time.monotonic() < deadline:
        if server.process.poll() is not None:
            fail(f"it ended: {server.stderr[-500:]}")
        time.sleep(0.02)
    server.request("plimsoll/status", {}, request_id="last")
    server.reply("last")
    found = given()
    del found["'last'"]
    return found


def lost(server: Mortal, chance: random.Random) -> None:
    """Lost framing ends the server with a reason and an exit code."""
    # It may end before it was given all of it.
    with suppress(Died, BrokenPipeError):
        server.send_bytes(chance.choice(LOST))
        server.close_input()
    code = server.wait_closed(ENDS_SECONDS)
    assert code != 0, "it ended as if all were well"
    assert server.stderr_at_end().strip(), "it gave no reason"


PIECE = Piece(run=run, short=3, full=200)
