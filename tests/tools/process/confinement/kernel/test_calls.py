"""Numbers of calls, beside those of the system's own headers."""

import ctypes
import errno
import os
import re
from pathlib import Path

import pytest

from left_out import not_on_this_machine
from plimsoll.tools.process.confinement.kernel.calls import ARCHITECTURES, architecture, check

HEADERS = {
    "x86_64": ("x86_64-linux-gnu/asm/unistd_64.h", "asm/unistd_64.h"),
    "aarch64": ("asm-generic/unistd.h",),
}
_DEFINED = re.compile(r"#define __NR(?:3264)?_(\w+) (\d+)$", re.MULTILINE)


@pytest.mark.parametrize("name", HEADERS)
def test_numbers_are_those_of_the_headers(name: str):
    found = next(filter(Path.exists, (Path("/usr/include", path) for path in HEADERS[name])), None)
    if found is None:
        not_on_this_machine("no headers of the kernel")
    defined = {call: int(number) for call, number in _DEFINED.findall(found.read_text())}
    numbers = ARCHITECTURES[name].numbers
    # Older headers do not know the newest calls.
    known = numbers.keys() & defined.keys()
    assert {call: numbers[call] for call in known} == {call: defined[call] for call in known}
    assert len(known) > len(numbers) - 4


def test_no_number_stands_for_two_calls():
    for known in ARCHITECTURES.values():
        assert len(set(known.numbers.values())) == len(known.numbers)


def test_this_machine_is_known_by_its_name():
    assert architecture() is ARCHITECTURES.get(os.uname().machine)


def test_a_call_gives_its_result_or_says_what_it_was_for():
    assert [check(result, "rights") for result in (0, 7)] == [0, 7]
    ctypes.set_errno(errno.EPERM)
    with pytest.raises(PermissionError, match="rights: Operation not permitted"):
        check(-1, "rights")
