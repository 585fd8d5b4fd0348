"""What a command asks of the proxy is read in one way, or refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.tools.process.confinement.registries.hosts import HTTP_PORT, HTTPS_PORT, Registries
from plimsoll.tools.process.confinement.registries.requests import (
    MalformedRequest,
    RegistryRequest,
    read_request,
)

HEAD = "CONNECT pypi.org:443 HTTP/1.1\r\nHost: pypi.org:443\r\n{}\r\n"
PLAIN = "GET http://deb.debian.org/debian/ HTTP/1.1\r\nHost: deb.debian.org\r\n{}\r\n"


def read(text: str) -> RegistryRequest:
    return read_request(text.encode("latin-1"))


def test_a_tunnel():
    assert read(HEAD.format("User-Agent: x\r\n")) == RegistryRequest(host="pypi.org", port=443)
    assert read("CONNECT PyPI.org.:8443 HTTP/1.0\r\n\r\n") == RegistryRequest(
        host="pypi.org", port=8443
    )


def test_a_plain_request_is_written_anew():
    more = "Range: bytes=5-\r\nConnection: keep-alive\r\nProxy-Authorization: x\r\nTE: trailers\r\n"
    wanted = read(PLAIN.format(more))
    head = b"GET /debian/ HTTP/1.1\r\nHost: deb.debian.org\r\nRange: bytes=5-\r\n"
    assert wanted.head() == head + b"Connection: close\r\n\r\n"
    absolute = head.replace(b"/debian/", b"http://deb.debian.org/debian/")
    through = b"Proxy-Authorization: Basic eDp5\r\nConnection: close\r\n\r\n"
    assert wanted.head(through="Basic eDp5", absolute=True) == absolute + through


HOSTILE = {
    "no http": "\r\n\r\n",
    "two lines as one": HEAD.format("X: a\nY: b\r\n"),
    "a bare return": HEAD.format("X: a\rY: b\r\n"),
    "a NUL": HEAD.format("X: a\0b\r\n"),
    "a folded header": HEAD.format("X: a\r\n b\r\n"),
    "a blank before the colon": PLAIN.format("Content-Length : 5\r\n"),
    "a body": PLAIN.format("Content-Length: 5\r\n"),
    "a body in pieces": PLAIN.format("Transfer-Encoding: chunked\r\n"),
    "a body in a tunnel": HEAD.format("Content-Length: 5\r\n"),
    "pieces in a tunnel": HEAD.format("transfer-encoding: identity\r\n"),
    "another protocol": PLAIN.format("Upgrade: h2c\r\n"),
    "two hosts": PLAIN.format("Host: example.org\r\n"),
    "the same host twice": PLAIN.format("Host: deb.debian.org\r\n"),
    "another host": "GET http://deb.debian.org/ HTTP/1.1\r\nHost: example.org\r\n\r\n",
    "another host of a tunnel": "CONNECT pypi.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n",
    "no port": "CONNECT pypi.org HTTP/1.1\r\n\r\n",
    "no number": "CONNECT pypi.org:https HTTP/1.1\r\n\r\n",
    "an address": "CONNECT 203.0.113.80:443 HTTP/1.1\r\n\r\n",
    "an address in brackets": "CONNECT [::1]:443 HTTP/1.1\r\n\r\n",
    "an address as one number": "CONNECT 3405803856:443 HTTP/1.1\r\n\r\n",
    "a user": "CONNECT pypi.org@example.org:443 HTTP/1.1\r\n\r\n",
    "a user of a plain request": "GET http://deb.debian.org@example.org/ HTTP/1.1\r\n\r\n",
    "a password": "GET http://deb.debian.org:80@example.org/ HTTP/1.1\r\n\r\n",
    "a backslash": "GET http://example.org\\@deb.debian.org/ HTTP/1.1\r\n\r\n",
    "a fragment": "GET http://example.org#deb.debian.org/ HTTP/1.1\r\n\r\n",
    "percent": "GET http://deb.debian%2eorg/ HTTP/1.1\r\n\r\n",
    "another scheme": "GET https://deb.debian.org/ HTTP/1.1\r\n\r\n",
    "ftp": "GET ftp://deb.debian.org/ HTTP/1.1\r\n\r\n",
    "a path alone": "GET / HTTP/1.1\r\nHost: deb.debian.org\r\n\r\n",
    "a star": "OPTIONS * HTTP/1.1\r\nHost: deb.debian.org\r\n\r\n",
    "a method that writes": PLAIN.replace("GET", "PUT").format(""),
    "a method in small letters": HEAD.replace("CONNECT", "connect").format(""),
    "HTTP/2": "PRI * HTTP/2.0\r\n\r\n",
    "HTTP/0.9": "GET http://deb.debian.org/\r\n\r\n",
    "two blanks": "GET  http://deb.debian.org/ HTTP/1.1\r\n\r\n",
    "a tab": "GET\thttp://deb.debian.org/ HTTP/1.1\r\n\r\n",
    "a blank in the path": "GET http://deb.debian.org/a b HTTP/1.1\r\n\r\n",
    "a second request in the path": "GET http://deb.debian.org/\x85GET HTTP/1.1\r\n\r\n",
    "too many headers": HEAD.format("X: a\r\n" * 200),
    "another script": "CONNECT pyp\xed.org:443 HTTP/1.1\r\n\r\n",
    "a name and a NUL": "CONNECT pypi.org\0:443 HTTP/1.1\r\n\r\n",
    "an empty name": "CONNECT :443 HTTP/1.1\r\n\r\n",
    "a port too many": "CONNECT pypi.org:443:443 HTTP/1.1\r\n\r\n",
}


OTHER_HOSTS = (
    *("127.0.0.1", "127.1", "0x7f.0.0.1", "0177.0.0.1", "2130706433", "[::1]"),
    *("[::ffff:127.0.0.1]", "localhost", "LOCALHOST.", "pypi.org.localhost"),
    *("pypi.org@localhost", "pypi.org%2elocalhost", "pypi.org:443@127.0.0.1"),
    *("http://pypi.org", "//pypi.org", "pypi.org..", ".pypi.org", "pypi\u3002org"),
    *("\uff50ypi.org", "pypi.org\t", "xn--pypi-.org", "pypi-org", "169.254.169.254"),
    *("metadata.google.internal", "host.docker.internal", "1", "pypi.org#@x", "pypi.org?@x"),
    *("deb.debian.org:80@example.org", "example.org\\@deb.debian.org"),
    *("deb.debian.org.example.org", "deb.debian.org%00.example.org", "/deb.debian.org"),
    *("*.debian.org", "deb.debian.org,pypi.org"),
)
OTHER_PORTS = ("22", "+443", " 443", "0x1bb", "65979", "443.", "443/", "443,80", "")
MORE = (
    *("Host: example.org", "Host: pypi.org, example.org", "Host: pypi.org:22", "Host: u@pypi.org"),
    *("Host:", "Host : pypi.org", " Host: pypi.org", "host: pypi.org\r\nHOST: pypi.org"),
    *("Transfer-Encoding: chunked", "Transfer-Encoding:\x0bchunked", "Content-Length: +0"),
    *("Content-Length: 0\r\nContent-Length: 5", "Content-Length: 0, 5", "Upgrade: websocket"),
    *("X: a\nHost: example.org", "X: a\r\rHost: example.org", ":authority: example.org"),
)


@pytest.mark.parametrize(
    "text",
    [
        *(f"CONNECT {host}:443 HTTP/1.1\r\n\r\n" for host in OTHER_HOSTS),
        *(f"GET http://{host}/ HTTP/1.1\r\n\r\n" for host in OTHER_HOSTS if host[0] != "p"),
        *(f"CONNECT pypi.org:{port} HTTP/1.1\r\n\r\n" for port in OTHER_PORTS),
        *(f"GET http://deb.debian.org:{port}/ HTTP/1.1\r\n\r\n" for port in OTHER_PORTS),
        *(f"CONNECT pypi.org:443 HTTP/1.1\r\n{more}\r\n\r\n" for more in MORE),
    ],
)
def test_no_way_of_writing_leads_to_another_host_or_port(text):
    try:
        wanted = read_request(text.encode("utf-8"))
    except MalformedRequest:
        return
    port = HTTPS_PORT if wanted.method is None else HTTP_PORT
    assert wanted.port != port or port not in Registries().ports(wanted.host)


def test_no_header_names_another_host_or_method_to_the_server():
    names = ("X-Forwarded-Host", "Forwarded", "X-Original-URL", "X-HTTP-Method-Override", "Cookie")
    wanted = read(PLAIN.format("".join(f"{name}: example.org\r\n" for name in names)))
    assert wanted.head().count(b"\r\n") == 4


@pytest.mark.parametrize("name", HOSTILE)
def test_what_could_be_read_in_two_ways_is_refused(name):
    with pytest.raises(MalformedRequest):
        read(HOSTILE[name])


FRAMES = (
    b"%s",
    b"CONNECT %s",
    b"GET http://deb.debian.org/%s HTTP/1.1\r\nHost: deb.debian.org",
    b"GET http://deb.debian.org/ HTTP/1.1\r\nHost: deb.debian.org\r\nAccept: %s",
    b"GET http://deb.debian.org/ HTTP/1.1\r\nHost: deb.debian.org\r\n%s",
)
JUNK = st.binary(max_size=200) | st.lists(
    st.sampled_from([b"a", b"/", b" ", b":", b"\r", b"\n", b"\r\n", b"Host: x", b"\0", b"\xff"])
).map(b"".join)


@given(JUNK, st.sampled_from(FRAMES))
def test_junk_never_breaks_it_and_is_never_passed_on(junk, frame):
    try:
        wanted = read_request(frame.replace(b"%s", junk) + b"\r\n\r\n")
    except MalformedRequest:
        return
    if wanted.method is not None:
        head = wanted.head()
        assert head.count(b"\r\n\r\n") == 1
        assert head.count(b"\n") == head.count(b"\r") == head.count(b"\r\n")
        assert [line[6:] for line in head.split(b"\r\n") if line.startswith(b"Host: ")] == [
            b"deb.debian.org"
        ]
