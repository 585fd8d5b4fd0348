"""Reaches for Unix sockets in ways that a list of their paths does not see, and for other families.

The other side says whether it was reached.
"""

import array
import ctypes
import mmap
import os
import platform
import socket
import struct
import time
from pathlib import Path

from ways import CONFIG, OUT, ROOT, C, done, way

UNIX, RAW = socket.AF_UNIX, 3


def said(end, address):
    end.settimeout(2)
    end.connect(address)
    end.send(b"hello")
    return end.recv(10) == b"CANARY"


@way(**CONFIG["unix_named_otherwise"])
def unix_named_otherwise(path):
    with socket.socket(UNIX) as end:
        return said(end, path)


@way()
def unix_by_relative_path():
    os.chdir(OUT)
    with socket.socket(UNIX) as end:
        return said(end, "s.sock")


@way()
def unix_by_descriptor_of_its_folder():
    folder = os.open(OUT, os.O_PATH)
    with socket.socket(UNIX) as end:
        return said(end, f"/proc/self/fd/{folder}/s.sock")


@way()
def unix_by_a_link():
    (ROOT / "to.sock").symlink_to(OUT / "s.sock")
    with socket.socket(UNIX) as end:
        return said(end, str(ROOT / "to.sock"))


@way()
def unix_made_later():
    (ROOT / "ask").touch()
    until = time.monotonic() + 2
    while not (ROOT / "later.sock").exists() and time.monotonic() < until:
        time.sleep(0.01)
    with socket.socket(UNIX) as end:
        return said(end, str(ROOT / "later.sock"))


@way()
def unix_of_whole_messages():
    with socket.socket(UNIX, socket.SOCK_SEQPACKET) as end:
        end.connect("\0" + CONFIG["abstract"] + "-whole")
        return True


# A pair has no name, but half of one may send to any.
@way(plain=socket.SOCK_DGRAM, raw=RAW, flagged=socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
def unix_from_a_pair(kind):
    ends = (ctypes.c_int * 2)()
    if not done(C.socketpair(UNIX, kind, 0, ends)):
        return False
    with socket.socket(fileno=ends[0]) as end:
        return end.sendto(b"hello", str(OUT / "d.sock")) == 5


@way()
def unix_from_a_pair_connected():
    with socket.socketpair(UNIX, socket.SOCK_DGRAM)[0] as end:
        end.connect("\0" + CONFIG["abstract"] + "-datagram")
        return end.send(b"hello") == 5


@way()
def unix_with_high_bits():
    number = {"x86_64": 41, "aarch64": 198}[platform.machine()]
    family = ctypes.c_ulong(0x1_0000_0001)
    opened = C.syscall(number, family, 1, 0)
    with socket.socket(fileno=opened) as end:
        return said(end, str(OUT / "s.sock"))


def called_by(code):
    """Run these instructions; they return what the kernel told."""
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    held = ctypes.c_char.from_buffer(page)
    return ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(held))()


# socket(AF_UNIX, SOCK_STREAM, 0) as other programs ask for it.
@way(
    # mov eax, 359; mov ebx, 1; mov ecx, 1; xor edx, edx; int 0x80; cdqe; ret
    narrow=b"\x53\xb8\x67\x01\0\0\xbb\x01\0\0\0\xb9\x01\0\0\0\x31\xd2\xcd\x80\x48\x98\x5b\xc3",
    # mov eax, 0x40000029; mov edi, 1; mov esi, 1; xor edx, edx; syscall; ret
    x32=b"\xb8\x29\0\0\x40\xbf\x01\0\0\0\xbe\x01\0\0\0\x31\xd2\x0f\x05\xc3",
)
def unix_by_calls_of_another_width(code):
    if platform.machine() != "x86_64":
        return False
    opened = called_by(code)
    with socket.socket(fileno=opened) as end:
        return said(end, str(OUT / "s.sock"))


@way()
def unix_of_a_descriptor_handed_over():
    with socket.socket(UNIX) as end:
        end.connect("\0" + CONFIG["abstract"] + "-hands")
        _, told, _, _ = end.recvmsg(1, socket.CMSG_SPACE(4))
        numbers = array.array("i", told[0][2])
        return os.read(numbers[0], 6) == b"CANARY"


@way()
def unix_listener_for_others():
    with socket.socket(UNIX) as end:
        end.bind(str(ROOT / "mine.sock"))
        end.listen()
        return True


@way(
    **{
        name: number
        for name, number in (
            *(("routes_raw", 0), ("sockets", 4), ("firewall", 12), ("audit", 9), ("connector", 11)),
            *(("events", 15), ("generic", 16), ("cryptography", 21), ("addresses", 6)),
        )
        if number
    }
)
def kernel_socket(protocol):
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, protocol).close()
    return True


@way(
    **dict(
        (
            *(
                ("key", 15),
                ("bluetooth", 31),
                ("can", 29),
                ("tipc", 30),
                ("rxrpc", 33),
                ("phone", 35),
            ),
            *(("rds", 21), ("ppp", 24), ("smc", 43), ("xdp", 44), ("router", 42), ("nfc", 39)),
            *(("isdn", 34), ("infrared", 23), ("x25", 9), ("ham", 3), ("apple", 5), ("mctp", 45)),
        )
    )
)
def rare_family(number):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        opened = C.socket(number, kind, 0)
        if opened >= 0:
            os.close(opened)
            return True
    return False


@way()
def uring_socket():
    # IORING_SETUP on its own: an operation of the ring opens sockets past any filter of calls.
    return done(C.syscall(425, 1, ctypes.create_string_buffer(struct.calcsize("120s"))))


@way()
def list_sockets():
    return str(Path(CONFIG["unix"]["outside"]).name) in Path("/proc/1/net/unix").read_text()
