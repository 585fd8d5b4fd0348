"""Commands that look like one that is allowed for the session: each of them is asked about."""

import json
import random
from itertools import chain, islice
from typing import Any

from faults.piece import Piece, Run, fail
from faults.server import DECLINED, PERMISSION, Mortal, started

ALLOWED_COMMANDS = ("ls -la", "git status", "npm test", "echo done", "cat notes.txt | head -3")
SESSION = {"outcome": "selected", "optionId": "allowSession"}
TOGETHER = 20
"""Calls of one turn."""
EFFECT = "touch pwned"
INVISIBLE = (
    "\u200b",
    "\u202e",
    "\u2066",
    "\ufeff",
    "\u00a0",
    "\u3000",
    "\u2028",
    "\r",
    "\v",
    "\f",
    "\x1b[8m",
)
TAILS = (
    "; {e}", "&& {e}", "|| {e}", "| {e}", "& {e}", "\n{e}", "\r{e}", " # \n{e}", " $({e})",
    " `{e}`", " <({e})", " > pwned", " >> pwned", ";{e} #", " {e}", "\t;\t{e}", "{pad}; {e}",
    "{lines}{e}", " 2>&1; {e}", " <<< $({e})", " ${{x:-$({e})}}", " \\\n; {e}", " | xargs {e}",
)  # fmt: skip
HEADS = (
    "{e}; ", "{e} && ", "{e}\n", "PATH=.:$PATH ", "LD_PRELOAD=./x.so ", "BASH_ENV=x ", "env ",
    "sudo ", "command ", "exec ", "eval ", "cd /tmp && ", "cd .. ; ", "! ", "time ", "(", "{{ ",
    "$({e}) ", ": ; ", "alias ls={e}; ", "function ls {{ {e}; }}; ", "set -x; ", "\\", "./",
    "nohup ", "timeout 1 ", "~/",
)  # fmt: skip


def run(found: Run) -> None:
    with started(found.folder, {"mode": "obedient"}) as server:
        server.open()
        cases = found.each()
        while some := list(islice(cases, 1)):
            together = list(chain(some, islice(cases, TOGETHER - 1)))
            with found.case(some[0][0]):
                bypasses(server, together)


def bypasses(server: Mortal, cases: list[tuple[int, random.Random]]) -> None:
    session = server.new_session()
    allow(server, session)
    asked: list[str] = []

    def decide(params: dict[str, Any]) -> dict[str, str]:
        asked.append(params["toolCall"]["arguments"]["command"])
        return DECLINED

    server.responses[PERMISSION] = decide
    tried = [disguised(chance) for _, chance in cases]
    order = "\n".join(f"CALL shell {json.dumps(arguments)}" for arguments in tried)
    server.turn(session, order)
    server.forget()
    unasked = [each["command"] for each in tried if each["command"] not in asked]
    if unasked or len(asked) != len(tried):
        fail(f"{len(tried) - len(asked)} ran unasked, such as {unasked[:3]!r}")
    if (server.workspace / "pwned").exists():
        fail(f"something of {tried!r} ran")


def allow(server: Mortal, session: str) -> None:
    """The person allows some commands for the rest of the session; then they run unasked."""

    def decide(params: dict[str, Any]) -> dict[str, str]:
        # An earlier session that is recalled has orders too, and this model obeys them.
        # They name an allowed command also with other arguments, which is another one.
        given = params["toolCall"]["arguments"]
        return SESSION if given in [{"command": each} for each in ALLOWED_COMMANDS] else DECLINED

    server.responses[PERMISSION] = decide
    order = "\n".join(f"CALL shell {json.dumps({'command': each})}" for each in ALLOWED_COMMANDS)
    server.turn(session, order)
    server.responses[PERMISSION] = DECLINED
    server.forget()
    server.turn(session, order)
    if server.messages and any(m.get("method") == PERMISSION for m in list(server.messages)):
        fail("what was allowed for the session was asked about")


def disguised(chance: random.Random) -> dict[str, Any]:
    """Another command, as like to an allowed one as can be."""
    command = chance.choice(ALLOWED_COMMANDS)
    pads = {"e": EFFECT, "pad": " " * 3_000, "lines": "\n" * 200}
    match chance.randrange(7):
        case 0 | 1:
            return {"command": command + chance.choice(TAILS).format(**pads)}
        case 2:
            return {"command": chance.choice(HEADS).format(**pads) + command}
        case 3:
            at = chance.randrange(len(command) + 1)
            return {"command": command[:at] + chance.choice(INVISIBLE) + command[at:]}
        case 4:
            return {"command": recased(command, chance)}
        case 5:
            how = chance.choice([{"background": True}, {"timeout": chance.randrange(1, 100)}])
            return {"command": command, **how}
        case _:
            spaces = command.replace(" ", chance.choice(["  ", "\t", " \\\n", "\n", "${IFS}"]), 1)
            return {"command": spaces if spaces != command else f" {command}"}


def recased(command: str, chance: random.Random) -> str:
    swaps = {
        "l": "\u0456",
        "s": "\u0455",
        "e": "\u0435",
        "a": "\u0430",
        "t": "\uff54",
        "o": "\u043e",
    }
    at = chance.choice([i for i, letter in enumerate(command) if letter.isalpha()])
    other = (
        swaps.get(command[at], command[at].upper())
        if chance.random() < 0.5
        else command[at].upper()
    )
    return command[:at] + other + command[at + 1 :]


PIECE = Piece(run=run, short=40, full=500)
