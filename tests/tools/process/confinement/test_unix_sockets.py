"""Unix sockets that a person gives back: a command's own work, and those of others do not."""

import os
import socket
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from left_out import not_on_this_machine
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.process.confinement.base import Access, Sandbox
from plimsoll.tools.process.confinement.bubblewrap import Bubblewrap
from plimsoll.tools.process.confinement.kernel.rights import landlock_version
from plimsoll.tools.process.confinement.landlock import Landlock
from plimsoll.tools.process.environment import child_environment
from plimsoll.tools.process.processes import Ended, Processes

OWN = """exec /usr/bin/python3 -c '
import os, socket, sys
def tried(name, kind=socket.SOCK_STREAM):
    try: socket.socket(socket.AF_UNIX, kind).connect(name)
    except OSError as error: return type(error).__name__
    return "reached"
path = os.environ.get("TMPDIR", "/tmp") + f"/{{os.getpid()}}"
try:
    end = socket.socket(socket.AF_UNIX)
    end.bind(path), end.listen()
    print(tried(path))
    os.unlink(path)
except OSError as error: print(error.strerror)
print(tried("\\0{abstract}"), tried("work.sock"), len(socket.socketpair()))'"""
REFUSED = "Address family not supported by protocol\nOSError OSError 2\n"


@pytest.fixture(params=["bubblewrap", "landlock"])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    environment = child_environment(os.environ)
    if request.param == "landlock":
        return Landlock(environment=environment)
    program: Path = request.getfixturevalue("bubblewrap_program")
    return Bubblewrap(program=program, environment=environment)


@pytest.mark.slow
@pytest.mark.parametrize("network", [False, True])
@pytest.mark.parametrize("given", [False, True])
async def test_its_own_are_given_back_and_those_of_others_are_not(
    sandbox: Sandbox, context: CallContext, processes: Processes, given: bool, network: bool
):
    if given and landlock_version() < 6:
        not_on_this_machine("before version 6 Landlock knows no sockets")
    access = Access(root=context.root, home=Path.home(), caches=context.root.parent / "c" / "own")
    asked = replace(access, unix_sockets=given, network=network)
    name = f"plimsoll-{os.getpid()}-{context.root.parent.name}"
    # One in the folder is mounted over in bubblewrap; Landlock has no right for it.
    inside = "reached" if isinstance(sandbox, Landlock) else "ConnectionRefusedError"
    with socket.socket(socket.AF_UNIX) as abstract, socket.socket(socket.AF_UNIX) as bound:
        abstract.bind(f"\0{name}")
        abstract.listen()
        bound.bind(str(context.root / "work.sock"))
        bound.listen()
        command = OWN.format(abstract=name)
        running = await processes.start(command, context, partial(sandbox.confine, access=asked))
        assert await running.wait(120) == Ended(code=0, left=0)
    told = await running.new_output()
    alone = isinstance(sandbox, Bubblewrap) and not network
    closed = "ConnectionRefusedError" if alone else "PermissionError"
    assert told == (f"reached\n{closed} {inside} 2\n" if given else REFUSED)
