"""Bombs of memory, files in memory, shared pages, processes and disk: each ends, and says why."""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.process.confinement.base import Access, Sandbox
from plimsoll.tools.process.confinement.bubblewrap import Bubblewrap
from plimsoll.tools.process.confinement.landlock import Landlock
from plimsoll.tools.process.confinement.limits import CommandLimits
from plimsoll.tools.process.environment import child_environment
from plimsoll.tools.process.processes import Ended, Processes

pytestmark = pytest.mark.slow
MEMORY, DISK = 150_000_000, 200_000_000
LIMITS = CommandLimits(memory_bytes=MEMORY, temporary_bytes=100_000_000, processes=60)
PYTHON = """exec /usr/bin/python3 -c '
import ctypes, mmap, os, time
from pathlib import Path
C, MORE = ctypes.CDLL(None), bytes(1_000_000)
def memory_file(size=100):
    held = C.memfd_create(b"x", 0)
    for _ in range(size): os.write(held, MORE)
    return held
{code}
time.sleep(100)'"""
BOMBS = {
    "memory of one": ("memory", "x = []\nwhile 1: x.append(bytearray(1_000_000))"),
    "memory of many": (
        "memory",
        "for n in range(30): os.fork() or (bytearray(9_000_000), time.sleep(100))",
    ),
    "shared pages": (
        "memory",
        "x = []\nwhile 1: x.append(mmap.mmap(-1, 10_000_000)); x[-1].write(MORE * 10)",
    ),
    "files without a name": ("memory", "x = []\nwhile 1: x.append(memory_file())"),
    "a file without a name, mapped by many": (
        "memory",
        (
            "x = mmap.mmap(memory_file(), 100_000_000); x[:]\n"
            "os.fork(); os.fork()\ny = bytearray(40_000_000)"
        ),
    ),
    "one folder in memory, over and over": (
        "memory",
        (
            'own = os.stat(".").st_ino\nfor n in range(900):\n'
            '  Path(f"/dev/shm/plimsoll-bomb-{own}-{n % 95}").write_bytes(MORE)\n'
            "x = bytearray(120_000_000)"
        ),
    ),
    "disk": ("disk", 'with open("big", "wb") as f:\n  while 1: f.write(MORE)'),
    "disk without a name": (
        "disk",
        'f = open("big", "wb"); os.unlink("big")\nwhile 1: f.write(MORE)',
    ),
    "disk by many": (
        "disk",
        (
            "for n in range(4): os.fork()\n"
            'with open(str(os.getpid()), "wb") as f:\n  while 1: f.write(MORE)'
        ),
    ),
    # Where the kernel refuses more than the limit, those that were refused stay.
    "processes": (
        "processes",
        "for _ in range(9):\n  try: os.fork()\n  except BlockingIOError: break",
    ),
}
# Folders in memory that a name space has for itself.
ALONE = {
    "all folders in memory": (
        "memory",
        (
            'for folder in ("/tmp", "/var/tmp", "/dev/shm", os.environ["HOME"], "/run"):\n'
            "  for n in range(90):\n"
            "    try: Path(folder, str(n)).write_bytes(MORE)\n"
            "    except OSError: break"
        ),
    ),
    "a deleted file in memory": (
        "memory",
        (
            'x = []\nfor folder in ("/tmp", "/var/tmp"):\n'
            '  x.append(open(folder + "/a", "wb")); os.unlink(folder + "/a")\n'
            "  for n in range(95): x[-1].write(MORE)"
        ),
    ),
    "segments that nobody is attached to": (
        "memory",
        (
            "C.shmat.restype = ctypes.c_void_p\nfor n in range(30):\n"
            "  at = C.shmat(C.shmget(0, 10_000_000, 0o1600), None, 0)\n"
            "  ctypes.memset(at, 1, 10_000_000); C.shmdt(ctypes.c_void_p(at))"
        ),
    ),
}


def sandboxes(kind: str, request: pytest.FixtureRequest, limits: CommandLimits) -> Sandbox:
    environment = child_environment(os.environ)
    if kind == "landlock":
        return Landlock(environment=environment, limits=limits)
    program: Path = request.getfixturevalue("bubblewrap_program")
    known = frozenset({"--size"})
    return Bubblewrap(program=program, environment=environment, limits=limits, options=known)


@contextmanager
def alone_on_the_disk() -> Iterator[None]:
    """Wait until no other bomb fills the disk: what a command takes is told by what is free."""
    with (Path(tempfile.gettempdir()) / "plimsoll-bombs.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


CASES = [
    *(("bubblewrap", name) for name in (*BOMBS, *ALONE)),
    *(("landlock", name) for name in BOMBS),
]


@pytest.fixture(autouse=True)
def emptied(context: CallContext) -> Iterator[None]:
    """Where a sandbox has no folders in memory of its own, what was written in them stays."""
    own = context.root.stat().st_ino
    yield
    for path in Path("/dev/shm").glob(f"plimsoll-bomb-{own}-*"):
        path.unlink()


@pytest.mark.parametrize(("kind", "name"), CASES)
async def test_a_bomb_is_ended_and_says_why(
    request: pytest.FixtureRequest,
    context: CallContext,
    processes: Processes,
    kind: str,
    name: str,
):
    limit, code = (BOMBS | ALONE)[name]
    # Only those that fill the disk are held to a part of it: the others would be ended by these.
    fills_disk = limit == "disk"
    limits = replace(LIMITS, disk_bytes=DISK) if fills_disk else LIMITS
    sandbox = sandboxes(kind, request, limits)
    access = Access(root=context.root, home=Path.home(), caches=context.root.parent / "c" / "own")
    confine = partial(sandbox.confine, access=access)
    with alone_on_the_disk() if fills_disk else nullcontext():
        running = await processes.start(PYTHON.format(code=code), context, confine)
        ended = await running.wait(120)
    assert isinstance(ended, Ended), await running.new_output()
    assert (ended.limit, ended.left) == (limit, 0), await running.new_output()


# A large parent whose children change nothing, and a file in memory that all of them use.
SHARED = PYTHON.replace("time.sleep(100)", "").format(
    code="""x, y = bytearray(10_000_000), mmap.mmap(memory_file(40), 40_000_000)
for n in range(0, len(y), 4096): y[n]
for _ in range(6):
    if not os.fork():
        time.sleep(1)
        os._exit(sum(y[:10]))
while True:
    try: os.wait()
    except ChildProcessError: break"""
)


@pytest.mark.parametrize("kind", ["bubblewrap", "landlock"])
async def test_what_many_share_counts_once(
    request: pytest.FixtureRequest, context: CallContext, processes: Processes, kind: str
):
    access = Access(root=context.root, home=Path.home(), caches=context.root.parent / "c" / "own")
    confine = partial(sandboxes(kind, request, LIMITS).confine, access=access)
    running = await processes.start(SHARED, context, confine)
    assert await running.wait(120) == Ended(code=0, left=0)
