"""Tools of servers that nobody here wrote, as these servers list them, and tools that are made up.

The names, the beginnings of the descriptions and the arguments' names of thirteen servers from PyPI
and npm, as of November 2026.
"""

import json
from pathlib import Path

from plimsoll.tools.ports.mcp import McpOffer, McpTool
from tools.mcp.memory_host import a_tool, an_offer

HERE = Path(__file__).parent
QUESTIONS: list[tuple[str, str]] = [
    (str(name), str(question))
    for name, question in json.loads((HERE / "questions.json").read_text("utf-8"))
]
"""``server:tool``, and what somebody who wants it asks for."""
_VERBS = "create list get update delete search export import sync archive"
_NOUNS = (
    "invoice customer order ticket deployment pipeline secret queue bucket table metric alert "
    "dashboard schedule report budget asset contract shipment payment lead campaign survey webhook "
    "certificate domain zone cluster volume snapshot role policy team project milestone label "
    "comment attachment document folder channel message license tenant quota region backup job "
    "worker event session device sensor route gateway firewall subnet image registry package "
    "release branch review approval exception incident runbook oncall rotation vendor warehouse "
    "product price discount coupon cart refund tax ledger journal statement account transfer "
    "mandate portfolio"
)


def real_servers() -> list[McpOffer]:
    """The thirteen servers."""
    told = json.loads((HERE / "real_tools.json").read_text("utf-8"))
    return [
        an_offer(
            *(_tool(name, *about) for about in each["tools"]),
            server=name,
            instructions=each["instructions"],
        )
        for name, each in told.items()
    ]


def made_up_servers(number: int) -> list[McpOffer]:
    """Servers with so many tools together, ten of which are about one thing."""
    every = [(verb, noun) for noun in _NOUNS.split() for verb in _VERBS.split()][:number]
    tools: dict[str, list[McpTool]] = {}
    for place, (verb, noun) in enumerate(every):
        server = f"erp{place // 10 % 8}"
        said = f"{verb.capitalize()}s {noun}s of the account, with filters and paging."
        made = a_tool(f"{verb}_{noun}s", said, server, limit={"type": "integer"})
        tools.setdefault(server, []).append(made)
    return [an_offer(*some, server=server) for server, some in tools.items()]


def tools_of(offers: list[McpOffer]) -> list[McpTool]:
    return [tool for offer in offers for tool in offer.tools]


def _tool(server: str, name: str, description: str, arguments: list[str]) -> McpTool:
    # Passed on as they are: an argument may be called like a parameter of ours.
    made = a_tool(name, description, server)
    properties = {argument: {"type": "string"} for argument in arguments}
    return McpTool(
        server=server,
        name=name,
        called=made.called,
        description=description,
        parameters={"type": "object", "properties": properties},
        fingerprint=made.fingerprint,
    )
