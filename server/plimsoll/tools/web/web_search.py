"""``web_search``: asks the search service that the person has set up."""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.errors import ToolFailed
from plimsoll.network.exemptions import is_this_machine
from plimsoll.tools.arguments import check_arguments
from plimsoll.tools.display import visible, whole_line
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import Intent, Outcome
from plimsoll.tools.ports.tool import Arguments
from plimsoll.tools.web.access import Web
from plimsoll.tools.web.address import web_address

if TYPE_CHECKING:
    from plimsoll.tools.web.search_services import Hit

DEFAULT_LIMIT = 8
MOST = 20
LONGEST_QUERY = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSearchPlan:
    """The search to make, and the service that was shown."""

    query: str
    limit: int
    url: str


class WebSearch:
    """Searches the web."""

    schema: ToolSchema = ToolSchema(
        "web_search",
        "Search the web. Gives titles, addresses and excerpts; web_fetch reads a page.",
        {
            "type": "object",
            "properties": {
                "query": {"type": "string", "minLength": 1, "maxLength": LONGEST_QUERY},
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": MOST,
                    "description": f"Default {DEFAULT_LIMIT}.",
                },
            },
            "required": ["query"],
        },
    )
    traits: ToolTraits = ToolTraits(
        kind="fetch", verb="Search the web for", subject="query", weight=40
    )
    reading: bool = True

    def __init__(self, web: Web) -> None:
        self._web = web

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[WebSearchPlan]:
        """Show the query and who gets it; a person is asked, once a session."""
        del context
        given = check_arguments(self.schema, arguments)
        limit = given.get("limit", DEFAULT_LIMIT)
        assert isinstance(limit, int)
        url = self._web.rules().search_url
        if url is None:
            raise ToolFailed("No search service is set up any more.")
        query, site = str(given["query"]), web_address(url).site
        return Intent(
            title=f"Search the web for {whole_line(query)}",
            ask=True,
            approval=f"web_search:{site}",
            covers=f"all searches at {site}",
            address=f"{visible(query)}\nat {site}",
            plan=WebSearchPlan(query=query, limit=limit, url=url),
        )

    async def run(self, intent: Intent[WebSearchPlan], context: CallContext) -> Outcome:
        """Ask the service and list what it found."""
        # Loaded late: a start does without TLS.
        from plimsoll.tools.web.requesting import SECONDS, request
        from plimsoll.tools.web.search_services import read_hits, service_at

        del context
        plan, rules = intent.plan, self._web.rules()
        if rules.search_url != plan.url:
            raise ToolFailed("The search service was changed meanwhile; nothing was asked.")
        service = service_at(plan.url)
        wanted = service.request(plan.url, rules.search_key, plan.query, plan.limit)
        place = wanted.address
        if rules.search_key and place.scheme == "http" and not is_this_machine(place.host):
            raise ToolFailed(f"The key of {place.site} is not sent over plain http.")
        deadline = asyncio.get_running_loop().time() + SECONDS
        reach = self._web.reach(place.host)
        answer = await request(wanted, reach, deadline=deadline)
        if answer.status != 200:
            raise ToolFailed(f"{answer.address.site} answered {answer.status}.")
        hits = read_hits(service, answer.body, plan.limit)
        return Outcome(text=_listed(hits, answer.address.site))


def _listed(hits: "tuple[Hit, ...]", site: str) -> str:
    rows = [
        "\n".join(filter(None, (f"{number}. {hit.title or hit.url}", hit.url, hit.excerpt)))
        for number, hit in enumerate(hits, start=1)
    ]
    return "\n\n".join([f"[from {site}]", *(rows or ["Nothing was found."])])
