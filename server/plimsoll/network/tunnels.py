"""Asks an HTTP proxy for a tunnel to a host, and reads its answer. Pure."""

import base64

from plimsoll.network.proxies import ProxyAddress


def tunnel_request(proxy: ProxyAddress, host: str, port: int) -> bytes:
    """Return the request by which a proxy is asked for a tunnel, with the person's password."""
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    lines = [f"CONNECT {place} HTTP/1.1", f"Host: {place}"]
    if told := authorization(proxy):
        lines.append(f"Proxy-Authorization: {told}")
    return "\r\n".join([*lines, "", ""]).encode("ascii")


def tunnel_refusal(head: bytes) -> str | None:
    """Return the status by which a proxy refused a tunnel; None if it opened it."""
    status = head.split(b" ", 2)[1:2]
    if status == [b"200"]:
        return None
    return status[0][:3].decode("ascii", "replace") if status else "nothing"


def authorization(proxy: ProxyAddress) -> str | None:
    """Return the header with the person's password for a proxy, or None without one."""
    if not proxy.user and not proxy.password:
        return None
    pair = f"{proxy.user}:{proxy.password}"
    return f"Basic {base64.b64encode(pair.encode()).decode('ascii')}"
