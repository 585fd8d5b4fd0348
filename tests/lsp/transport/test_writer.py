"""The way out: by itself, and over a pipe that nobody reads."""

import threading
import time

from hypothesis import given
from hypothesis import strategies as st

from plimsoll.lsp.transport.writer import Backlog, WriteQueue

MESSAGES = st.lists(st.tuples(st.binary(min_size=1, max_size=9), st.sampled_from([None, "a", "b"])))


@given(MESSAGES, st.integers(1, 30))
def test_the_newest_of_each_key_and_all_others_come_out_in_order(messages, step):
    backlog = Backlog()
    for data, key in messages:
        backlog.add(data, key)
    last = {key: index for index, (_, key) in enumerate(messages)}
    expected = [data for i, (data, key) in enumerate(messages) if key is None or last[key] == i]
    assert backlog.size == sum(map(len, expected))
    assert backlog.undroppable == sum(len(data) for data, key in messages if key is None)
    taken = []
    while backlog:
        taken.append(backlog.take(step))
    assert b"".join(taken) == b"".join(expected)
    assert (backlog.size, backlog.undroppable) == (0, 0)


class Stuck:
    """A pipe that takes nothing until it is released."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.written = bytearray()
        self.reasons: list[str] = []
        self.dead = threading.Event()

    def write(self, data: bytes) -> None:
        self.open.wait(20)
        self.written += data

    def on_dead(self, reason: str) -> None:
        self.reasons.append(reason)
        self.dead.set()


def test_answers_over_the_bound_on_a_stuck_client_declare_it_dead_once():
    pipe = Stuck()
    queue = WriteQueue(pipe.write, pipe.on_dead, limit=100, stall_seconds=0.0)
    queue.start()
    for _ in range(5):
        queue.put(b"x" * 60)
    assert pipe.dead.wait(60)
    queue.put(b"x" * 60)
    assert len(pipe.reasons) == 1
    assert "has read nothing" in pipe.reasons[0]
    assert queue.drain(5)
    pipe.open.set()


def test_a_stuck_client_costs_one_message_a_key_and_gets_the_last():
    pipe = Stuck()
    queue = WriteQueue(pipe.write, pipe.on_dead, limit=1000, stall_seconds=0.0)
    queue.start()
    for number in range(10_000):
        queue.put(b"%06d" % number, "meter")
    pipe.open.set()
    assert queue.drain(20)
    # The one that was being written when it got stuck, and the newest.
    assert len(pipe.written) <= 2 * 6
    assert bytes(pipe.written).endswith(b"009999")
    assert pipe.reasons == []


def test_a_large_answer_to_a_reading_client_is_no_stall():
    pipe = Stuck()
    pipe.open.set()
    queue = WriteQueue(pipe.write, pipe.on_dead, limit=100, stall_seconds=10.0)
    queue.start()
    queue.put(b"x" * 1_000_000)
    assert queue.drain(20)
    assert (len(pipe.written), pipe.reasons) == (1_000_000, [])


def test_a_closed_pipe_is_a_dead_client():
    reasons: list[str] = []
    dead = threading.Event()

    def write(_data: bytes) -> None:
        raise BrokenPipeError(32, "Broken pipe")

    queue = WriteQueue(write, lambda reason: (reasons.append(reason), dead.set()))
    queue.start()
    queue.put(b"x")
    assert dead.wait(60)
    assert reasons == ["the client no longer reads (Broken pipe)"]


def wait_for_file(path):
    deadline = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} does not come"
        time.sleep(0.01)


def test_the_loop_goes_on_while_the_client_does_not_read(own_client, tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    own_client.pause_reading()
    # Far more than a pipe holds: a server that writes on its loop would stand still from here on.
    burst = own_client.request("demo/burst", {"count": 500, "size": 10_000})
    own_client.request("demo/sleep", {"seconds": 0, "marker": str(first)})
    wait_for_file(first)
    cancelled = own_client.request("demo/sleep", {"seconds": 60, "marker": str(second)})
    own_client.notify("$/cancelRequest", {"id": cancelled})
    own_client.resume_reading()
    assert own_client.error(cancelled)["code"] == -32800
    assert own_client.reply(burst)["result"] == {}
    assert len(own_client.notifications("demo/burst")) == 500


def test_a_client_that_does_not_read_gets_the_newest_of_what_may_be_dropped(own_client, tmp_path):
    marker = tmp_path / "marker"
    own_client.pause_reading()
    # 100 MB, of which the queue may keep one message.
    own_client.request("demo/burst", {"count": 20_000, "size": 5_000, "droppable": True})
    last = own_client.request("demo/sleep", {"seconds": 0, "marker": str(marker)})
    wait_for_file(marker)
    own_client.resume_reading()
    own_client.reply(last)
    numbers = [m["params"]["n"] for m in own_client.notifications("demo/burst")]
    assert numbers == sorted(numbers)
    assert numbers[-1] == 19_999
    assert len(numbers) < 1_000
