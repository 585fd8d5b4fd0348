"""MCP servers in a session: one bounded line for each in every request, and what it costs.

A line has what is known of a server from when it was last asked, its words cut and cleaned. One
that has changed enters at the tail, or in the head when the provider's cache is cold (law 5).
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from plimsoll.context.log.entries import Entry, Framed, Place, Slot
from plimsoll.context.log.messages import clean
from plimsoll.context.view.frames import TOOL_PREFIX
from plimsoll.session.layers.framing import changed_frames
from plimsoll.session.layers.instructions import INVISIBLE
from plimsoll.session.ports.entries import new_frame
from plimsoll.session.ports.environment import Environment
from plimsoll.session.ports.model import Model
from plimsoll.session.state.session_state import SessionState
from plimsoll.text.wording import plural
from plimsoll.tools.ports.mcp import CALL_TOOL, McpOffer, State, enabled_offers, enabled_tools

FAMILY = "mcp."
"""The beginning of the slot of each line."""
OFFERED = f"{TOOL_PREFIX}{CALL_TOOL}"
"""The slot of the tool's schema; a small window is not offered it, and told of no server."""
FIND = f"{TOOL_PREFIX}find_tools"
MOST_TOKENS, SHARE = 700, 50
"""All lines together take at most so many tokens, and this part of the effective window."""
_LONGEST = 320
"""Characters of what a line says of a server beside its name."""
_NOT_PLAIN = re.compile(r"[\[\]\s]+")
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerShown:
    """A server, for people."""

    name: str
    state: State
    tools: int
    tools_off: tuple[str, ...]
    """The tools that are switched off, by the names that the server gives them."""
    prompts: int
    resources: int
    tokens: int
    """Of its line in each request; 0 when it is off or not listed."""
    asked: bool
    """Whether it has said what it offers, now or earlier."""
    error: str | None = None
    remedy: str | None = None


def opening_servers(
    first: Iterable[Entry], environment: Environment, model: Model
) -> tuple[Framed, ...]:
    """Return the frames that name the servers in a new session; ``first``: its other entries."""
    if not any(isinstance(entry, Framed) and entry.slot == OFFERED for entry in first):
        return ()
    texts = _texts(enabled_offers(environment.outside.mcp), model)
    return tuple(_frame(slot, text, environment, "head") for slot, text in texts.items())


def changed_servers(state: SessionState) -> tuple[Framed, ...]:
    """Return the frames to append so that the view names the present servers."""
    frames, environment = state.log.fold.frames, state.environment
    offers = enabled_offers(environment.outside.mcp)
    listed = {slot for slot, frame in frames.items() if _is_line(slot) and frame.text is not None}
    if not offers and not listed:
        return ()
    tools = _missing_tools(state)
    held = frames.get(OFFERED)
    offered = bool(tools) or (held is not None and held.text is not None)
    texts = _texts(offers, state.model) if offered else {}
    place: Place = "head" if state.load.cache_expired else "tail"
    fresh: list[Framed] = []
    for slot in sorted({*texts, *listed}):
        before, text = frames.get(slot), texts.get(slot)
        now = None if text is None else environment.redact(clean(text))
        if (before.text if before else None) != now:
            # What comes back after it was taken out stands where its older version would show.
            back = before is not None and before.text is None
            fresh.append(_frame(slot, text, environment, "head" if back else place))
    return (*tools, *fresh)


def _missing_tools(state: SessionState) -> tuple[Framed, ...]:
    """Return the frames of the tools for servers, where the first server came in the meantime."""
    frames, tools = state.log.fold.frames, state.environment.tools
    # A session in the slim profile has not been offered even the tool that every other one has.
    if OFFERED in frames or f"{TOOL_PREFIX}tasks" not in frames:
        return ()
    there = [tools[name].schema for name in ("find_tools", CALL_TOOL) if name in tools]
    return changed_frames(frames, there, state.clock)


def shown_servers(state: SessionState) -> tuple[ServerShown, ...]:
    """List the servers that are set up, each with its tokens in a request."""
    frames, ledger = state.log.fold.frames, state.model.ledger
    return tuple(
        ServerShown(
            name=offer.server.name,
            state="off" if not offer.server.enabled else offer.state,
            tools=len(enabled_tools([offer])),
            tools_off=tuple(tool.name for tool in offer.tools if not tool.enabled),
            prompts=len(offer.prompts),
            resources=len(offer.resources),
            tokens=_tokens(frames.get(f"{FAMILY}{offer.server.name}"), ledger.frame),
            asked=offer.since is not None,
            error=None if offer.error is None else state.redact(offer.error),
            remedy=offer.remedy,
        )
        for offer in state.environment.outside.mcp.offers()
    )


def _is_line(slot: str) -> bool:
    return slot.startswith(FAMILY)


def _tokens(frame: Framed | None, count: Callable[[str, Slot], int]) -> int:
    return 0 if frame is None or frame.text is None else count(frame.text, frame.kind)


def _texts(offers: Sequence[McpOffer], model: Model) -> dict[str, str]:
    """Write the line of each server, by its slot, all within their share."""
    most = min(MOST_TOKENS, model.budget.effective // SHARE)
    count = model.ledger.bare

    def write(longest: int) -> dict[str, str]:
        return {f"{FAMILY}{each.server.name}": _line(each, longest) for each in offers}

    def fits(longest: int) -> bool:
        return sum(map(count, write(longest).values())) <= most

    longest = _LONGEST
    while longest and not fits(longest):
        longest = longest * 3 // 4 if longest > 20 else 0
    return write(longest)


def _line(offer: McpOffer, longest: int) -> str:
    tools = enabled_tools([offer])
    known = f", {plural(len(tools), 'tool')}" if offer.since is not None else ""
    about = _cut(_about(offer), longest)
    return f"[MCP server {offer.server.name}{known}{': ' if about else ''}{about}]"


def _about(offer: McpOffer) -> str:
    """Say what a server is for: in its own words, and by the names of tools."""
    words = _NOT_PLAIN.sub(" ", INVISIBLE.sub("", offer.instructions)).strip()
    words = "".join(each for each in words.replace('"', "'") if each.isprintable())
    plain = (tool.name for tool in enabled_tools([offer]) if _PLAIN_NAME.fullmatch(tool.name))
    names = " ".join(plain)
    said = f'it says "{_cut(words, _LONGEST // 2)}"' if words else ""
    return "; ".join(filter(None, (said, names)))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most].rstrip()}…" if most else ""


def _frame(slot: str, text: str | None, environment: Environment, place: Place) -> Framed:
    return new_frame(environment.clock, slot, Slot.INSTRUCTIONS, text, place=place)
