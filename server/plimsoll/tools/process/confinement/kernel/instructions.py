"""The instructions of a filter of calls, as the kernel's packet filter reads them (classic BPF)."""

import struct
from collections.abc import Iterable, Sequence
from enum import IntEnum

from plimsoll.tools.process.confinement.kernel import linux

Code = tuple[bytes, ...]
"""Instructions, one after the other."""


class Operation(IntEnum):
    """The operation of an instruction."""

    LOAD = linux.BPF_LD | linux.BPF_W | linux.BPF_ABS
    """Take a word of the call's record."""
    AND = linux.BPF_ALU | linux.BPF_AND | linux.BPF_K
    JUMP_IF_EQUAL = linux.BPF_JMP | linux.BPF_JEQ | linux.BPF_K
    JUMP_IF_AT_LEAST = linux.BPF_JMP | linux.BPF_JGE | linux.BPF_K
    JUMP_IF_ANY_BIT = linux.BPF_JMP | linux.BPF_JSET | linux.BPF_K
    RETURN = linux.BPF_RET | linux.BPF_K


# The record is `struct seccomp_data`: number, machine, place, then six arguments of eight bytes, of
# which the lower half comes first on the machines that are known.
NUMBER, MACHINE = 0, 4
_ARGUMENTS, _ARGUMENT_BYTES = 16, 8


def _instruction(operation: Operation, value: int, true: int = 0, false: int = 0) -> bytes:
    return struct.pack("=HBBI", *(operation, true, false, value))


def allow() -> Code:
    """Let the system call pass."""
    return (_instruction(Operation.RETURN, linux.SECCOMP_RET_ALLOW),)


def fail(error: int) -> Code:
    """Let the system call fail with this error number."""
    return (_instruction(Operation.RETURN, linux.SECCOMP_RET_ERRNO | error),)


def load(place: int) -> Code:
    """Load a word of the system call's record."""
    return (_instruction(Operation.LOAD, place),)


def load_argument(number: int) -> Code:
    """Load the lower half of a system call's argument, counted from 0."""
    return load(_ARGUMENTS + number * _ARGUMENT_BYTES)


def only_bits(mask: int) -> Code:
    """Keep only these bits of the loaded value."""
    return (_instruction(Operation.AND, mask),)


def when_equal(value: int, then: Code) -> Code:
    """Run these instructions if the loaded value is this one, else skip them."""
    return (_instruction(Operation.JUMP_IF_EQUAL, value, 0, len(then)), *then)


def unless_equal(value: int, then: Code) -> Code:
    """Run these instructions if the loaded value is not this one, else skip them."""
    return (_instruction(Operation.JUMP_IF_EQUAL, value, len(then), 0), *then)


def when_at_least(value: int, then: Code) -> Code:
    """Run these instructions if the loaded value is this one or above, else skip them."""
    return (_instruction(Operation.JUMP_IF_AT_LEAST, value, 0, len(then)), *then)


def when_any_bit(mask: int, then: Code) -> Code:
    """Run these instructions if the loaded value has one of these bits, else skip them."""
    return (_instruction(Operation.JUMP_IF_ANY_BIT, mask, 0, len(then)), *then)


def unless_one_of(values: Sequence[int], then: Code) -> Code:
    """Run these instructions if the loaded value is none of these, else skip them."""
    past = (
        _instruction(Operation.JUMP_IF_EQUAL, value, len(values) - 1 - n + len(then), 0)
        for n, value in enumerate(values)
    )
    return (*past, *then)


def concatenate(parts: Iterable[Code]) -> Code:
    """Join pieces of filter code into one."""
    return tuple(one for part in parts for one in part)
