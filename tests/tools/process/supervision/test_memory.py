"""How much memory processes hold, of this process, which holds more by the megabyte."""

import mmap
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from plimsoll.tools.process.supervision.memory import MemoryCount

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/smaps_rollup").exists(), reason="no such figures here"
)
MIB = 2**20
FAR = 1 << 60
"""Bytes; no machine has as many."""
TAKEN = 64 * MIB
HERE = (os.getpid(),)


@pytest.fixture
def count() -> MemoryCount:
    return MemoryCount([])


def least(count: MemoryCount) -> int:
    """The bytes that are held now, to a mebibyte."""
    low, high = 0, 1 << 40
    while high - low > MIB:
        middle = (low + high) // 2
        if count.exceeds(middle, HERE, None):
            low = middle
        else:
            high = middle
    return high


def filled(memory: mmap.mmap) -> mmap.mmap:
    for at in range(0, len(memory), mmap.PAGESIZE):
        memory[at] = 1
    return memory


@pytest.fixture(params=["its own", "shared", "a file without a name", "a file that is mapped too"])
def taken(request: pytest.FixtureRequest, count: MemoryCount) -> Iterator[tuple[int, int]]:
    """What was held before, and after so much more of a kind was taken."""
    before = least(count)
    descriptor, memory = None, None
    if request.param == "its own":
        memory = filled(mmap.mmap(-1, TAKEN, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
    elif request.param == "shared":
        memory = filled(mmap.mmap(-1, TAKEN))
    else:
        descriptor = os.memfd_create("taken")
        os.write(descriptor, bytes(TAKEN))
        if "mapped" in request.param:
            memory = filled(mmap.mmap(descriptor, TAKEN))
    yield before, least(count)
    if memory is not None:
        memory.close()
    if descriptor is not None:
        os.close(descriptor)


def test_each_kind_of_memory_is_counted_once(taken: tuple[int, int]):
    before, after = taken
    assert TAKEN // 2 < after - before < TAKEN * 3 // 2


def test_nothing_holds_so_much_and_no_process_holds_nothing(count: MemoryCount):
    assert not count.exceeds(FAR, HERE, None)
    assert not count.exceeds(0, (), None)
    assert count.exceeds(MIB, HERE, None)
