"""The process ends within 3 s whatever ends it, with the right code, and leaves no orphan."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lsp.conftest import DEMO
from lsp.raw_client import RawClient, frame, wait_own_time
from plimsoll.lsp.dispatch.lifecycle import process_identity

GONE = 3.0

SLEEPER = [sys.executable, "-c", "import sys; sys.stdin.read()"]


def is_alive(pid):
    return process_identity(pid) is not None


def wait_until_dead(pid):
    deadline = time.monotonic() + 60
    while is_alive(pid):
        assert time.monotonic() < deadline, f"{pid} is still alive"
        time.sleep(0.01)


def end_of_input(client):
    client.close_input()


def terminate(client):
    client.process.send_signal(signal.SIGTERM)


def interrupt(client):
    client.process.send_signal(signal.SIGINT)


def hang_up(client):
    client.process.send_signal(signal.SIGHUP)


def leave(client):
    client.notify("exit")


ENDS = [end_of_input, terminate, interrupt, hang_up, leave]


def busy_with_nothing(_client):
    return None


def busy_sleeping(client):
    client.request("demo/sleep", {"seconds": 60})
    client.call("demo/echo")


def busy_stubborn(client):
    client.request("demo/sleep", {"seconds": 60, "cleanUpSeconds": 60})
    client.call("demo/echo")


def busy_blocking(client):
    # Written in one piece, so that the loop is stuck before the end can be noticed on it.
    client.request("demo/block", {"seconds": 60})


@pytest.mark.parametrize("busy", [busy_with_nothing, busy_sleeping, busy_stubborn, busy_blocking])
@pytest.mark.parametrize("end", ENDS)
def test_every_end_ends_the_process_and_its_children(start, end, busy):
    client = start()
    client.initialize()
    child = client.call("demo/startChild")["pid"]
    busy(client)
    end(client)
    assert client.wait_closed(GONE + 1) == 1
    wait_until_dead(child)


@pytest.mark.parametrize("end", [end_of_input, terminate, leave])
def test_after_shutdown_the_exit_code_is_zero(own_client, end):
    own_client.call("shutdown")
    end(own_client)
    assert own_client.wait_closed(GONE) == 0


def test_shutdown_and_exit_in_one_piece_are_both_served(own_client):
    message = b'{"jsonrpc":"2.0","id":9,"method":"shutdown"}'
    own_client.send_bytes(frame(message) + frame(b'{"jsonrpc":"2.0","method":"exit"}'))
    own_client.close_input()
    assert own_client.wait_closed(GONE) == 0
    assert own_client.reply(9)["result"] is None


@pytest.mark.parametrize("end", ENDS)
def test_the_end_before_initialize(start, end):
    client = start()
    client.error(client.request("demo/echo"))
    end(client)
    assert client.wait_closed(GONE) == 1


@pytest.mark.parametrize("end", ENDS)
def test_what_runs_is_cancelled_and_cleans_up(own_client, tmp_path, end):
    marker = tmp_path / "marker"
    params = {"seconds": 60, "cleanUpSeconds": 0.1, "marker": str(marker)}
    own_client.request("demo/sleep", params)
    own_client.call("demo/echo")
    end(own_client)
    own_client.wait_closed(GONE + 1)
    assert marker.read_text() == "cleaned up"


def test_stores_are_closed_also_when_another_callback_hangs(start, tmp_path):
    marker = tmp_path / "marker"
    client = start(env={"DEMO_CLOSE_MARKER": str(marker), "DEMO_CLOSE_HANGS": "1"})
    client.initialize()
    client.close_input()
    client.wait_closed(GONE)
    assert marker.read_text() == "closed"


def test_a_vanished_client_ends_the_server_though_the_pipe_is_held_open(start):
    editor = subprocess.Popen(SLEEPER, stdin=subprocess.PIPE)
    client = start()
    client.initialize(processId=editor.pid)
    child = client.call("demo/startChild")["pid"]
    editor.kill()
    # Not waited for: a zombie is gone, too.
    assert client.wait_closed(GONE + 1) == 1
    wait_until_dead(child)
    editor.communicate()


SERVE = [sys.executable, "-m", "plimsoll", "serve"]


def real_server(tmp_path):
    home = {name: str(tmp_path) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    return RawClient(SERVE, tmp_path, home)


@pytest.mark.slow
def test_a_client_that_ends_before_the_server_is_loaded_is_gone(tmp_path):
    editor = subprocess.Popen(SLEEPER, stdin=subprocess.PIPE)
    with real_server(tmp_path) as server:
        # Answered before the rest is loaded.
        server.initialize(processId=editor.pid)
        editor.kill()
        editor.communicate()
        assert server.wait_closed(GONE + 1) == 1


@pytest.mark.slow
def test_a_client_that_nobody_has_waited_for_is_gone_though_it_ended_before_it_was_named(tmp_path):
    editor = subprocess.Popen(SLEEPER, stdin=subprocess.PIPE)
    editor.kill()
    os.waitid(os.P_PID, editor.pid, os.WEXITED | os.WNOWAIT)
    with real_server(tmp_path) as server:
        server.initialize(processId=editor.pid)
        assert server.wait_closed(GONE + 1) == 1
    editor.communicate()


STARTS_ONE = """
import signal, subprocess, sys

print(subprocess.Popen(sys.argv[1:]).pid, file=sys.stderr, flush=True)
signal.pause()
"""


@pytest.mark.slow
def test_who_started_the_server_and_is_not_there_any_more_is_gone():
    with RawClient([sys.executable, "-c", STARTS_ONE, sys.executable, str(DEMO)]) as client:
        # The server has begun to read.
        client.error(client.request("demo/echo"))
        client.process.kill()
        client.process.wait(60)
        client.request("initialize", {"processId": client.process.pid, "capabilities": {}})
        wait_until_dead(int(client.stderr.split()[0]))


@pytest.mark.parametrize("pid", [None, 2**22 + 1, 0, -1])
def test_a_client_that_cannot_be_seen_is_not_watched(start, pid):
    client = start()
    client.initialize(processId=pid)
    with pytest.raises(subprocess.TimeoutExpired):
        client.wait_closed(1.5)
    assert client.call("demo/echo") == {"value": None}


@pytest.mark.slow
def test_a_client_that_closes_its_reading_end_is_gone():
    pipe = subprocess.PIPE
    # By hand: no thread may stand in a read of the end that is closed here.
    with subprocess.Popen([sys.executable, str(DEMO)], stdin=pipe, stdout=pipe) as server:
        server.stdin.write(frame(b'{"jsonrpc":"2.0","id":1,"method":"demo/echo"}'))
        server.stdin.flush()
        assert server.stdout.readline().startswith(b"Content-Length")
        server.stdout.close()
        server.stdin.write(frame(b'{"jsonrpc":"2.0","id":2,"method":"demo/echo"}'))
        server.stdin.flush()
        assert wait_own_time(server, GONE) == 1


def test_no_end_of_the_wire_is_inherited(own_client):
    child = own_client.call("demo/startChild")["pid"]
    inherited = {descriptor.readlink() for descriptor in Path(f"/proc/{child}/fd").iterdir()}
    os.kill(child, signal.SIGKILL)
    ends = (own_client.process.stdin, own_client.process.stdout)
    wire = {Path(f"/proc/self/fd/{end.fileno()}").readlink() for end in ends}
    assert Path("/dev/null") in inherited
    assert not inherited & wire


def test_tcp_has_the_same_protections(start):
    client = start("--tcp", "localhost:0")
    while "listening on" not in client.stderr:
        assert client.process.poll() is None
        time.sleep(0.01)
    port = int(client.stderr.split()[-1].rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        shown = b'{"plimsoll":{"protocolVersion":1,"token":"demo-token"}}'
        params = b'{"capabilities":{},"processId":null,"initializationOptions":%s}' % shown
        body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":%s}' % params
        connection.sendall(frame(body))
        assert b"serverInfo" in connection.recv(65536)
        connection.sendall(b"POST / HTTP/1.1\r\n\r\n")
        assert b"-32700" in connection.recv(4096)
    assert client.wait_closed(GONE) == 76


@pytest.mark.parametrize("end", [terminate, interrupt])
def test_tcp_ends_while_it_waits_for_a_client(start, end):
    client = start("--tcp", "127.0.0.1:0")
    while "listening on" not in client.stderr:
        assert client.process.poll() is None
        time.sleep(0.01)
    end(client)
    assert client.wait_closed(GONE) == 1
