"""How far a request has come: what is sent to a proxy for a tunnel is not the request."""

import asyncio

import httpx
import pytest

from plimsoll.network.proxies import ProxyAddress
from plimsoll.providers.http.connecting.steps import ConnectionTrace
from plimsoll.providers.http.site import Site

PROXY = ProxyAddress(scheme="http", host="proxy", port=8080)
CONNECTING = ("connection.connect_tcp.started", "connection.connect_tcp.complete")
SENDING = "http11.send_request_headers.started"


def securing(who: str) -> tuple[str, str]:
    return f"{who}.start_tls.started", f"{who}.start_tls.complete"


@pytest.mark.parametrize(
    ("url", "via", "events"),
    [
        ("https://host/v1", PROXY, (*CONNECTING, SENDING, *securing("proxy"), SENDING)),
        ("http://host/v1", PROXY, (*CONNECTING, SENDING)),
        ("https://host/v1", None, (*CONNECTING, *securing("connection"), SENDING)),
    ],
    ids=["by a tunnel", "by a proxy", "directly"],
)
async def test_the_first_token_is_waited_for_once_the_request_itself_is_sent(url, via, events):
    entered: list[str] = []
    trace = ConnectionTrace(Site(url=url, model="m", key_env="KEY", via=via), 60, entered.append)

    async with trace.sending():
        for event in events[:-1]:
            await trace(event, {})
        assert entered == ["connecting"]
        await trace(events[-1], {})

    assert entered == ["connecting", "firstToken"]


async def on_the_way(seconds: float, url: str, *events: str) -> None:
    """Come to these events, and let what is due happen."""
    trace = ConnectionTrace(Site(url=url, model="m", key_env="KEY", via=PROXY), seconds, str)
    async with trace.sending():
        for event in events:
            await trace(event, {})
        for _ in range(3):
            await asyncio.sleep(0)


async def test_a_proxy_that_opens_no_tunnel_in_time_is_given_up():
    with pytest.raises(httpx.ReadTimeout):
        await on_the_way(0, "https://host/v1", *CONNECTING)
    await on_the_way(60, "https://host/v1", *CONNECTING)


@pytest.mark.parametrize(
    ("url", "events"),
    [
        ("https://host/v1", (*CONNECTING, *securing("proxy"))),
        ("https://host/v1", (*CONNECTING, *securing("socks"))),
        ("https://host/v1", CONNECTING[:1]),
        ("http://host/v1", CONNECTING),
    ],
    ids=["a tunnel that is open", "one of SOCKS", "no proxy yet", "no tunnel"],
)
async def test_only_a_tunnel_has_to_be_opened_in_time(url: str, events: tuple[str, ...]):
    await on_the_way(0, url, *events)


class Stream:
    closed = False

    async def aclose(self) -> None:
        self.closed = True


@pytest.mark.parametrize(
    ("events", "closed"),
    [
        ((), False),
        (securing("connection"), False),
        (securing("connection")[:1], True),
        (securing("proxy")[:1], True),
        (securing("socks")[:1], True),
    ],
)
async def test_a_connection_is_closed_whose_handshake_was_broken_off(
    events: tuple[str, ...], closed: bool
):
    stream = Stream()
    trace = ConnectionTrace(Site(url="https://host/v1", model="m", key_env="KEY"), 60, str)
    async with trace.sending():
        await trace(CONNECTING[1], {"return_value": stream})
        for event in events:
            await trace(event, {})
    assert stream.closed is closed
