"""A model on loopback that knows what each step needs word for word, and reports honest usage.

It plays the steps of a scenario. What a step needs and the request does not show is read again
first, and paid for; what still does not stand is counted as done blind.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from plimsoll.tokens.counter import Counters

READ, WRITE = 0.1, 1.25
"""Prices of a token read from and written to the provider's cache."""
NUMBER = re.compile(r"^ *\d+\t", re.MULTILINE)
SUMMARY = """## Goal
Do what was asked.

## Next steps
Go on with the work."""
HELPER = "(helper)"
"""Stands in what a subagent is asked, so that its requests are told apart."""


@dataclass(frozen=True)
class Call:
    """A call of a tool."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Need:
    """A text that must stand word for word, and the call that shows it again."""

    text: str
    again: Call


@dataclass(frozen=True)
class Step:
    """One answer, and what it needs in the request."""

    calls: tuple[Call, ...] = ()
    needs: tuple[Need, ...] = ()
    text: str = "Done."


@dataclass(kw_only=True)
class Played:
    """What came of a scenario."""

    requests: int = 0
    """The main agent's own."""
    tokens: list[int] = field(default_factory=list)
    """Of each request."""
    cost: float = 0.0
    readings: int = 0
    """Texts that had to be read again."""
    late: int = 0
    """Steps that could be done only after a second reading."""
    needed: int = 0
    """Texts that the steps needed."""
    stood: int = 0
    """Those that stood word for word."""
    last_needed: int = 0
    last_stood: int = 0
    """Of the last step that needed anything, when it first came."""
    results: dict[str, int] = field(default_factory=dict)
    """The results in the request of that step: whole, cut, notes."""


class Director:
    """Decides each answer; one scenario at a time."""

    def __init__(self) -> None:
        self.played = Played()
        self._steps: list[Step] = []
        self._helper: list[Step] = []
        self._before: list[str] = []
        self._known: dict[str, str] = {}
        self._read_again = False

    def begin(self) -> None:
        """Forget the last scenario."""
        self.played, self._before, self._known, self._read_again = Played(), [], {}, False

    def turn(self, steps: Sequence[Step], helper: Sequence[Step] = ()) -> None:
        """Take the steps of the next turn, and those of the agent that it calls."""
        self._steps, self._helper = list(steps), list(helper)

    def decide(self, body: Mapping[str, Any]) -> tuple[Step, int, int]:
        """Return the next answer, the tokens of the request, and those that were cached."""
        messages = body["messages"]
        texts = [json.dumps(body.get("tools", [])), *map(rendered, messages)]
        tokens = sum(map(counted, texts))
        if not body.get("tools") or body.get("tool_choice") == "none":
            return Step(text=SUMMARY), tokens, 0
        asked = (message for message in messages[:5] if message["role"] == "user")
        if any(HELPER in json.dumps(message) for message in asked):
            return self._helper.pop(0) if self._helper else Step(), tokens, 0
        return self._main(messages, texts, tokens)

    def _main(
        self, messages: Sequence[Mapping[str, Any]], texts: list[str], tokens: int
    ) -> tuple[Step, int, int]:
        same = 0
        for old, new in zip(self._before, texts, strict=False):
            if old != new:
                break
            same += counted(new)
        self._before = texts
        self.played.requests += 1
        self.played.tokens.append(tokens)
        self.played.cost += READ * same + WRITE * (tokens - same)
        return self._next(messages), tokens, same

    def _next(self, messages: Sequence[Mapping[str, Any]]) -> Step:
        """Play the next step, or first read again, once, what it lacks."""
        if not self._steps:
            return Step()
        step, read_again = self._steps[0], self._read_again
        self._read_again = False
        if not read_again:
            missing = self._missing(step, messages)
            if missing:
                self._read_again = True
                return Step(calls=tuple(need.again for need in missing))
        return self._steps.pop(0)

    def _missing(self, step: Step, messages: Sequence[Mapping[str, Any]]) -> list[Need]:
        """Return what does not stand of what a step needs, and count it."""
        standing, forms = list(shown(messages)), self._forms(messages)
        missing = [need for need in step.needs if not any(need.text in each for each in standing)]
        one = self.played
        one.late += bool(missing)
        one.readings += len(missing)
        one.needed += len(step.needs)
        one.stood += len(step.needs) - len(missing)
        if step.needs:
            one.last_needed, one.last_stood = len(step.needs), len(step.needs) - len(missing)
            one.results = forms
        return missing

    def _forms(self, messages: Sequence[Mapping[str, Any]]) -> dict[str, int]:
        """Count the results that stand as they came, those that came cut, and the notes."""
        forms = {"whole": 0, "cut": 0, "notes": 0}
        for message in messages:
            if message["role"] == "tool":
                first = self._known.setdefault(message["tool_call_id"], message["content"])
                kind = "cut" if "[truncated: " in first else "whole"
                forms[kind if message["content"] == first else "notes"] += 1
        return forms


def shown(messages: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what stands in a request, without the numbers before lines and JSON's escapes."""
    for message in messages:
        yield NUMBER.sub("", message.get("content") or "")
        for call in message.get("tool_calls", ()):
            yield from map(str, json.loads(call["function"]["arguments"]).values())


def rendered(message: Mapping[str, Any]) -> str:
    """Write a message as its tokens are counted: who speaks, the text, the calls."""
    calls = (call["function"] for call in message.get("tool_calls", ()))
    told = (f"{call['name']} {call['arguments']}" for call in calls)
    ends = (message["role"], message.get("tool_call_id", ""))
    return "\n".join([*ends, message.get("content") or "", *told])


@cache
def counted(text: str) -> int:
    """Count the tokens of a text as the model's vocabulary has it."""
    return _count(text)


_count = Counters().of("gpt-4o").count


class _Serving(BaseHTTPRequestHandler):
    server: "Listening"

    def do_GET(self) -> None:
        self._answer("application/json", json.dumps({"data": [{"id": "gpt-4o"}]}))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        step, tokens, cached = self.server.director.decide(body)
        calls = [
            {
                "index": place,
                "id": f"call_{self.server.fresh()}",
                "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
            }
            for place, call in enumerate(step.calls)
        ]
        delta = {"tool_calls": calls} if calls else {"content": step.text}
        reason = "tool_calls" if calls else "stop"
        usage = {
            "prompt_tokens": tokens,
            "completion_tokens": counted(json.dumps(delta)),
            "prompt_tokens_details": {"cached_tokens": cached},
        }
        chunks = (
            {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]},
            {"choices": [], "usage": usage},
        )
        told = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)
        self._answer("text/event-stream", f"{told}data: [DONE]\n\n")

    def _answer(self, kind: str, body: str) -> None:
        data = body.encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Stay silent."""


class Listening(ThreadingHTTPServer):
    """The director's server."""

    daemon_threads = True

    def __init__(self, director: Director) -> None:
        super().__init__(("127.0.0.1", 0), _Serving)
        self.director = director
        self._calls = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def fresh(self) -> int:
        self._calls += 1
        return self._calls


@contextmanager
def directed() -> Iterator[Listening]:
    """Serve a director for as long as the block runs."""
    server = Listening(Director())
    Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()
