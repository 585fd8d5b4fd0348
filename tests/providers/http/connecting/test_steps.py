"""How far a request has come: what is sent to a proxy for a tunnel is not the request."""

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
