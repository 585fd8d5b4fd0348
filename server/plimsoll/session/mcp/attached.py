"""What a prompt names of MCP servers goes along with it: resources, and descriptions of tools.

Only what a person typed counts: an address or a name in a pasted text is a stranger's. What servers
say stands beside the prompt as an attached text, cut as other attached texts are.
"""

import re
from collections.abc import Iterator, Sequence

from plimsoll.errors import InvalidInput, ToolFailed
from plimsoll.session.layers.mcp import OFFERED
from plimsoll.session.ports.content import (
    Attachable,
    Content,
    Excerpt,
    ImageData,
    PromptText,
)
from plimsoll.session.reduction.ingest import shorten_attached
from plimsoll.session.state.session_state import SessionState
from plimsoll.text.ranking.bm25 import RankedThing, Ranking
from plimsoll.text.speech.pasted import Ranges
from plimsoll.tools.ports.mcp import (
    McpListener,
    McpOffer,
    McpResource,
    McpTool,
    enabled_offers,
    enabled_tools,
    tool_text,
)

MOST_RESOURCES, MOST_TOOLS, MOST_FITTING = 8, 5, 3
MOST_SCHEMAS, SHARE = 8_000, 0.2
"""Characters of the schemas that go along with one prompt: so many, and for a token of the window
so many, which is a twentieth of it."""
FITS = 1.5
"""How well a tool of a named server must fit the other words of a prompt."""
_RESOURCE = re.compile(r"(?:^|(?<=\s))@([A-Za-z0-9][A-Za-z0-9_-]*):([^\s\"<>]+)")
_WORD = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:/-]*")
_QUOTED = re.compile(r"`([^`\s]+)`")
_MARKS = ".,:;!?)"
_SPECIAL = re.compile(r"[a-z][A-Z]|[_.:-]|\d")


async def with_named(state: SessionState, content: Sequence[Content]) -> tuple[Content, ...]:
    """Add to a prompt the resources and tools of servers that it names.

    Raises:
        InvalidInput: A resource cannot be read.
    """
    offers = enabled_offers(state.environment.outside.mcp)
    typed = " ".join(_take_typed(each) for each in content if isinstance(each, PromptText))
    if not offers or not typed:
        return tuple(content)
    found: list[Content] = [*content]
    for server, uri in _named_resources(typed, offers):
        found += await _read(state, server, uri)
    tools = _told_tools(state, _named_tools(typed, offers))
    return (*found, *([tools] if tools else []))


def _take_typed(prompt: PromptText) -> str:
    """Return what a person typed of a prompt, a gap for what they pasted.

    Where nobody says what was pasted, several lines are taken for pasted.
    """
    if prompt.pasted is None:
        return "" if "\n" in prompt.text.strip() else prompt.text
    return "".join(_outside(prompt.text, prompt.pasted))


def _outside(text: str, pasted: Ranges) -> Iterator[str]:
    at = 0
    for start, end in pasted:
        yield f"{text[at:start]}\n"
        at = end
    yield text[at:]


def _named_resources(typed: str, offers: Sequence[McpOffer]) -> list[tuple[str, str]]:
    """Return server and address of each resource behind an @: its address, or its name."""
    known = {offer.server.name: offer for offer in offers}
    found: dict[tuple[str, str], None] = {}
    for match in _RESOURCE.finditer(typed):
        server, named = match[1], match[2].rstrip(_MARKS)
        if server not in known:
            continue
        addresses = {
            each.name: each.uri for each in known[server].resources if not each.is_template
        }
        uri = addresses.get(named, named)
        if ":" in uri or uri in addresses.values():
            found[server, uri] = None
    return list(found)[:MOST_RESOURCES]


def can_be_named(resource: McpResource) -> bool:
    """Tell whether a prompt can name a resource by its address, as it is written behind an @."""
    match = _RESOURCE.fullmatch(f"@{resource.server}:{resource.uri}")
    return not resource.is_template and match is not None and match[2][-1] not in _MARKS


async def _read(state: SessionState, server: str, uri: str) -> list[Attachable]:
    name = f"@{server}:{uri}"
    if not state.files.trusted():
        raise InvalidInput(
            f"{name}: no MCP server is started in a folder that is not trusted.",
            remedy="Trust the folder first, or leave it out.",
        )
    try:
        answer = await state.environment.outside.mcp.read(server, uri, McpListener())
    except ToolFailed as error:
        raise InvalidInput(f"{name} was not attached: {error.message}") from error
    sees = state.model.sees_images is True
    images = [ImageData(each.mime_type, each.data) for each in answer.images if sees]
    text = answer.text or ("(an image)" if answer.images else "(nothing)")
    return [Excerpt(name, shorten_attached(text, state.load.next_request)), *images]


def _named_tools(typed: str, offers: Sequence[McpOffer]) -> list[McpTool]:
    """Return the tools that a prompt names, then those of a named server that fit its words."""
    said = {word.strip(_MARKS) for word in _WORD.findall(typed)}
    quoted = set(_QUOTED.findall(typed))
    folded = {word.casefold() for word in said}
    servers = [offer for offer in offers if offer.server.name.casefold() in folded]
    named = [
        tool
        for tool in enabled_tools(offers)
        if not said.isdisjoint({tool.called, f"{tool.server}:{tool.name}"})
        or (tool.name in said and _is_meant(tool, quoted, servers))
    ]
    for offer in servers:
        named += [tool for tool in _fitting(typed, offer) if tool not in named]
    return named[:MOST_TOOLS]


def _is_meant(tool: McpTool, quoted: set[str], servers: Sequence[McpOffer]) -> bool:
    """Tell whether a word that is a tool's name means the tool: ``search`` alone is a word."""
    is_of_named = any(offer.server.name == tool.server for offer in servers)
    return bool(_SPECIAL.search(tool.name)) or tool.name in quoted or is_of_named


def _fitting(typed: str, offer: McpOffer) -> list[McpTool]:
    """Return the tools of a server that fit the words of a prompt beside the server's name."""
    name = re.compile(rf"\b{re.escape(offer.server.name)}\b", re.IGNORECASE)
    tools = enabled_tools([offer])
    things = [RankedThing(t.name, ((t.name, 3.0), (t.description, 1.0))) for t in tools]
    scores = Ranking(things).scores(name.sub(" ", typed))
    best = sorted(scores, key=lambda place: -scores[place])
    return [tools[place] for place in best if scores[place] >= FITS][:MOST_FITTING]


def _told_tools(state: SessionState, tools: Sequence[McpTool]) -> Excerpt | None:
    """Describe tools for the model, as far as they do not stand in view already."""
    offered = state.log.fold.frames.get(OFFERED)
    if not tools or offered is None or offered.text is None or state.mode == "ask":
        return None
    most = min(MOST_SCHEMAS, SHARE * state.model.budget.effective)
    in_view = [item.part.text for item in state.log.fold.view.items()]
    texts = {tool.called: tool_text(tool) for tool in tools}
    fresh = {name: text for name, text in texts.items() if not any(text in it for it in in_view)}
    lines: list[str] = []
    for text in fresh.values():
        if not lines or sum(map(len, lines)) + len(text) <= most:
            lines.append(text)
    names = ", ".join([name for name, text in fresh.items() if text in lines])
    return Excerpt(f"MCP tools that this names: {names}", "\n".join(lines)) if lines else None
