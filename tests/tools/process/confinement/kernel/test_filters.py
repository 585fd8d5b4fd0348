"""What a filter of calls decides, by running its instructions."""

import struct
from errno import EAFNOSUPPORT, ENOSYS, EOPNOTSUPP, EPERM, EPROTONOSUPPORT, EPROTOTYPE
from itertools import product

import pytest

from plimsoll.tools.process.confinement.kernel import instructions
from plimsoll.tools.process.confinement.kernel.calls import ARCHITECTURES, Architecture
from plimsoll.tools.process.confinement.kernel.filters import filter_of
from plimsoll.tools.process.confinement.kernel.instructions import Operation

UNIX, INET, INET6, NETLINK, PACKET = 1, 2, 10, 16, 17
STREAM, DATAGRAM, RAW, WHOLE, CLOSED_LATER = 1, 2, 3, 5, 0o2000000
NEW_USERS, CHILD = 0x1000_0000, 17


def decided(code: instructions.Code, machine: int, number: int, *arguments: int) -> int | None:
    """Run a filter on a call; return the error that it fails with, none when it passes."""
    record = struct.pack("=IIQ6Q", number, machine, 0, *(*arguments, *[0] * 6)[:6])
    taken, at = 0, 0
    while True:
        operation, true, false, value = struct.unpack("=HBBI", code[at])
        at += 1
        match Operation(operation):
            case Operation.LOAD:
                (taken,) = struct.unpack_from("=I", record, value)
            case Operation.AND:
                taken &= value
            case Operation.RETURN:
                return value & 0xFFFF if value >> 16 == 5 else None
            case Operation.JUMP_IF_EQUAL:
                at += true if taken == value else false
            case Operation.JUMP_IF_AT_LEAST:
                at += true if taken >= value else false
            case Operation.JUMP_IF_ANY_BIT:
                at += true if taken & value else false


@pytest.fixture(params=ARCHITECTURES)
def known(request: pytest.FixtureRequest) -> Architecture:
    return ARCHITECTURES[request.param]


def asked(known: Architecture, call: str, *arguments: int, **given: bool) -> int | None:
    code = filter_of(known, **{"network": False, "unix_sockets": False, "alone": True, **given})
    return decided(code, known.audit, known.numbers[call], *arguments)


def test_sockets_by_family(known: Architecture):
    families = (UNIX, INET, INET6, NETLINK, PACKET)
    for network, unix in product((False, True), repeat=2):
        open_to = {NETLINK, *((INET, INET6) if network else ()), *((UNIX,) if unix else ())}
        given = {
            family: asked(known, "socket", family, STREAM, network=network, unix_sockets=unix)
            for family in families
        }
        assert given == {family: None if family in open_to else EAFNOSUPPORT for family in families}


def test_of_the_kernels_own_sockets_routes_alone(known: Architecture):
    assert asked(known, "socket", NETLINK, RAW, 0) is None
    assert asked(known, "socket", NETLINK, RAW, 4) == EPROTONOSUPPORT
    # It is a protocol of the Internet there.
    assert asked(known, "socket", INET, STREAM, 6, network=True) is None


def test_pairs_that_cannot_send_to_a_name(known: Architecture):
    for kind in (STREAM, WHOLE, STREAM | CLOSED_LATER):
        assert asked(known, "socketpair", UNIX, kind) is None
    for kind in (DATAGRAM, RAW, DATAGRAM | CLOSED_LATER):
        assert asked(known, "socketpair", UNIX, kind) == EPROTOTYPE
        assert asked(known, "socketpair", UNIX, kind, unix_sockets=True) is None
    assert asked(known, "socketpair", INET, STREAM, network=True) == EAFNOSUPPORT


def test_new_name_spaces_and_shared_queues_only_where_it_has_its_own(known: Architecture):
    for alone, error in ((True, None), (False, EPERM)):
        assert asked(known, "clone", NEW_USERS | CHILD, alone=alone) == error
        assert asked(known, "unshare", NEW_USERS, alone=alone) == error
        assert asked(known, "shmget", alone=alone) == error
        assert asked(known, "clone", CHILD, alone=alone) is None
    assert asked(known, "clone3", alone=False) == ENOSYS


def test_typing_for_a_person_and_space_without_writing(known: Architecture):
    assert asked(known, "ioctl", 1, 0x5412) == EPERM
    assert asked(known, "ioctl", 1, 0x1_0000_541C) == EPERM
    assert asked(known, "ioctl", 1, 0x5413) is None
    assert [asked(known, "fallocate", 1, mode) for mode in range(4)] == [
        *(EOPNOTSUPP, EOPNOTSUPP, None, None)
    ]
    assert asked(known, "fcntl", 1, 1024) == EPERM
    assert asked(known, "fcntl", 1, 1025) is None


def test_calls_of_another_width_and_machine(known: Architecture):
    code = filter_of(known, network=True, unix_sockets=True, alone=True)
    assert decided(code, known.audit, 0x4000_0000 | known.numbers["socket"], INET) == ENOSYS
    assert decided(code, 0x4000_0003, known.numbers["socket"], INET) == ENOSYS
    assert decided(code, known.audit, known.numbers["bpf"]) == EPERM
    assert decided(code, known.audit, known.numbers["io_uring_setup"]) == ENOSYS
    assert decided(code, known.audit, 0) is None
