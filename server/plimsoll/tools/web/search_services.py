"""The search services: how each is asked, and how its answer is read. Pure.

Which one it is the form of the address says: that of Brave, that of Tavily, else a SearXNG.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlencode, urlsplit

from plimsoll.errors import ToolFailed
from plimsoll.tools.web.address import WebAddress, web_address
from plimsoll.tools.web.requesting import WebRequest

Rows = Sequence[Mapping[str, object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A page that a search found."""

    title: str
    url: str
    excerpt: str


@dataclass(frozen=True, slots=True)
class SearchService:
    """A kind of search service."""

    request: Callable[[str, str, str, int], WebRequest]
    """Makes the request of an address, a key, a query and a number of results."""
    rows: tuple[str, ...]
    """Where in the answer the results are, from the outermost name in."""
    excerpt: str
    """The name of the excerpt in a result."""


def service_at(url: str) -> SearchService:
    """Return the kind of the service at an address."""
    host = (urlsplit(url).hostname or "").lower()
    if host == "api.search.brave.com":
        return BRAVE
    return TAVILY if host == "api.tavily.com" else SEARXNG


def read_hits(service: SearchService, body: bytes, limit: int) -> tuple[Hit, ...]:
    """Read the results in an answer; raises ToolFailed where it is no answer of the service."""
    try:
        found: Any = json.loads(body)
        for name in service.rows:
            found = cast("dict[str, Any]", found).get(name, {}) if isinstance(found, dict) else None
    except (ValueError, RecursionError) as error:
        raise _no_answer() from error
    if found == {}:
        return ()
    if not isinstance(found, list):
        raise _no_answer()
    return tuple(_hits(cast("list[object]", found), service))[:limit]


def _hits(rows: Sequence[object], service: SearchService) -> Iterator[Hit]:
    for row in rows:
        if not isinstance(row, dict):
            continue
        one = cast("Mapping[str, object]", row)
        title, url, excerpt = (str(one.get(n) or "") for n in ("title", "url", service.excerpt))
        if url:
            yield Hit(title=_line(title), url=_line(url), excerpt=_line(excerpt))


def _line(text: str) -> str:
    return " ".join(text.split())


def _no_answer() -> ToolFailed:
    return ToolFailed(
        "The search service gave no answer that is understood. A SearXNG has to allow the format "
        "json in its settings."
    )


def _with_query(url: str, **fields: str) -> WebAddress:
    parts = urlsplit(url)
    query = "&".join(filter(None, (parts.query, urlencode(fields))))
    return web_address(parts._replace(query=query, fragment="").geturl())


def _ask_searxng(url: str, key: str, query: str, limit: int) -> WebRequest:
    del limit
    base = (
        url if urlsplit(url).path.rstrip("/").endswith("/search") else f"{url.rstrip('/')}/search"
    )
    told = (("Authorization", f"Bearer {key}"),) if key else ()
    return WebRequest(address=_with_query(base, q=query, format="json"), headers=told)


def _ask_brave(url: str, key: str, query: str, limit: int) -> WebRequest:
    address = _with_query(url, q=query, count=str(limit))
    headers = (("Accept", "application/json"), ("X-Subscription-Token", key))
    return WebRequest(address=address, headers=headers)


def _ask_tavily(url: str, key: str, query: str, limit: int) -> WebRequest:
    headers = (("Content-Type", "application/json"), ("Authorization", f"Bearer {key}"))
    body = json.dumps({"query": query, "max_results": limit}).encode()
    return WebRequest(address=web_address(url), method="POST", headers=headers, body=body)


SEARXNG = SearchService(_ask_searxng, ("results",), "content")
BRAVE = SearchService(_ask_brave, ("web", "results"), "description")
TAVILY = SearchService(_ask_tavily, ("results",), "content")
