"""Pipes, sockets and devices that were there before: out of a command's reach, and told if not."""

import os
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from plimsoll.errors import ToolFailed
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.process.confinement.base import Access
from plimsoll.tools.process.confinement.bubblewrap import Bubblewrap
from plimsoll.tools.process.confinement.restrictor import restrictors
from plimsoll.tools.process.environment import child_environment
from plimsoll.tools.process.processes import Ended, Processes

WRITE = """for path in {paths}; do (echo secret > $path) 2>/dev/null && echo $path; done
echo kept > own; cat own; mkdir -p a b; echo x > a/x; mv a/x b/x; ln b/x a/y; cat a/y
echo x > $TMPDIR/x; cat $TMPDIR/x; echo x > $HOME/x; cat $HOME/x
echo x > /dev/shm/x; cat /dev/shm/x
(echo x > /dev/full) 2>/dev/null || echo full; echo x > /dev/stdout; echo x >> /proc/self/fd/1
mkfifo mine; cat mine & echo through > mine; wait"""
WROTE = "kept\nx\nx\nx\nx\nfull\nx\nx\nthrough\n"


@pytest.fixture
def sandbox(bubblewrap_program: Path) -> Bubblewrap:
    return Bubblewrap(program=bubblewrap_program, environment=child_environment(os.environ))


@pytest.fixture
def listened(context: CallContext) -> Iterator[list[Path]]:
    """Pipes outside and inside, each with somebody at its other end."""
    outside = context.root.parent / "readable"
    paths = [outside / "deep" / "p", context.root / "p", context.root / "deep" / "p"]
    ends: list[int] = []
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(path)
        ends.append(os.open(path, os.O_RDWR | os.O_NONBLOCK))
    yield paths
    for end in ends:
        with pytest.raises(BlockingIOError):
            os.read(end, 1)
        os.close(end)


def access_to(context: CallContext) -> Access:
    above = context.root.parent
    return Access(
        root=context.root,
        home=Path.home(),
        caches=above / "c" / "own",
        readable=(above / "readable",),
    )


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 1])
async def test_what_is_not_its_own_cannot_be_written_to_and_all_else_can(
    sandbox: Bubblewrap,
    context: CallContext,
    processes: Processes,
    listened: list[Path],
    number: int,
):
    known = [*restrictors()]
    if number >= len(known):
        pytest.skip("this machine has no such interpreter, or no Landlock")
    confine = partial(replace(sandbox, restrictor=known[number]).confine, access=access_to(context))
    command = WRITE.format(paths=" ".join(map(str, listened)))
    running = await processes.start(command, context, confine)
    assert await running.wait(120) == Ended(code=0, left=0)
    assert await running.new_output() == WROTE
    assert [path for path in listened if not path.is_fifo()] == []


def test_without_the_means_each_command_is_asked_about(sandbox: Bubblewrap):
    given = replace(sandbox, restrictor=()).confinement(network=False)
    assert given.coverage == "partial"
    assert given.summary == (
        "partly sandboxed: writes only in this folder, no network; "
        "it can write to pipes of other programs"
    )


def test_more_of_them_than_can_be_closed_confine_nothing(sandbox: Bubblewrap, context: CallContext):
    for number in range(501):
        os.mkfifo(context.root / f"{number:03}")
    with pytest.raises(ToolFailed, match=r"more than 500 pipes.*such as .*/000\. Remove them"):
        sandbox.confine(("true",), access_to(context))
