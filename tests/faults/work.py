"""A conversation whose turns read, edit, run and remember, and what was acknowledged of it.

What the client was told is the measure: an accepted prompt, a call that completed, a turn that
ended without an error, a compaction that was answered.
"""

import random
from itertools import product
from pathlib import Path
from typing import Any

from faults.piece import fail
from faults.server import Mortal
from product.harness import texts
from product.stores.test_crashes import assert_whole

MOST = 200
"""Turns of one store."""
PARTS = ("pump", "valve", "rudder", "anchor", "winch", "mast", "keel", "lamp", "radio", "buoy")
SORTS = ("brass", "steel", "copper", "oak", "nylon", "glass", "rubber", "canvas", "iron", "cork")
NAMES = [f"{sort} {part}" for part, sort in product(PARTS, SORTS)] + [
    f"{sort} {part} of the other boat" for part, sort in product(PARTS, SORTS)
]
SETTINGS = {"PLIMSOLL_MODEL__CONTEXT_WINDOW": "24000", "PLIMSOLL_TRUNCATION__MAX_LINES": "60"}
"""A window so small that turns are reduced and compacted, and outputs go to files."""


def script() -> dict[str, Any]:
    rules = [{"when": f"^number {number}$", "steps": steps(number)} for number in range(MOST)]
    return {"rules": rules, "mode": "echo"}


def steps(number: int, token: str | None = None) -> list[dict[str, Any]]:
    """The answers of a turn; its command leaves the token, or the number, in a file."""
    note = f"The {NAMES[number]} is checked on day {number} of each season."
    read = {"name": "file_read", "arguments": {"path": f"log-{number % 7}.txt"}}
    write = {"path": "kept.txt", "content": f"written by turn {number}\n"}
    run = {"command": f"echo {token or number} >> ran.txt; seq {number} {number + 120}"}
    save = {"type": "project", "title": note_title(number), "content": note}
    return [
        {"calls": [read, {"name": "file_write", "arguments": write}]},
        {
            "text": ["Now ", "it runs."],
            "calls": [
                {"name": "shell", "arguments": run},
                {"name": "memory_save", "arguments": save},
            ],
        },
        {"text": [f"answered {number}"]},
    ]


def note_title(number: int) -> str:
    return f"About the {NAMES[number]}"


def ran(workspace: Path) -> list[str]:
    """What commands have left, in the order in which they ran."""
    left = workspace / "ran.txt"
    return left.read_text().split() if left.exists() else []


def furnish(workspace: Path) -> None:
    workspace.mkdir(parents=True, exist_ok=True)
    for number in range(7):
        lines = "\n".join(f"{number} line {line} of the log" for line in range(150))
        (workspace / f"log-{number}.txt").write_text(lines)
    (workspace / "kept.txt").write_text("at first\n")


class Work:
    """What one store was given, over all its servers."""

    def __init__(self) -> None:
        self.session = ""
        self.asked: list[str] = []
        self.accepted: list[str] = []
        self.answered: set[str] = set()
        self.remembered: set[str] = set()
        self.reduced: set[str] = set()
        self._turns: dict[str, str] = {}

    def turn(self, server: Mortal) -> str | None:
        """One more turn; how it ended: ``ok``, ``failed``, or none when it was not accepted."""
        text = f"number {len(self.asked)}"
        self.asked.append(text)
        params = {"sessionId": self.session, "content": [{"type": "text", "text": text}]}
        request = server.request("plimsoll/session/prompt", params)
        answer = server.reply(request)
        if "error" in answer:
            return None
        turn = answer["result"]["turnId"]
        ended = server.update("turnEnded", turn)
        self.hear(server)
        return "failed" if ended.get("error") else "ok"

    def compact(self, server: Mortal) -> bool:
        answer = server.reply(
            server.request("plimsoll/context/compact", {"sessionId": self.session})
        )
        self.hear(server)
        if "error" in answer:
            return False
        self.reduced.add(answer["result"]["receipt"]["id"])
        return True

    def hear(self, server: Mortal) -> None:
        """Note what the server has acknowledged so far, also when it is dead."""
        for message in list(server.messages):
            update = message.get("params", {}).get("update") if "method" in message else None
            if update is not None and message["params"]["sessionId"] == self.session:
                self._note(update)

    def _note(self, update: dict[str, Any]) -> None:
        match update["kind"]:
            case "message":
                self._note_message(update["message"])
            case "toolCall" if update["toolCall"]["name"] == "memory_save":
                call = update["toolCall"]
                self._turns[call["id"]] = call["arguments"]["title"]
            case "toolUpdate" if update["status"] == "completed":
                self.remembered |= {self._turns.get(update["toolCallId"], "")} - {""}
            case "reduction" if update["receipt"].get("status") == "completed":
                self.reduced.add(update["receipt"]["id"])
            case _:
                return

    def _note_message(self, message: dict[str, Any]) -> None:
        found = "".join(part.get("text") or "" for part in message["parts"])
        if message["role"] == "user" and found in self.asked and found not in self.accepted:
            self.accepted.append(found)
        if message["role"] == "assistant" and found.startswith("answered"):
            self.answered.add(found)

    def check(self, server: Mortal) -> None:
        """Everything acknowledged is there, once and in order, and nothing is torn."""
        self.hear(server)
        held = texts(server.load(self.session))
        spoken = [text for text in held if text.startswith("number ")]
        if len(spoken) != len(set(spoken)):
            fail(f"twice in the log: {spoken}")
        if [text for text in spoken if text in self.accepted] != self.accepted:
            fail(f"accepted {self.accepted}, found {spoken}")
        if [text for text in self.asked if text in spoken] != spoken:
            fail(f"not in order: {spoken}")
        if lost := self.answered - set(held):
            fail(f"lost answers: {lost}")
        if lost := self.remembered - {each["title"] for each in server.memories()}:
            fail(f"lost memories: {lost}")
        if lost := self.reduced - self._receipts(server):
            fail(f"lost reductions: {lost}")
        assert_whole(server, self.session)
        lines = ran(server.workspace)
        if len(lines) != len(set(lines)):
            fail(f"run twice: {lines}")

    def _receipts(self, server: Mortal) -> set[str]:
        asked = {"sessionId": self.session, "detail": "list"}
        report = server.call("plimsoll/context/report", asked)
        return {receipt["id"] for receipt in report["receipts"]}

    def check_free(self, server: Mortal) -> None:
        """The next turn is taken, and ends without an error."""
        ended = self.turn(server)
        if ended != "ok":
            last = server.messages[-3:]
            fail(f"the next turn {'failed' if ended else 'was refused'}: {str(last)[:900]}")


def chosen(chance: random.Random, work: Work, server: Mortal) -> str | None:
    """A turn, or now and then a compaction."""
    if chance.random() < 0.15 and work.accepted:
        return "ok" if work.compact(server) else None
    return work.turn(server)
