"""Reaches for sockets; the other side says whether it was reached."""

import socket
import struct

from ways import CONFIG, way


def said(family, kind, address):
    with socket.socket(family, kind) as end:
        end.settimeout(2)
        end.connect(address)
        end.send(b"hello")
        return end.recv(10) == b"CANARY"


@way(**CONFIG["unix"])
def unix_stream(path):
    return said(socket.AF_UNIX, socket.SOCK_STREAM, path)


@way(**CONFIG["unix_datagram"])
def unix_datagram(path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        return end.sendto(b"hello", path) == 5


@way()
def abstract_stream():
    return said(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + CONFIG["abstract"])


@way()
def abstract_datagram():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        return end.sendto(b"hello", "\0" + CONFIG["abstract"] + "-datagram") == 5


@way(four=(socket.AF_INET, "127.0.0.1"), six=(socket.AF_INET6, "::1"))
def tcp(to):
    return said(to[0], socket.SOCK_STREAM, (to[1], CONFIG[f"tcp{to[0]}"]))


@way(four=(socket.AF_INET, "127.0.0.1"), six=(socket.AF_INET6, "::1"))
def udp(to):
    return said(to[0], socket.SOCK_DGRAM, (to[1], CONFIG[f"udp{to[0]}"]))


@way()
def udp_unconnected():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        end.settimeout(2)
        end.sendto(b"hello", ("127.0.0.1", CONFIG["udp2"]))
        return end.recv(10) == b"CANARY"


@way()
def dns():
    query = (
        struct.pack("!6H", 1, 256, 1, 0, 0, 0) + b"\x06CANARY\x04test\0" + struct.pack("!2H", 1, 1)
    )
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        end.settimeout(2)
        end.sendto(query, ("127.0.0.1", CONFIG["udp2"]))
        return bool(end.recv(10))


@way()
def tcp_fast_open():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as end:
        end.settimeout(2)
        end.sendto(b"hello", 0x20000000, ("127.0.0.1", CONFIG["tcp2"]))
        return end.recv(10) == b"CANARY"


@way()
def tcp_multipath():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262) as end:
        end.settimeout(2)
        end.connect(("127.0.0.1", CONFIG["tcp2"]))
        return end.recv(10) == b"CANARY"


@way()
def host_of_the_machine():
    socket.socket(40, socket.SOCK_STREAM).close()
    return True


@way()
def raw_packets():
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close()
    return True


@way()
def kernel_crypto():
    socket.socket(38, socket.SOCK_SEQPACKET).close()
    return True
