"""Fetches a page: follows redirects within its site, and refuses those that lead elsewhere."""

import asyncio
from http import HTTPStatus

from plimsoll.errors import ToolFailed
from plimsoll.network.checked import Reach
from plimsoll.tools.web.address import WebAddress, is_same_site, web_address
from plimsoll.tools.web.requesting import SECONDS, WebAnswer, WebRequest, request

MOST_REDIRECTS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_ACCEPTED = "text/markdown, text/html;q=0.9, text/plain;q=0.9, application/json;q=0.8, */*;q=0.5"


async def fetch(address: WebAddress, reach: Reach) -> WebAnswer:
    """Fetch a page.

    Raises:
        ToolFailed: It was not reached, answered with an error, or leads to another site.
    """
    deadline = asyncio.get_running_loop().time() + SECONDS
    for _ in range(MOST_REDIRECTS + 1):
        wanted = WebRequest(address=address, headers=(("Accept", _ACCEPTED),))
        answer = await request(wanted, reach, deadline=deadline)
        place = answer.headers.get("location", "")
        if answer.status not in _REDIRECTS or not place:
            return _require_success(answer)
        after = web_address(place, address)
        if not is_same_site(address, after):
            raise ToolFailed(
                f"{address.shown} leads to {after.shown}, which is another site: nothing was "
                "fetched from there. Fetch that address if it is needed."
            )
        address = after
    raise ToolFailed(f"{address.site} leads from one address to the next without end.")


def _require_success(answer: WebAnswer) -> WebAnswer:
    if 200 <= answer.status < 300:
        return answer
    known = answer.status in HTTPStatus.__members__.values()
    words = f" {HTTPStatus(answer.status).phrase}" if known else ""
    raise ToolFailed(f"{answer.address.shown} answered {answer.status}{words}.")
