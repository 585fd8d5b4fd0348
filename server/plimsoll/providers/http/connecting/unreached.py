"""Errors for requests that could not be sent, or whose answer never began."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

import httpx

from plimsoll.errors import ProviderError, ProviderUnavailable
from plimsoll.network.proxies import ProxyAddress
from plimsoll.providers.http.connecting.certificates import untrusted_error
from plimsoll.providers.http.connecting.connections import (
    Unconnected,
    no_connection,
    no_tls,
    why_no_connection,
)
from plimsoll.providers.http.connecting.proxy_faults import (
    NEEDED,
    add_proxy,
    name_proxy,
    proxy_cut,
    proxy_refused,
    proxy_silent,
    proxy_unreachable,
    socks_refused,
)
from plimsoll.providers.http.connecting.steps import Steps, stage_of, stuck_in_tls
from plimsoll.providers.http.site import Site

HEAD = "http11.receive_response_headers.complete"
"""httpx's name of the step that brings status and headers."""


@dataclass(frozen=True, slots=True)
class Unreached:
    """The error for a request that did not reach its server, and when to try it again."""

    error: ProviderError
    again: Literal["never", "connect", "broken", "starting"] = "never"
    """``starting``: no process listens on this machine yet."""


def translate_fault(
    error: httpx.HTTPError | httpx.InvalidURL, site: Site, steps: Steps, seconds: float
) -> Unreached:
    """Translate an error of httpx; ``seconds``: the time limit for a connection."""
    found = _at_proxy(error, site, steps, seconds)
    if found is not None:
        return found
    direct = _at_server(error, site, steps, seconds)
    return Unreached(add_proxy(direct.error, site), direct.again)


def refused_by_proxy(status: int, headers: httpx.Headers, site: Site) -> ProviderUnavailable | None:
    """Build the error for an answer that is a proxy's own; None if it is the server's."""
    if site.via is None or status != NEEDED:
        return None
    return proxy_refused(site.via, status, site, headers.get_list("proxy-authenticate"))


def _at_proxy(
    error: httpx.HTTPError | httpx.InvalidURL, site: Site, steps: Steps, seconds: float
) -> Unreached | None:
    """Translate a failure at the proxy; None if the request failed behind the proxy."""
    via = site.via
    if via is None or not isinstance(error, httpx.TransportError):
        return None
    if isinstance(error, httpx.ProxyError):
        return _refused_by_proxy(error, site, via, steps)
    stage = stage_of(steps, via, https=site.url.startswith("https:"))
    if stage == "server":
        return None
    if stage == "proxy":
        late = isinstance(error, httpx.ConnectTimeout)
        why = f"no answer in {seconds:g} s" if late else why_no_connection(error).why
        return Unreached(proxy_unreachable(via, why, site), "connect")
    if stage == "proxyTls":
        bad = why_no_connection(error).untrusted
        plain = proxy_unreachable(via, "it does not speak TLS as expected", site)
        return Unreached(plain if bad is None else untrusted_error(bad, name_proxy(via), site))
    if isinstance(error, httpx.TimeoutException):
        return Unreached(proxy_silent(via, seconds, site), "connect")
    return Unreached(proxy_cut(via, site), "broken")


def _refused_by_proxy(
    error: httpx.ProxyError, site: Site, via: ProxyAddress, steps: Steps
) -> Unreached:
    if via.is_socks:
        return Unreached(socks_refused(via, str(error), site))
    answer = cast("tuple[Any, ...]", steps.get(HEAD, _NOTHING).get("return_value") or ())
    status = int(answer[1]) if len(answer) > 3 else 0
    headers = httpx.Headers(answer[3]) if len(answer) > 3 else httpx.Headers()
    told = proxy_refused(via, status, site, headers.get_list("proxy-authenticate"))
    return Unreached(told, "connect" if status >= 500 else "never")


_NOTHING: Mapping[str, object] = {}


def _at_server(
    error: httpx.HTTPError | httpx.InvalidURL, site: Site, steps: Steps, seconds: float
) -> Unreached:
    if isinstance(error, httpx.ConnectTimeout | httpx.ConnectError) and stuck_in_tls(steps):
        bad = why_no_connection(error).untrusted
        return Unreached(no_tls(site) if bad is None else untrusted_error(bad, site.shown, site))
    if isinstance(error, httpx.ConnectTimeout):
        late = Unconnected(f"no answer in {seconds:g} s")
        return Unreached(no_connection(late, site), "connect")
    if isinstance(error, httpx.ConnectError):
        found = why_no_connection(error)
        starting = found.starting and site.is_loopback
        return Unreached(no_connection(found, site), "starting" if starting else "connect")
    if isinstance(error, httpx.TransportError) and not isinstance(
        error, httpx.UnsupportedProtocol | httpx.LocalProtocolError
    ):
        return Unreached(no_connection(Unconnected("the connection broke"), site), "broken")
    # The library's text may quote a header, so only the name of the fault is shown.
    return Unreached(no_connection(Unconnected(type(error).__name__), site))
