"""Pages of real servers on loopback: names and certificates, redirects, and every bound."""

import asyncio
import gzip

import pytest

from plimsoll.errors import ToolFailed
from plimsoll.network.proxies import Network
from plimsoll.tools.web import requesting
from plimsoll.tools.web.address import web_address
from plimsoll.tools.web.fetching import fetch
from providers.networks.certificates import Authority, make_authority
from tools.web.pages import NAME, packed, page, redirect, resolving, serving, web

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def authority(tmp_path_factory) -> Authority:
    return make_authority(tmp_path_factory.mktemp("authority"))


def at(pages, target="/", scheme="http"):
    return web_address(f"{scheme}://{NAME}:{pages.port}{target}")


async def test_a_request_has_the_name_and_nothing_of_the_person():
    async with serving() as pages:
        pages.answers["/a?b=c"] = page(b"Masts.", "text/plain", "Set-Cookie: a=b")
        answer = await fetch(at(pages, "/a?b=c"), web().reach())
        await fetch(at(pages), web().reach())
    assert answer.body == b"Masts."
    assert answer.media_type == "text/plain"
    for head in pages.heads:
        names = [line.partition(":")[0] for line in head.split("\r\n")[1:] if line]
        assert names == ["Host", "User-Agent", "Accept-Encoding", "Accept"]
        assert f"Host: {NAME}:{pages.port}" in head


async def test_the_certificate_is_that_of_the_name(authority):
    """The address is a checked one, and TLS begins for the name all the same."""
    network = Network(ca_files=(authority.root,))
    async with serving(authority.context("good")) as pages:
        answer = await fetch(at(pages, scheme="https"), web(network=network).reach())
    assert (answer.body, pages.names) == (b"Ships.", [NAME])


@pytest.mark.parametrize(
    ("certificate", "trusted", "told"),
    [
        ("name", True, "mismatch"),
        ("expired", True, "expired"),
        ("itself", True, "self-signed"),
        ("good", False, "certificate"),
    ],
)
async def test_another_certificate_is_not_trusted(authority, certificate, trusted, told):
    network = Network(ca_files=(authority.root,) if trusted else ())
    there = web(resolving({"localhost": ["127.0.0.1"]}), network, allow_hosts=("localhost",))
    async with serving(authority.context(certificate)) as pages:
        with pytest.raises(ToolFailed, match=rf"certificate is not trusted .*{told}"):
            await fetch(web_address(f"https://localhost:{pages.port}/"), there.reach())
    assert pages.heads == []


async def test_a_redirect_within_the_site_is_followed(authority):
    async with serving() as pages:
        pages.answers |= {"/": redirect("/b"), "/b": redirect("c?d"), "/c?d": page(b"There.")}
        answer = await fetch(at(pages), web().reach())
    assert (answer.body, answer.address.target) == (b"There.", "/c?d")


@pytest.mark.parametrize(
    "place", ["https://other.example.org/a", "//other.example.org/a", "http://127.0.0.1:1/a"]
)
async def test_a_redirect_to_another_site_is_told_and_not_followed(place):
    async with serving() as pages:
        pages.answers["/"] = redirect(place)
        with pytest.raises(ToolFailed, match=r"leads to http\S+/a, which is another site"):
            await fetch(at(pages), web().reach())
    assert len(pages.heads) == 1


@pytest.mark.parametrize("place", ["file:///etc/passwd", "data:text/html,x", "http://a@b.org/"])
async def test_a_redirect_to_what_is_not_fetched_fails(place):
    async with serving() as pages:
        pages.answers["/"] = redirect(place)
        with pytest.raises(ToolFailed, match="not fetched"):
            await fetch(at(pages), web().reach())


async def test_redirects_end():
    async with serving() as pages:
        pages.answers["/"] = redirect("/")
        with pytest.raises(ToolFailed, match="without end"):
            await fetch(at(pages), web().reach())
    assert len(pages.heads) == 6


async def test_an_error_of_the_server_is_told():
    async with serving() as pages:
        pages.answers["/"] = page(b"x", status="404 Not Found")
        with pytest.raises(ToolFailed, match=r"answered 404 Not Found\.$"):
            await fetch(at(pages), web().reach())


@pytest.mark.parametrize("tail", ["", "Transfer-Encoding: chunked"])
async def test_a_server_that_falls_silent_is_given_up(monkeypatch, tail):
    monkeypatch.setattr("plimsoll.tools.web.fetching.SECONDS", 0.5)
    head = f"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n{tail}"
    async with serving() as pages:
        pages.answers["/"] = f"{head}\r\n\r\nhang".encode() if not tail else b"hang"
        with pytest.raises(ToolFailed, match="took more than"):
            await fetch(at(pages), web().reach())


async def test_a_long_body_is_cut(monkeypatch):
    monkeypatch.setattr(requesting, "MOST_BYTES", 100_000)
    async with serving() as pages:
        pages.answers["/"] = page(b"x" * 300_000, "text/plain")
        answer = await fetch(at(pages), web().reach())
    assert (len(answer.body), answer.cut) == (100_000, True)


async def test_what_unpacks_without_end_is_cut():
    """A gigabyte from a megabyte."""
    layer = gzip.compress(bytes(1_000_000))
    async with serving() as pages:
        pages.answers["/"] = page(layer * 1_000, "text/plain", "Content-Encoding: gzip")
        answer = await fetch(at(pages), web().reach())
    assert (len(answer.body), answer.cut) == (requesting.MOST_BYTES, True)


async def test_a_packed_body_is_unpacked():
    async with serving() as pages:
        pages.answers["/"] = packed(b"Ships." * 50_000)
        answer = await fetch(at(pages), web().reach())
    assert (answer.body, answer.cut) == (b"Ships." * 50_000, False)


@pytest.mark.parametrize(
    "answer",
    [
        page(b"x", "text/plain", "Content-Encoding: br"),
        page(b"no gzip", "text/plain", "Content-Encoding: gzip"),
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"a" * 200_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
    ],
)
async def test_what_is_no_answer_fails(answer):
    async with serving() as pages:
        pages.answers["/"] = answer
        with pytest.raises(ToolFailed):
            await fetch(at(pages), web().reach())


async def test_a_host_that_is_not_there_is_told():
    with pytest.raises(ToolFailed, match="has no address that is known here"):
        await fetch(web_address("http://nobody.example.org/"), web(resolving({})).reach())


async def test_the_next_address_of_a_host_is_tried():
    async with serving() as pages:
        answer = await fetch(at(pages), web(resolving({NAME: ["127.8.9.1,127.0.0.1"]})).reach())
    assert answer.body == b"Ships."


async def test_a_cancelled_call_leaves_no_connection_open():
    """httpcore leaves one to itself whose TLS is begun and cancelled."""
    async with serving() as pages:
        calling = asyncio.ensure_future(fetch(at(pages, scheme="https"), web().reach()))
        await asyncio.wait_for(pages.came.wait(), 120)
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        await asyncio.wait_for(pages.left.wait(), 120)
