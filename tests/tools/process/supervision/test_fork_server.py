"""The process that forks supervisors: what it gives to a command, and what its death costs."""

import asyncio
import json
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.errors import ToolFailed
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.process.confinement.base import Confined
from plimsoll.tools.process.processes import Processes
from plimsoll.tools.process.supervision import supervised
from plimsoll.tools.process.supervision.fork_server import PROGRAM, ForkServer
from plimsoll.tools.process.supervision.supervised import fork_supervisor

pytestmark = pytest.mark.slow

DEADLINE = 120.0
# A command's parent is its supervisor, whose parent is the fork server.
FORK_SERVER = "ps -o ppid= -p $PPID"


async def until(condition: Callable[[], object]) -> None:
    """Poll for what another process does; a generous limit only keeps a failure from hanging."""
    end = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < end, "It never happened."
        await asyncio.sleep(0.01)


def children(process: int) -> dict[int, str]:
    """The children of a process with their states, those that nobody has reaped too."""
    found: dict[int, str] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent, *_ = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(parent) == process:
            found[int(entry.parent.name)] = state
    return found


async def ran(processes: Processes, context: CallContext, command: str) -> str:
    running = await processes.start(command, context)
    ended = await running.wait()
    assert ended is not None
    assert ended.code == 0
    return await running.new_output()


@asynccontextmanager
async def served(*command: str) -> AsyncIterator[Processes]:
    processes = Processes(ForkServer(command))
    try:
        yield processes
    finally:
        await processes.close()


async def test_a_command_outlives_the_fork_server(
    processes: Processes, context: CallContext, caplog: pytest.LogCaptureFixture
):
    os.mkfifo(context.root / "pipe")
    running = await processes.start("cat pipe; exit 4", context)
    fork_server = int(await ran(processes, context, FORK_SERVER))
    with caplog.at_level(logging.WARNING):
        os.kill(fork_server, signal.SIGKILL)
        assert int(await ran(processes, context, FORK_SERVER)) != fork_server
    assert "the fork server ended and is started again; exit code -9" in caplog.text
    (context.root / "pipe").write_text("said\n")
    ended = await running.wait()
    assert ended is not None
    assert (ended.code, await running.new_output()) == (4, "said\n")


async def test_one_that_is_killed_at_any_moment_loses_and_doubles_nothing(
    processes: Processes, context: CallContext
):
    for turns in (0, 1, 2, 3, 4, 5, 6, 8, 13, 21):
        fork_server = int(await ran(processes, context, FORK_SERVER))
        start = asyncio.ensure_future(ran(processes, context, f"echo {turns} >> ran"))
        for _ in range(turns):
            await asyncio.sleep(0)
        os.kill(fork_server, signal.SIGKILL)
        await start
    assert (context.root / "ran").read_text() == "0\n1\n2\n3\n4\n5\n6\n8\n13\n21\n"


ENDS_ONCE = 'if mkdir "$0"; then exec head -c 1; else exec "$@"; fi'


async def test_a_start_that_is_lost_is_made_again(
    context: CallContext, tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    with caplog.at_level(logging.WARNING):
        async with served("sh", "-c", ENDS_ONCE, str(tmp_path / "once"), *PROGRAM) as processes:
            assert await ran(processes, context, "echo said") == "said\n"
    assert "a supervisor ended before its command began" in caplog.text


async def test_one_that_always_ends_is_told(context: CallContext):
    async with served("head", "-c", "1") as processes:
        with pytest.raises(
            ToolFailed, match="was not run: the process that starts it ended before it began"
        ):
            await processes.start("touch ran", context)


async def test_one_that_cannot_be_started_is_told(context: CallContext, tmp_path: Path):
    async with served(str(tmp_path / "none")) as processes:
        with pytest.raises(ToolFailed, match="could not be started: No such file"):
            await processes.start("touch ran", context)


async def test_one_that_does_not_answer_is_replaced(
    processes: Processes, context: CallContext, monkeypatch: pytest.MonkeyPatch
):
    fork_server = int(await ran(processes, context, FORK_SERVER))
    os.kill(fork_server, signal.SIGSTOP)
    with monkeypatch.context() as patch, pytest.raises(ToolFailed, match="was not run"):
        patch.setattr(supervised, "START_SECONDS", 0.5)
        await processes.start("touch ran", context)
    assert await ran(processes, context, "echo said") == "said\n"
    assert not (context.root / "ran").exists()


async def test_it_ends_with_what_made_it(context: CallContext):
    async with served(*PROGRAM) as processes:
        fork_server = int(await ran(processes, context, FORK_SERVER))
    assert not Path("/proc", str(fork_server)).exists()


async def test_no_supervisor_waits_to_be_reaped(processes: Processes, context: CallContext):
    fork_server = int(await ran(processes, context, FORK_SERVER))
    await asyncio.gather(*(ran(processes, context, "true") for _ in range(8)))
    await until(lambda: not children(fork_server))


async def test_one_that_is_asked_nothing_holds_up_no_other(context: CallContext):
    fork_server = ForkServer()
    with closing(fork_server):
        unasked = fork_supervisor(fork_server)
        processes = Processes(fork_server)
        assert await ran(processes, context, "echo said") == "said\n"
        server = int(await ran(processes, context, FORK_SERVER))
        # Those that were asked have ended, or do so now.
        await until(lambda: len(children(server)) == 1)
        # Given up before it was asked, it ends.
        unasked.close()
        await until(lambda: not children(server))


async def test_many_at_once_hold_nothing_of_each_other(processes: Processes, context: CallContext):
    command = "echo $1; exec ls -l /proc/self/fd"
    outputs = await asyncio.gather(
        *(ran(processes, context, f"set -- {number}; {command}") for number in range(12))
    )
    assert [text.split("\n")[0] for text in outputs] == [str(number) for number in range(12)]
    for text in outputs:
        targets = [row.partition(" -> ")[2] for row in text.split("\n") if " -> " in row]
        # The last is the folder that is being listed.
        assert [target.partition(":")[0] for target in targets[:3]] == ["/dev/null", "pipe", "pipe"]
        assert len(targets) == 4
        assert targets[1] == targets[2]


# What a process is given without being asked, in lines.
GIVEN = """pwd; umask; nice; ulimit -a; cat /proc/self/oom_score_adj /proc/self/cgroup
grep -E 'Sig(Blk|Ign|Cgt)|Seccomp|NoNewPrivs|Cap|Groups|Uid|Gid' /proc/self/status
ps -o tty= -p $$; env | sort"""


async def test_a_command_is_given_what_a_plain_child_is(processes: Processes, context: CallContext):
    plain = subprocess.run(
        # Whoever runs the tests in the background ignores some.
        ("env", "--default-signal=INT,HUP,TERM", "/bin/bash", "-c", GIVEN),
        cwd=context.root,
        env=dict(context.environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        start_new_session=True,
    )
    assert await ran(processes, context, GIVEN) == plain.stdout


async def test_nothing_stands_in_its_environment(
    processes: Processes, context: CallContext, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("MY_API_KEY", "CANARY-1")
    there = replace(context, environment={**context.environment, "GIVEN": "CANARY-2"})
    environments = f"/proc/$PPID/environ /proc/$({FORK_SERVER} | tr -d ' ')/environ"
    command = f"cat {environments} | tr '\\0' '\\n'; echo $GIVEN"
    told = (await ran(processes, there, command)).split("\n")
    assert told[-2] == "CANARY-2"
    names = {row.partition("=")[0] for row in told[:-2] if row}
    assert names <= {"LANG", "LC_ALL", "LC_CTYPE"}


async def test_nothing_of_the_workspace_is_started_in_its_place(
    processes: Processes, context: CallContext
):
    names = ("python", "python3", "plimsoll/__init__.py", "socket.py", "sitecustomize.py")
    for path in (context.root / name for name in names):
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/sh\nopen('ran', 'w')\ntouch ran\n")
        path.chmod(0o755)
    environment = {"PATH": f"{context.root}:/usr/bin:/bin", "PYTHONPATH": str(context.root)}
    there = replace(context, environment=environment)
    command = f"readlink /proc/$({FORK_SERVER} | tr -d ' ')/exe /proc/$PPID/exe; ls"
    own = os.path.realpath(sys.executable)
    said = (await ran(processes, there, command)).split("\n")
    assert said[:2] == [own, own]
    assert "ran" not in said


async def test_what_leads_to_a_path_that_was_removed_meanwhile_is_left_out(
    processes: Processes, context: CallContext
):
    """A program that mounts over such a path would fail; other programs remove files any time."""
    there, gone = str(context.root), str(context.root / "gone")

    def confine(command: Sequence[str]) -> Confined:
        masks = [("--mask", there), ("--mask", gone)]
        options = [option for mask in masks for option in mask]
        arguments = ("/bin/echo", *options, "end")
        return Confined(arguments=arguments, rules=json.dumps({"passing": masks}))

    running = await processes.start("true", context, confine)
    assert await running.wait() is not None
    assert await running.new_output() == f"--mask {there} end\n"
