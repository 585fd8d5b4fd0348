"""The frame decoder by itself, then the same faults over a real pipe."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp.raw_client import frame
from plimsoll.lsp.transport.framing import (
    FrameDecoder,
    FramingLost,
    Limits,
    Oversized,
    content_length,
)

BODIES = st.lists(st.binary(max_size=50), max_size=6)


@given(BODIES, st.integers(1, 40), st.sampled_from([b"\r\n", b"\n"]))
def test_any_cut_of_the_stream_gives_the_same_bodies(bodies, step, newline):
    stream = b"".join(
        b"content-length:%d%s%s%s" % (len(body), newline, newline, body) for body in bodies
    )
    # A blank line may stand before a header, so what begins with one is no fair body boundary.
    decoder = FrameDecoder()
    found = [
        item
        for start in range(0, len(stream), step)
        for item in decoder.feed(stream[start : start + step])
    ]
    assert found == bodies


@given(st.binary(max_size=300))
def test_garbage_raises_nothing_but_framing_lost(data):
    try:
        list(FrameDecoder(Limits(header=100, message=64, skip=1000)).feed(data))
    except FramingLost as error:
        assert error.message


@pytest.mark.parametrize(
    ("header", "length"),
    [
        (b"Content-Length: 5", 5),
        (b"content-length:5", 5),
        (b"CONTENT-LENGTH :  5  ", 5),
        (b"Content-Type: x; charset=utf-8\r\nContent-Length: 5", 5),
        (b"Content-Length: 5\nContent-Length: 5", 5),
        (b"Content-Length: 0", 0),
    ],
)
def test_a_tolerable_header(header, length):
    assert content_length(header) == length


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Type: x",
        b"Content-Length: -1",
        b"Content-Length: 0x5",
        b"Content-Length: 5,5",
        b"Content-Length:",
        b"Content-Length: 5\r\nContent-Length: 6",
        b"Content-Length: 1000000000000",
        b"Content-Length: " + b"9" * 5000,
        b"POST / HTTP/1.1",
        b'"}Content-Length: 5',
    ],
)
def test_a_header_that_loses_the_framing(header):
    with pytest.raises(FramingLost):
        content_length(header)


def test_an_oversized_message_is_read_past_and_its_head_kept():
    decoder = FrameDecoder(Limits(message=2000, skip=10_000))
    big = b'{"id": 1, ' + b"x" * 4000
    found = [
        item
        for chunk in (frame(big)[:1500], frame(big)[1500:], frame(b"{}"))
        for item in decoder.feed(chunk)
    ]
    assert found == [Oversized(len(big), big[:1024]), b"{}"]


def test_an_endless_header_is_refused_early():
    decoder = FrameDecoder()
    with pytest.raises(FramingLost):
        for _ in range(3):
            list(decoder.feed(b"A" * 4096))


INITIALIZE = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"processId": None, "rootUri": None, "capabilities": {}},
    }
).encode()


@pytest.mark.parametrize(
    "header",
    [
        b"content-length: %d\r\n\r\n",
        b"Content-Length:%d\r\n\r\n",
        b"Content-Length: %d\n\n",
        b"\r\n\r\nContent-Length: %d\r\n\r\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d\r\n\r\n",
    ],
)
def test_headers_as_clients_write_them(start, header):
    client = start()
    client.send_bytes(header % len(INITIALIZE) + INITIALIZE)
    assert client.reply(1)["result"]["serverInfo"]["name"] == "demo"


@pytest.mark.parametrize(
    "data",
    [
        b"Content-Length: 1000000000000\r\n\r\n",
        b"Content-Length: -5\r\n\r\n{}",
        b"Content-Length: nine\r\n\r\n{}",
        b"Content-Type: x\r\n\r\n{}",
        b"POST / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"X" * 20_000,
        b"Content-Length: %d\r\n\r\n%s" % (len(INITIALIZE) - 5, INITIALIZE),
        b"Content-Length: %d\r\n\r\n%s" % (len(INITIALIZE) + 5, INITIALIZE + frame(INITIALIZE)),
    ],
    ids=["1TB", "negative", "word", "none", "http", "endless", "short", "long"],
)
def test_lost_framing_is_said_and_ends_the_process(start, data):
    client = start()
    client.send_bytes(data)
    assert client.wait_closed() == 76
    assert client.stderr_at_end().startswith("plimsoll: ")
    assert client.error(None)["code"] == -32700


BAD_BODIES = {
    "syntax": (b'{"jsonrpc": "2.0", "id": 7007, "method"', -32700, None),
    "empty": (b"", -32700, None),
    "not UTF-8": (b'{"jsonrpc": "2.0", "id": 7007, "method": "\xff"}', -32700, None),
    "NaN": (
        b'{"jsonrpc": "2.0", "id": 7007, "method": "demo/echo", "params": [NaN]}',
        -32700,
        None,
    ),
    "two values": (b"{}{}", -32700, None),
    "batch": (b'[{"jsonrpc": "2.0", "id": 7007, "method": "demo/echo"}]', -32600, None),
    "number": (b"7007", -32600, None),
    "no version": (b'{"id": 7007, "method": "demo/echo"}', -32600, 7007),
    "no method": (b'{"jsonrpc": "2.0", "id": 7007}', -32600, 7007),
    "method 5": (b'{"jsonrpc": "2.0", "id": 7007, "method": 5}', -32600, 7007),
    "id null": (b'{"jsonrpc": "2.0", "id": null, "method": "demo/echo"}', -32600, None),
    "id true": (b'{"jsonrpc": "2.0", "id": true, "method": "demo/echo"}', -32600, None),
    "id object": (b'{"jsonrpc": "2.0", "id": {}, "method": "demo/echo"}', -32600, None),
    "params 5": (
        b'{"jsonrpc": "2.0", "id": 7007, "method": "demo/echo", "params": 5}',
        -32602,
        7007,
    ),
    "deep": (
        b'{"jsonrpc": "2.0", "id": 7007, "method": "demo/echo", "params": {"value": %s%s}}'
        % (b"[" * 300, b"]" * 300),
        -32600,
        7007,
    ),
    "deeper": (
        b'{"jsonrpc": "2.0", "id": 7007, "method": "demo/echo", "params": {"value": %s%s}}'
        % (b"[" * 100_000, b"]" * 100_000),
        -32600,
        7007,
    ),
    "10,000 digits": (
        b'{"jsonrpc": "2.0", "id": 7007, "method": "demo/echo", "params": {"value": %s}}'
        % (b"9" * 10_000),
        -32600,
        7007,
    ),
}


@pytest.mark.parametrize(("body", "code", "answered"), BAD_BODIES.values(), ids=BAD_BODIES)
def test_a_bad_body_is_answered_once_and_the_next_request_is_served(client, body, code, answered):
    client.send_bytes(frame(body))
    assert client.error(answered)["code"] == code
    assert client.call("demo/echo", {"value": 1}) == {"value": 1}
    assert len(client.replies(answered)) == 1


def test_a_message_over_the_limit_is_refused_under_its_id(client):
    head = b'{"jsonrpc": "2.0", "id": 7007, "method": "demo/echo", "params": {"value": "'
    client.send_bytes(frame(head + b"x" * (33 * 1024 * 1024) + b'"}}'))
    assert client.error(7007)["code"] == -32600
    assert client.call("demo/echo", {"value": 1}) == {"value": 1}


def test_depth_and_digits_below_the_limits_pass(client):
    value = [int("9" * 4000)]
    for _ in range(150):
        value = [value]
    assert client.call("demo/echo", {"value": value}) == {"value": value}


def test_a_megabyte_of_small_objects_keeps_its_keys(client):
    value = [
        {"class": n, "type_name": "x", "jsonrpc": "2.0", "a b": "ü" * 40} for n in range(10_001)
    ]
    assert client.call("demo/echo", {"value": value}) == {"value": value}


def test_lone_surrogates_become_whole_characters_and_pairs_stay(client):
    value = rb'"a\ud800b\ud83d\ude00"'
    body = b'{"jsonrpc":"2.0","id":7007,"method":"demo/echo","params":{"value":%s}}' % value
    client.send_bytes(frame(body))
    assert client.reply(7007)["result"] == {"value": "a\ufffdb\U0001f600"}
