"""Mutated messages: each is answered as often as it asks, and the server lives on."""

import json
import random
from collections import Counter

import pytest

from lsp.raw_client import frame
from plimsoll.lsp.dispatch.requests import Malformed, RequestMessage, classify
from plimsoll.lsp.transport.bodies import BodyRefused, read_body

SEEDS = [
    {"method": "demo/echo", "params": {"value": [{"jsonrpc": "2.0", "id": 1}, None, 1.5, "ü"]}},
    {"method": "demo/require", "params": {"text": "x"}},
    {"method": "demo/none"},
    {"method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
    {"method": "workspace/executeCommand", "params": {"command": "demo.sleep", "arguments": []}},
    {"method": "textDocument/hover", "params": {"textDocument": {"uri": "file:///a"}}},
    {"result": {"a": [1]}},
    {"error": {"code": -32601, "message": "no"}},
]
NOTIFICATIONS = [
    {"method": "$/cancelRequest", "params": {"id": 1}},
    {"method": "window/workDoneProgress/cancel", "params": {"token": "t"}},
    {"method": "textDocument/didOpen", "params": {"textDocument": {"uri": "file:///a"}}},
    {"method": "textDocument/didChange", "params": {"contentChanges": [{"text": "a"}]}},
    {"method": "demo/notice", "params": {"text": "x"}},
]
PIECES = [
    b'"',
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\\",
    b"\xff",
    b"\0",
    b"9" * 5000,
    b"NaN",
    b"-",
]


def mutated(rng, number, seeds=SEEDS, notifications=NOTIFICATIONS):
    seed = rng.choice(seeds + notifications)
    message = {"jsonrpc": "2.0", **seed}
    if seed in seeds:
        message["id"] = rng.choice([number, f"s{number}", number + 0.5, None, True, [number]])
    for _ in range(rng.choice([0, 0, 1, 2])):
        message[rng.choice(list(message))] = rng.choice([None, 0, "", [], {}, "x" * 100])
    body = json.dumps(message).encode()
    for _ in range(rng.choice([0, 0, 0, 1, 3])):
        at = rng.randrange(len(body))
        body = body[:at] + rng.choice(PIECES) + body[at + rng.randrange(3) :]
    return body


def answers_due(body):
    """The id under which one answer is due, as a list of one, or of none."""
    try:
        message = classify(read_body(body))
    except BodyRefused as refused:
        return [refused.request_id]
    return [message.id] if isinstance(message, RequestMessage | Malformed) else []


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_each_mutated_message_is_answered_as_often_as_it_asks(own_client, seed):
    rng = random.Random(seed)
    bodies = [mutated(rng, number) for number in range(1000, 1500)]
    due = Counter(answer for body in bodies for answer in answers_due(body))
    # What stands in the middle of a message is cut at any place: the reader sees it in pieces.
    stream = b"".join(frame(body) for body in bodies)
    for start in range(0, len(stream), 7001):
        own_client.send_bytes(stream[start : start + 7001])
    assert own_client.call("demo/echo", {"value": seed}) == {"value": seed}
    given = Counter(m["id"] for m in own_client.messages[1:-1] if "method" not in m)
    assert given == due
