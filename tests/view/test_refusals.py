"""Who is not let in: other names, origins, addresses, paths, words and methods."""

import socket
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidStatus

from view.conftest import Shown
from view.tab import Tab, answered, handshake

pytestmark = pytest.mark.slow


def test_it_listens_on_one_address_of_the_loopback(shown: Shown):
    port = urlsplit(shown.address()).port
    named = {str(each[4][0]) for each in socket.getaddrinfo(socket.gethostname(), None)}
    for address in ({"127.0.0.2", "::1"} | named) - {"127.0.0.1"}:
        with pytest.raises(OSError):
            socket.create_connection((address, port), 5).close()


def test_other_names_and_origins_are_refused(shown: Shown):
    own = urlsplit(shown.address()).netloc
    port = own.partition(":")[2]
    host = f"Host: {own}"
    refused = [
        (f"Host: localhost:{port}",),
        (f"Host: evil.example:{port}",),
        (f"Host: 127.0.0.1.nip.io:{port}",),
        ("Host: 127.0.0.1",),
        (),
        (host, "Host: evil.example"),
        (host, "Origin: http://evil.example"),
        (host, f"Origin: http://localhost:{port}"),
        (host, "Origin: null"),
        (host, f"Origin: http://{own}", "Origin: http://evil.example"),
    ]
    assert [answered(own, "/", *headers)[0] for headers in refused] == [403] * len(refused)
    assert answered(own, "/", host)[0] == 200


def test_the_files_of_the_page_are_all_that_is_served(shown: Shown):
    own = urlsplit(shown.address()).netloc
    host = f"Host: {own}"
    others = [
        "/../pages.py",
        "/../../../../../../../../etc/passwd",
        "/%2e%2e/pages.py",
        "/..%2fpages.py",
        "//etc/passwd",
        "/view.js/../../pages.py",
        "/view.js?x",
        "/index.html",
        "/page/",
        "/\\..\\pages.py",
        f"http://{own}/",
        "http://evil.example/",
        "*",
    ]
    assert [answered(own, path, host)[0] for path in others] == [404] * len(others)
    for method in ("POST", "PUT", "OPTIONS", "TRACE"):
        assert answered(own, "/", host, method=method)[0] != 200
    for path in ("/", "/view.js", "/view-style.css", "/icon.svg"):
        status, told = answered(own, path, host)
        head = told.partition("\r\n\r\n")[0]
        assert status == 200
        assert "default-src 'none'; script-src 'self'; style-src 'self'" in head
        assert f"connect-src ws://{own};" in head
        assert "trusted-types 'none'" in head
        assert "unsafe" not in head
        for header in ("nosniff", "X-Frame-Options: DENY", "no-referrer", "no-store"):
            assert header in head


def test_a_socket_needs_a_word_that_is_good_now(shown: Shown, tab):
    void, used = shown.address(), shown.address()
    own = urlsplit(used).netloc
    own_page = (f"Host: {own}", f"Origin: http://{own}")

    def with_word(word: str, *page: str) -> int:
        shows = f"Sec-WebSocket-Protocol: plimsoll-view, {word}"
        return handshake(own, *(page or own_page), shows)[0]

    assert handshake(own, *own_page)[0] == 403
    assert handshake(own, *own_page, "Sec-WebSocket-Protocol: plimsoll-view")[0] == 403
    assert with_word("") == 403
    assert with_word("x" * 32) == 403
    assert with_word(urlsplit(void).fragment) == 403
    token = urlsplit(used).fragment
    assert with_word(token, f"Host: {own}") == 403
    assert with_word(token, f"Host: {own}", "Origin: http://evil.example") == 403
    assert with_word(token, "Host: evil.example", f"Origin: http://{own}") == 403
    # None of them has used the token up.
    first = tab(used)
    assert with_word(token) == 403
    with pytest.raises(InvalidStatus):
        Tab(used)
    again = tab(f"http://{own}/#{first.key()}")
    assert again.key() == first.key()


def test_a_browser_can_ask_for_what_is_about_the_context_of_its_session_alone(shown: Shown, tab):
    page = tab(shown.address())
    for method in (
        *("session/prompt", "session/delete", "session/load", "session/setMode", "model/setKey"),
        *("permission/list", "context/export", "memory/forget", "view/opened", "", "x" * 200),
    ):
        told = page.asks(method, sessionId=shown.session, text="hello", content=[])
        assert "cannot ask for" in told["error"]["message"]
    other = shown.product.new_session()
    told = page.asks("pin/add", sessionId=other, itemId=page.items()[-1]["id"])
    assert "pin" in told["result"]
    pins = {"sessionId": other}
    assert shown.product.call("plimsoll/pin/list", pins)["pins"] == []
    assert shown.product.call("plimsoll/pin/list", {"sessionId": shown.session})["pins"] != []


def test_what_is_no_request_does_no_harm(shown: Shown, tab):
    page = tab(shown.address())
    for text in (
        *("", "{", "null", "[]", "[" * 20_000, '{"id": "x"}', '{"id": 1, "method": 2}'),
        '{"id": 1, "method": "plimsoll/context/evict", "params": []}',
    ):
        page.send(text)
    for params in ({}, {"itemIds": []}, {"itemIds": "a"}, {"itemIds": [1]}):
        assert "wrong" in page.asks("context/evict", **params)["error"]["message"]
    told = page.asks("context/evict", itemIds=["nothing.0"])["error"]
    assert "nothing.0" in told["message"]
