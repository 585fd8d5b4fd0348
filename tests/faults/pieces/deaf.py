"""A client that takes nothing while an answer streams: the turn, the loop and the memory go on."""

import json
import random
import time
from pathlib import Path
from typing import Any

from faults.piece import Piece, Run, fail, quantile
from faults.server import Mortal
from plimsoll.lsp.features.streams import LAGGING_BYTES
from product.harness import UPDATE

PIECES, SIZE = 4_000, 1_500
"""Of text in one answer of six megabytes."""
MOST_MEMORY = 80_000_000
"""Bytes; 64 MiB are promised, and how much is free at once differs under load."""
MOST_DELAY = 1.0
"""Seconds, of a hundredth of the beats; a loop that waits for its client is late by all of the time
that nothing is read, and one on a slow machine by half a second at worst."""
LEAST_BEATS = 10
"""In a second, of a hundred that are due: a loop that waits for its client has none."""
WARM = "warm"


class Beating(Mortal):
    """A server whose loop measures itself; see ``faults.heartbeat``."""

    def __init__(self, home: Path, script: dict[str, Any]) -> None:
        self.beats = home / "beats"
        self.PROGRAM = ("faults.heartbeat", str(self.beats))
        tests = str(Path(__file__).parents[2])
        super().__init__(home, script, PYTHONPATH=tests, PLIMSOLL_MODEL__CONTEXT_WINDOW="9000000")


def script(chance: random.Random) -> dict[str, Any]:
    """One long answer in pieces, with a halt now and then so that it lasts."""
    letters = "abcdefghijklmnopqrstuvwxyz "
    pieces: list[Any] = []
    for number in range(PIECES):
        pieces.append("".join(chance.choices(letters, k=50)) * (SIZE // 50))
        if number % 40 == 0:
            pieces.append({"pause": 0.05})
    return {"rules": [{"when": "long", "steps": [{"text": pieces}]}], "mode": "echo"}


def run(found: Run) -> None:
    """Each case is a second without a reader."""
    home = found.folder
    home.mkdir(exist_ok=True)
    with Beating(home, script(found.chance(0))) as server:
        server.open()
        session = server.new_session()
        server.turn(session, WARM)
        server.forget()
        before = most = server.kept_pages()
        begun = len(beats(server))
        server.pause_reading()
        content = [{"type": "text", "text": "A long answer."}]
        asked = server.request(
            "plimsoll/session/prompt", {"sessionId": session, "content": content}
        )
        end = time.monotonic()
        for number, _ in found.each():
            end += 1
            while time.monotonic() < end:
                time.sleep(0.05)
                if server.process.poll() is not None:
                    found.violate(number, f"it ended: {server.stderr[-300:]}")
                    return
                most = max(most, server.kept_pages())
        found.notes.append(f"memory {(most - before) / 2**20:+.0f} MB")
        delays = beats(server)[begun:]
        found.notes.append(f"loop delay p99 {quantile(delays, 0.99) * 1000:.0f} ms")
        with found.case(found.first):
            if most - before > MOST_MEMORY:
                fail(f"memory grew by {(most - before) / 2**20:.0f} MB")
            if len(delays) < LEAST_BEATS * found.done:
                fail(f"the loop stood still: {len(delays)} beats in {found.done} s")
            if quantile(delays, 0.99) > MOST_DELAY:
                fail(f"the loop was late by {quantile(delays, 0.99) * 1000:.0f} ms")
            server.notify("plimsoll/session/cancel", {"sessionId": session})
            server.resume_reading()
            server.update("turnEnded", server.reply(asked)["result"]["turnId"])
            numbers = [each["params"]["seq"] for each in server.notifications(UPDATE)]
            if numbers[-1] - numbers[0] < len(numbers):
                fail("nothing was dropped of what nobody read")
            if len(json.dumps(server.load(session))) < LAGGING_BYTES:
                fail("the answer is not there afterwards")


def beats(server: Beating) -> list[float]:
    try:
        return json.loads(server.beats.read_text())
    except (OSError, ValueError):
        return []


PIECE = Piece(run=run, short=12, full=60, needs=("linux",))
