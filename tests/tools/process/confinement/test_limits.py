"""A command that takes all it can is ended, and the server goes on."""

import os
from functools import partial
from pathlib import Path

import pytest

from left_out import not_on_this_machine
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.process.confinement.base import Access, Sandbox
from plimsoll.tools.process.confinement.bubblewrap import Bubblewrap
from plimsoll.tools.process.confinement.landlock import Landlock
from plimsoll.tools.process.confinement.limits import CommandLimits
from plimsoll.tools.process.environment import child_environment
from plimsoll.tools.process.processes import Ended, Processes

pytestmark = pytest.mark.slow
# At full speed each makes more, until some hundred are there. Where the kernel refuses more than
# the limit, those that were refused stay.
BOMB = """exec /usr/bin/python3 -c 'import os, time
for _ in range(9):
  try: os.fork()
  except BlockingIOError: break
time.sleep(100)'"""
THREADS = """exec /usr/bin/python3 -c '
import threading
count, go = 0, threading.Event()
try:
    while count < 1000:
        threading.Thread(target=go.wait).start()
        count += 1
except RuntimeError:
    pass
go.set()
print(count)'"""
LIMITS = CommandLimits(memory_bytes=200_000_000, temporary_bytes=50_000_000, processes=60)


@pytest.fixture(params=["bubblewrap", "landlock"])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    environment = child_environment(os.environ)
    if request.param == "landlock":
        return Landlock(environment=environment, limits=LIMITS)
    return bubblewrap(request.getfixturevalue("bubblewrap_program"))


def bubblewrap(program: Path) -> Sandbox:
    environment, known = child_environment(os.environ), frozenset({"--size"})
    return Bubblewrap(program=program, environment=environment, limits=LIMITS, options=known)


@pytest.mark.parametrize(
    ("command", "limit"),
    [
        # Each stays, and starts another after a pause that the watch can keep up with.
        ("f() { sleep 100 & sleep .005; f; }; f", "processes"),
        (BOMB, "processes"),
        ("exec /usr/bin/python3 -c 'x = []\nwhile 1: x.append(bytearray(1_000_000))'", "memory"),
    ],
)
async def test_a_bomb_is_ended(
    sandbox: Sandbox, context: CallContext, processes: Processes, command: str, limit: str
):
    access = Access(root=context.root, home=Path.home(), caches=context.root.parent / "c" / "own")
    running = await processes.start(command, context, partial(sandbox.confine, access=access))
    ended = await running.wait(120)
    assert isinstance(ended, Ended)
    assert ended.limit == limit, await running.new_output()
    assert (ended.code in {137, 143}, ended.left) == (True, 0)


async def test_what_nobody_watches_is_bounded_by_the_kernel(
    bubblewrap_program: Path, context: CallContext, processes: Processes
):
    release = tuple(map(int, os.uname().release.split(".")[:2]))
    if os.geteuid() == 0 and release < (6, 14):
        not_on_this_machine("before Linux 6.14 the processes of root are watched alone")
    access = Access(root=context.root, home=Path.home(), caches=context.root.parent / "c" / "own")
    confine = partial(bubblewrap(bubblewrap_program).confine, access=access)
    running = await processes.start(THREADS, context, confine)
    assert await running.wait(120) == Ended(code=0, left=0)
    assert 20 < int(await running.new_output()) < 400
