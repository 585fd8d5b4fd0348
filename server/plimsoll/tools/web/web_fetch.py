"""``web_fetch``: a page of the web, after a person has seen its whole address.

Law: what a page says is data. Its host is asked about, since an address can carry out what stands
in it; "for this session" covers one site, and a redirect that leaves the site is not followed.
"""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from plimsoll.context.log.counts import Counts
from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.text.lines import lines_of
from plimsoll.tools.arguments import check_arguments
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import Intent, Outcome
from plimsoll.tools.ports.tool import Arguments
from plimsoll.tools.web.access import Web
from plimsoll.tools.web.address import LONGEST, WebAddress, web_address

if TYPE_CHECKING:
    from plimsoll.tools.web.requesting import WebAnswer


@dataclass(frozen=True, slots=True)
class FetchPlan:
    """The page to fetch."""

    address: WebAddress
    whole: bool


class WebFetch:
    """Fetches a page of the web."""

    schema: ToolSchema = ToolSchema(
        "web_fetch",
        "Fetch a web page by its http(s) address: HTML as Markdown, PDF as text, other texts as "
        "they are. The user approves each site. A redirect to another site is only named.",
        {
            "type": "object",
            "properties": {
                "url": {"type": "string", "minLength": 1, "maxLength": LONGEST},
                "whole": {
                    "type": "boolean",
                    "description": "All of the page with its menus, not its main text alone.",
                },
            },
            "required": ["url"],
        },
    )
    traits: ToolTraits = ToolTraits(kind="fetch", verb="Fetch", subject="url", weight=55)
    reading: bool = True

    def __init__(self, web: Web) -> None:
        self._web = web

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[FetchPlan]:
        """Show the whole address; a person is asked, once a session for each site."""
        del context
        given = check_arguments(self.schema, arguments)
        address = web_address(str(given["url"]))
        return Intent(
            title=f"Fetch {address.shown}",
            ask=True,
            approval=f"web_fetch:{address.site}",
            covers=f"all pages of {address.site}",
            address=address.shown,
            plan=FetchPlan(address, given.get("whole") is True),
        )

    async def run(self, intent: Intent[FetchPlan], context: CallContext) -> Outcome:
        """Fetch the page and read its text."""
        # Loaded late: a start does without TLS and what reads documents.
        from plimsoll.tools.web.fetching import fetch
        from plimsoll.tools.web.page_text import page_text

        plan = intent.plan
        answer = await fetch(plan.address, self._web.reach())
        text = await asyncio.to_thread(page_text, answer, context.confining, whole=plan.whole)
        return Outcome(
            text=f"[{_source(answer)}]\n{text.rstrip()}",
            counts=Counts(lines=len(list(lines_of(text))), more=answer.cut),
        )


def _source(answer: "WebAnswer") -> str:
    kind = answer.media_type or "no type"
    return f"from {answer.address.shown}: {kind}, {len(answer.body):,} bytes"
