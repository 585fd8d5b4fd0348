"""Which fault of a connection is tried again, and who is blamed: the proxy, TLS or the server."""

import socket
import ssl

import httpx
import pytest

from plimsoll.network.proxies import ProxyAddress
from plimsoll.providers.http.connecting.steps import Steps
from plimsoll.providers.http.connecting.unreached import refused_by_proxy, translate_fault
from plimsoll.providers.http.site import Site

DIALLED = ("connection.connect_tcp.started",)
CONNECTED = (*DIALLED, "connection.connect_tcp.complete")
SECURING = (*CONNECTED, "connection.start_tls.started")
BEHIND = (*CONNECTED, "proxy.start_tls.started")
PROXY = ProxyAddress(scheme="http", host="proxy", port=3128)
SECURE = ProxyAddress(scheme="https", host="proxy", port=3128)
SOCKS = ProxyAddress(scheme="socks5", host="proxy", port=1080)
LATE, REFUSED = httpx.ConnectTimeout(""), httpx.ConnectError("")
BROKEN, SLOW = httpx.RemoteProtocolError(""), httpx.ReadTimeout("")


def caused(by: Exception) -> httpx.ConnectError:
    error = httpx.ConnectError("")
    error.__cause__ = by
    return error


UNKNOWN, NO_TLS = caused(socket.gaierror()), caused(ssl.SSLError())


def steps(*events: str) -> Steps:
    return {event: {} for event in events}


def site(via: ProxyAddress | None = None, url: str = "https://api.example/v1") -> Site:
    return Site(url=url, model="m", key_env="KEY", via=via)


@pytest.mark.parametrize(
    ("error", "via", "events", "again", "told"),
    [
        (LATE, None, DIALLED, "connect", "api.example/v1 for model 'm': no answer in 7 s."),
        (UNKNOWN, None, DIALLED, "connect", "the host name is unknown."),
        (REFUSED, None, DIALLED, "connect", "nobody listens there."),
        (BROKEN, None, SECURING, "broken", "the connection broke."),
        (NO_TLS, None, SECURING, "never", "does not speak TLS as expected"),
        (LATE, None, SECURING, "never", "does not speak TLS as expected"),
        (httpx.LocalProtocolError(""), None, (), "never", "LocalProtocolError."),
        (httpx.UnsupportedProtocol(""), None, (), "never", "UnsupportedProtocol."),
        (httpx.InvalidURL("secret"), PROXY, (), "never", "InvalidURL. It was asked through the"),
        (LATE, PROXY, DIALLED, "connect", "No connection to the proxy http://proxy:3128 "),
        (LATE, PROXY, DIALLED, "connect", "(network.proxy): no answer in 7 s."),
        (UNKNOWN, PROXY, DIALLED, "connect", "(network.proxy): the host name is unknown."),
        (NO_TLS, SECURE, SECURING, "never", "(network.proxy): it does not speak TLS as expected."),
        (SLOW, PROXY, CONNECTED, "connect", "said nothing in 7 s"),
        (BROKEN, PROXY, CONNECTED, "broken", "cut the connection"),
        (BROKEN, PROXY, BEHIND, "broken", "the connection broke. It was asked through"),
        (httpx.ProxyError("auth"), SOCKS, CONNECTED, "never", "wants a user and a password"),
        (httpx.ProxyError("no"), SOCKS, CONNECTED, "never", "could not reach api.example."),
    ],
)
def test_a_fault_is_told_of_who_failed_and_tried_again_where_that_may_help(
    error: httpx.HTTPError, via: ProxyAddress | None, events: tuple[str, ...], again: str, told: str
):
    found = translate_fault(error, site(via), steps(*events), 7)
    assert found.again == again
    assert told in found.error.message


@pytest.mark.parametrize(
    ("url", "cause", "again"),
    [
        ("http://localhost:11434/v1", None, "starting"),
        ("http://localhost:11434/v1", socket.gaierror(), "connect"),
        ("http://api.example/v1", None, "connect"),
    ],
)
def test_a_server_of_this_machine_where_nobody_listens_may_be_starting(
    url: str, cause: Exception | None, again: str
):
    error = caused(cause) if cause else REFUSED
    assert translate_fault(error, site(url=url), steps(*DIALLED), 7).again == again


@pytest.mark.parametrize(
    ("status", "again"), [(407, "never"), (403, "never"), (499, "never"), (500, "connect")]
)
def test_a_proxy_that_fails_is_asked_again_and_one_that_refuses_is_not(status: int, again: str):
    answer = (b"HTTP/1.1", status, b"", [(b"Proxy-Authenticate", b"NTLM")])
    seen: Steps = {"http11.receive_response_headers.complete": {"return_value": answer}}
    found = translate_fault(httpx.ProxyError(""), site(PROXY), seen, 7)
    told = "wants a login by NTLM alone" if status == 407 else f"(status {status})."
    assert (found.again, told in found.error.message) == (again, True)


def test_a_proxy_that_refuses_without_a_word_lets_nothing_through():
    found = translate_fault(httpx.ProxyError(""), site(PROXY), {}, 7)
    assert (found.again, "does not let requests through" in found.error.message) == ("never", True)


def test_only_a_demand_for_a_login_is_an_answer_of_the_proxy_itself():
    asks = httpx.Headers({"proxy-authenticate": "Negotiate"})
    assert refused_by_proxy(407, asks, site()) is None
    assert refused_by_proxy(401, asks, site(PROXY)) is None
    told = refused_by_proxy(407, asks, site(PROXY))
    assert told is not None
    assert "wants a login by Negotiate alone" in told.message
