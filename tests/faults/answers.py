"""Answers as no provider should give them, in both dialects, made of a chance.

An ``Answer`` knows whether one of its calls may be run: only where the stream came to its end, and
the end was the one that calls have.
"""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from providers.fault_server import Reply, broken, document, head, stream
from recordings import streams

Json = dict[str, Any]
MARK = "ran"
STATUSES = (400, 401, 403, 404, 408, 409, 413, 418, 422, 429, 500, 501, 502, 503, 504, 529)
BAD_ARGUMENTS = (
    "",
    "{",
    "[]",
    "null",
    '"text"',
    '{"path": 1}',
    '{"path": "ran-bad.txt"',
    '{"path":"ran-bad.txt","content":"x"}{"path":"ran-bad.txt"}',
    '{"path":"\\ud800.txt","content":"x"}',
    '{"path":"a\\u0000b","content":"x"}',
    "[" * 5_000,
    '{"a":' * 600 + "1" + "}" * 600,
    "9" * 5_000,
    "NaN",
)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What is sent for one request."""

    kind: str
    replies: Sequence[Reply]
    may_run: bool = False
    hangs: bool = False


class Dialect:
    """How an answer is written as a stream of events."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._chat = name == "openai"

    def events(self, text: str, calls: Sequence[tuple[str, str, str]], stop: str) -> list[bytes]:
        """Write a whole answer; calls are ids, names and arguments, stop is in chat's words."""
        made = self._chat_events if self._chat else self._message_events
        write = streams.chat if self._chat else streams.messages
        ends = [b"data: [DONE]\n\n"] if self._chat else []
        parts = made(text, calls, stop)
        return [
            *(write(event, done=False) if self._chat else write(event) for event in parts),
            *ends,
        ]

    def good(self, text: str = "Fine.") -> Reply:
        return stream(b"".join(self.events(text, (), "stop")))

    def _chat_events(
        self, text: str, calls: Sequence[tuple[str, str, str]], stop: str
    ) -> list[Json]:
        found = [streams.chat_chunk({"role": "assistant", "content": ""})]
        found += [streams.chat_chunk({"content": text})] if text else []
        for index, (own, name, arguments) in enumerate(calls):
            found += [streams.chat_call(index, id=own, name=name, arguments="")]
            half = len(arguments) // 2
            for piece in (arguments[:half], arguments[half:]):
                found += [streams.chat_call(index, arguments=piece)]
        return [*found, streams.chat_chunk({}, stop), streams.chat_usage(100, 10)]

    def _message_events(
        self, text: str, calls: Sequence[tuple[str, str, str]], stop: str
    ) -> list[Json]:
        opening = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "content": [],
            "model": "m",
        }
        usage = {"input_tokens": 100, "output_tokens": 1}
        found: list[Json] = [{"type": "message_start", "message": {**opening, "usage": usage}}]
        blocks: list[tuple[Json, list[Json]]] = []
        if text:
            blocks += [({"type": "text", "text": ""}, [{"type": "text_delta", "text": text}])]
        for own, name, arguments in calls:
            half = len(arguments) // 2
            pieces = [
                {"type": "input_json_delta", "partial_json": piece}
                for piece in (arguments[:half], arguments[half:])
            ]
            blocks += [({"type": "tool_use", "id": own, "name": name, "input": {}}, pieces)]
        for index, (block, deltas) in enumerate(blocks):
            found += [{"type": "content_block_start", "index": index, "content_block": block}]
            found += [{"type": "content_block_delta", "index": index, "delta": d} for d in deltas]
            found += [{"type": "content_block_stop", "index": index}]
        reasons = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens"}
        delta = {"stop_reason": reasons.get(stop, "refusal"), "stop_sequence": None}
        found += [{"type": "message_delta", "delta": delta, "usage": {"output_tokens": 10}}]
        return [*found, {"type": "message_stop"}]


def calls_of(chance: random.Random, number: int) -> list[tuple[str, str, str]]:
    """One to three calls that would each leave a file."""
    arguments = {"content": "x" * chance.randrange(1, 300)}
    return [
        (
            f"call_{number}_{n}",
            "file_write",
            json.dumps({"path": f"{MARK}-{number}-{n}.txt", **arguments}),
        )
        for n in range(chance.randrange(1, 4))
    ]


def cut(dialect: Dialect, chance: random.Random, number: int) -> Answer:
    """Cut at any byte before the end is told, in any way that a connection ends."""
    events = dialect.events("A word.", calls_of(chance, number), "tool_calls")
    told = len(b"".join(events[:-3] if dialect.name == "openai" else events[:-2]))
    body = b"".join(events)[: chance.randrange(told)]
    end = chance.choice(["close", "reset", "clean", "hold"])
    if end == "clean":
        return Answer(kind="cut", replies=[stream(body)])
    return Answer(kind="cut", replies=[broken(body, end)], hangs=end == "hold")


def wrong_event(dialect: Dialect, chance: random.Random, number: int) -> Answer:
    """One event is no JSON, of another shape, or not there; what ran is not judged then."""
    events = dialect.events("A word.", calls_of(chance, number), "tool_calls")
    at = chance.randrange(len(events))
    junk = [
        b"data: {\n\n",
        b"data: []\n\n",
        b"data: null\n\n",
        b"data: 1\n\n",
        b"data: \xff\xfe\n\n",
    ]
    shapes = [b'data: {"choices": 3}\n\n', b'data: {"choices":[{"delta":null}]}\n\n']
    shapes += [b'event: content_block_delta\ndata: {"type":"content_block_delta","index":"x"}\n\n']
    shapes += [b'data: {"type":"message_start","message":[]}\n\n', b"event: \nid: \n\n", b""]
    events[at] = chance.choice(junk + shapes)
    return Answer(kind="wrong event", replies=[stream(b"".join(events))], may_run=True)


def error_event(dialect: Dialect, chance: random.Random, number: int) -> Answer:
    """An error within a stream that began well."""
    events = dialect.events("A word.", calls_of(chance, number), "tool_calls")
    at = chance.randrange(1, len(events) - 3)
    error = {"error": {"message": "overloaded", "type": "overloaded_error", "code": 529}}
    raw = json.dumps({"type": "error", **error} if dialect.name != "openai" else error)
    events[at:] = [b"event: error\ndata: " + raw.encode() + b"\n\n"]
    return Answer(kind="error event", replies=[stream(b"".join(events))])


def ids(dialect: Dialect, chance: random.Random, number: int) -> Answer:
    """Ids that are missing, doubled, taken before, or such as another host would not take."""
    own = chance.choice(["", "call_0_0", "same", "a b/c:d", "x" * 400, "é\n"])
    calls = [(own, name, arguments) for _, name, arguments in calls_of(chance, number)]
    body = b"".join(dialect.events("", calls, "tool_calls"))
    return Answer(kind="ids", replies=[stream(body)], may_run=True)


def arguments(dialect: Dialect, chance: random.Random, number: int) -> Answer:
    """Arguments that are no object, and tools that do not exist."""
    name = chance.choice(["file_write", "file_write", "no_such_tool", "", "x" * 300])
    call = (f"call_{number}", name, chance.choice(BAD_ARGUMENTS))
    body = b"".join(dialect.events("", [call], "tool_calls"))
    return Answer(kind="arguments", replies=[stream(body)])


def stops(dialect: Dialect, chance: random.Random, number: int) -> Answer:
    """Whole calls, but the answer ended at its token limit or was refused."""
    stop = chance.choice(["length", "length", "content_filter"])
    body = b"".join(dialect.events("A word.", calls_of(chance, number), stop))
    return Answer(kind="stopped", replies=[stream(body)])


def empty(dialect: Dialect, chance: random.Random, number: int) -> Answer:
    """Nothing said, by any end, or blanks alone."""
    text, stop = chance.choice(["", "", " ", "\n\n"]), chance.choice(["stop", "length"])
    body = b"".join(dialect.events(text, (), stop))
    return Answer(kind="empty", replies=[stream(chance.choice([body, body, b"", b"\n\n"]))])


def status(dialect: Dialect, chance: random.Random, number: int) -> Answer:
    """Refusals, once or again and again."""
    code = chance.choice(STATUSES)
    error = {"error": {"message": f"no {number}", "type": "x", "code": "y"}}
    payload = chance.choice([error, {"error": "text"}, [], b"<html>no</html>", b"", b"\xff" * 50])
    soon = {"retry_after_ms": "1"} if chance.random() < 0.9 else {"retry_after": "600"}
    reply = document(code, payload, soon)
    return Answer(kind="status", replies=[reply] * chance.choice([1, 1, 2, 7]))


def no_stream(dialect: Dialect, chance: random.Random, number: int) -> Answer:
    """A 200 that is no stream of events."""
    body = b"".join(dialect.events("A word.", calls_of(chance, number), "tool_calls"))
    raw = body.decode().encode()
    lies = [
        stream(body, kind="text/html"),
        Reply(
            [
                head(
                    content_type="text/event-stream",
                    content_encoding="gzip",
                    content_length=str(len(raw)),
                ),
                raw,
            ],
            "close",
        ),
        Reply(
            [head(content_type="text/event-stream", content_length=str(len(raw) + 50)), raw],
            "close",
        ),
        Reply(
            [head(content_type="text/event-stream", transfer_encoding="chunked"), b"zz\r\n" + raw],
            "close",
        ),
        Reply([b"nonsense\r\n\r\n"], "close"),
        Reply([], chance.choice(["close", "reset"])),
        document(200, {"ok": True}),
        document(302, b"", {"location": "http://127.0.0.1:9/elsewhere"}),
    ]
    return Answer(kind="no stream", replies=[chance.choice(lies)], may_run=True)


def slow(dialect: Dialect, chance: random.Random, number: int) -> Answer:
    """Byte by byte to a good end, or drops for ever."""
    calls = calls_of(chance, number)
    body = b"".join(dialect.events("A word.", calls, "tool_calls"))
    if chance.random() < 0.5:
        return Answer(
            kind="slow", replies=[stream([body[n : n + 1] for n in range(len(body))])], may_run=True
        )
    begun = body[: len(body) // 2]
    opening = head(content_type="text/event-stream", transfer_encoding="chunked")
    drip = Reply(
        [opening, b"%x\r\n%s\r\n" % (len(begun), begun)], drip=b"5\r\n: .\n\n\r\n", every=0.02
    )
    return Answer(kind="slow", replies=[drip], hangs=True)


def oversized(dialect: Dialect, chance: random.Random, number: int) -> Answer:
    """A line without an end, a text, or an argument of megabytes."""
    large = "x" * chance.choice([3_000_000, 9_000_000])
    if chance.random() < 0.5:
        return Answer(kind="oversized", replies=[stream(b"data: " + large.encode(), "close")])
    call = (f"call_{number}", "file_write", json.dumps({"path": "/" + large}))
    body = b"".join(dialect.events("", [call], "tool_calls"))
    return Answer(kind="oversized", replies=[stream(body, "close")])


Maker = Callable[[Dialect, random.Random, int], Answer]
MAKERS: dict[Maker, int] = {
    cut: 30,
    wrong_event: 15,
    error_event: 5,
    ids: 8,
    arguments: 10,
    stops: 8,
    empty: 6,
    status: 8,
    no_stream: 6,
    slow: 3,
    oversized: 1,
}
"""How often of a hundred."""


def made(dialect: Dialect, chance: random.Random, number: int) -> Answer:
    (maker,) = chance.choices(list(MAKERS), weights=list(MAKERS.values()))
    return maker(dialect, chance, number)
