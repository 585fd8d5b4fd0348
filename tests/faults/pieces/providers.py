"""Providers that cut, lie, refuse and stall: no hang, no half call run, valid requests after it."""

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from faults.answers import MARK, Answer, Dialect, made
from faults.piece import Piece, Run, fail
from faults.server import Died, Mortal, started
from providers.fault_server import FaultServer, running
from providers.support import KEY

SECONDS = 120
"""For a provider to be asked: a safety net."""
CASES_A_SESSION = 20


def run(found: Run) -> None:
    with ExitStack() as stack:
        rigs = [stack.enter_context(rig(found, name)) for name in ("openai", "anthropic")]
        for number, chance in found.each():
            own = rigs[number % 2]
            answer = made(own.dialect, chance, number)
            found.count(answer.kind)
            try:
                own.meet(answer, number)
            except (AssertionError, TimeoutError, Died) as broken:
                found.violate(number, f"{own.dialect.name}, {answer.kind}: {broken}")
                own.session = ""


@contextmanager
def rig(found: Run, name: str) -> Iterator["Rig"]:
    """A provider of the machine's own, and a server that uses it."""
    with running() as provider:
        settings = {
            "PLIMSOLL_MODEL__PROVIDER": name,
            "PLIMSOLL_MODEL__NAME": "some-model",
            "PLIMSOLL_MODEL__CONTEXT_WINDOW": "100000",
            "PLIMSOLL_MODEL__BASE_URL": provider.url,
            "OPENAI_API_KEY": KEY,
            "ANTHROPIC_API_KEY": KEY,
            "PLIMSOLL_MEMORY__EXTRACTION": "off",
        }
        with started(found.folder / name, None, **settings) as server:
            server.open()
            yield Rig(Dialect(name), provider, server)


class Rig:
    """A dialect, its provider, and the server between it and us."""

    def __init__(self, dialect: Dialect, provider: FaultServer, server: Mortal) -> None:
        self.dialect = dialect
        self.session = ""
        self._provider = provider
        self._server = server
        self._met = 0

    def meet(self, answer: Answer, number: int) -> None:
        """Let a turn meet the answer, and have another one after it."""
        server = self._server
        if not self.session or self._met % CASES_A_SESSION == 0:
            self.session = server.new_session()
        self._met += 1
        self._provider.replies[:] = [*answer.replies, self.dialect.good()]
        self._provider.asked.clear()
        turn = server.prompt(self.session, f"Case {number}.")
        if answer.hangs:
            self._cancel()
        server.update("turnEnded", turn)
        ran = list(server.workspace.glob(f"{MARK}-*"))
        for path in ran:
            path.unlink()
        if ran and not answer.may_run:
            fail(f"ran {[path.name for path in ran]}")
        self._provider.replies[:] = [self.dialect.good()]
        ended = server.update("turnEnded", server.prompt(self.session, "And now?"))
        if ended.get("error"):
            fail(f"the next turn: {ended}")
        if reason := invalid(self.dialect.name, json.loads(self._provider.bodies[-1])):
            fail(f"the next request: {reason}")
        del self._provider.bodies[:], self._provider.heads[:]
        server.forget()

    def _cancel(self) -> None:
        """Cancel a little after the provider was asked."""
        latest = time.monotonic() + SECONDS
        while not self._provider.asked.is_set():
            if time.monotonic() > latest:
                fail("the provider was never asked")
            time.sleep(0.01)
        time.sleep(0.05)
        self._server.call("plimsoll/session/cancel", {"sessionId": self.session})


def invalid(dialect: str, body: dict[str, Any]) -> str | None:
    """Why a strict host would refuse a request."""
    messages = [each for each in body["messages"] if each["role"] not in {"system", "developer"}]
    if not messages or messages[0]["role"] != "user" or messages[-1]["role"] == "assistant":
        return (
            f"begins or ends with {[each['role'] for each in messages][:: len(messages) - 1 or 1]}"
        )
    check = chat_fault if dialect == "openai" else message_fault
    try:
        json.dumps(body).encode()
        json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        return str(error)
    return check(messages)


def chat_fault(messages: list[dict[str, Any]]) -> str | None:
    due: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in due:
                return f"a result without its call: {message}"
            due.remove(message["tool_call_id"])
            continue
        if due:
            return f"calls without results: {due}"
        calls = message.get("tool_calls") or []
        due = [call["id"] for call in calls]
        if len(due) != len(set(due)) or not all(due):
            return f"bad ids: {due}"
        if not all(isinstance(json.loads(c["function"]["arguments"]), dict) for c in calls):
            return f"arguments that are no object: {calls}"
        if not calls and not message.get("content"):
            return f"an empty message: {message}"
    return f"calls without results: {due}" if due else None


def message_fault(messages: list[dict[str, Any]]) -> str | None:
    due: list[str] = []
    for message in messages:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if not blocks or any(b["type"] == "text" and not b["text"].strip() for b in blocks):
            return f"an empty message or block: {str(message)[:300]}"
        given = [b["tool_use_id"] for b in blocks if b["type"] == "tool_result"]
        if sorted(given) != sorted(due):
            return f"results {given} for calls {due}"
        due = [b["id"] for b in blocks if b["type"] == "tool_use"]
        if len(due) != len(set(due)) or not all(due):
            return f"bad ids: {due}"
        if message["role"] == "assistant" and blocks[-1]["type"] == "thinking":
            return "ends with thinking"
    return f"calls without results: {due}" if due else None


PIECE = Piece(run=run, short=60, full=1_000)
