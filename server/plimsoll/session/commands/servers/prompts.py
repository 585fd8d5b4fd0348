"""Prompts of MCP servers as commands, ``/SERVER:PROMPT``: a person sees one before they send it."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from plimsoll.errors import InvalidInput, ToolFailed
from plimsoll.session.commands.custom.expanding import expand
from plimsoll.session.commands.custom.named import ExpandedCommand
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.environment import Environment
from plimsoll.text.speech.pasted import whole
from plimsoll.tools.ports.mcp import McpListener, McpOffer, McpPrompt, enabled_offers

IMAGES = "It has images, which are left out."


def names_server(name: str, environment: Environment) -> bool:
    """Tell whether a command's name begins with that of a server that may be used."""
    server, colon, _ = name.partition(":")
    offers = enabled_offers(environment.outside.mcp)
    return bool(colon) and any(offer.server.name == server for offer in offers)


@dataclass(frozen=True, slots=True)
class NamedPrompt:
    """A prompt of a server as a command."""

    name: str
    usage: str
    description: str


def named_prompts(offers: Iterable[McpOffer]) -> tuple[NamedPrompt, ...]:
    """List the prompts that servers had when they were last asked."""
    return tuple(
        NamedPrompt(f"{offer.server.name}:{one.name}", " ".join(_usage(one)), one.description)
        for offer in offers
        for one in offer.prompts
    )


async def expand_prompt(name: str, rest: str, environment: Environment) -> ExpandedCommand:
    """Ask a server for its prompt, all of whose words count as pasted.

    Raises:
        InvalidInput: There is none of this name, or an argument is missing.
    """
    prompt = await _find_prompt(name, environment)
    arguments = _arguments(name, prompt, rest)
    try:
        answer = await environment.outside.mcp.prompt(prompt, arguments, McpListener())
    except ToolFailed as error:
        raise InvalidInput(f"`/{name}`: {error.message}") from error
    text = expand(answer.text, "").text
    if not text.strip():
        raise InvalidInput(f"`/{name}`: the server's prompt is empty.")
    return ExpandedCommand(name, PromptText(text, whole(text)), (IMAGES,) if answer.images else ())


async def _find_prompt(name: str, environment: Environment) -> McpPrompt:
    server, _, wanted = name.partition(":")
    if not environment.trusted():
        raise InvalidInput(
            f"`/{name}`: no MCP server is started in a folder that is not trusted.",
            remedy="Trust the folder first.",
        )
    offer = _offer(server, environment)
    if _prompt(offer, wanted) is None:
        # What it offered when it was last asked may be long ago.
        await environment.outside.mcp.start([server])
        offer = _offer(server, environment)
    found = _prompt(offer, wanted)
    if found is None:
        names = ", ".join(f"`/{server}:{one.name}`" for one in offer.prompts) if offer else ""
        why = offer.error if offer and offer.error else f"It has: {names or 'none'}."
        raise InvalidInput(f"The MCP server {server} has no prompt {wanted[:80]!r}. {why}")
    return found


def _offer(server: str, environment: Environment) -> McpOffer | None:
    offers = enabled_offers(environment.outside.mcp)
    return next((offer for offer in offers if offer.server.name == server), None)


def _prompt(offer: McpOffer | None, name: str) -> McpPrompt | None:
    return next((one for one in offer.prompts if one.name == name), None) if offer else None


def _arguments(name: str, prompt: McpPrompt, rest: str) -> Mapping[str, str]:
    """Read ``name=value`` words, and others in the order of the prompt's arguments."""
    known = [each.name for each in prompt.arguments]
    given: dict[str, str] = {}
    plain: list[str] = []
    for word in _words(rest):
        key, equals, value = word.partition("=")
        if equals and key in known:
            given[key] = value
        else:
            plain.append(word)
    left = [each for each in known if each not in given]
    if len(left) == 1 and plain:
        plain = [" ".join(plain)]
    given |= dict(zip(left, plain, strict=False))
    missing = [each.name for each in prompt.arguments if each.required and not given.get(each.name)]
    if missing:
        usage = " ".join(_usage(prompt))
        raise InvalidInput(
            f"`/{name}` needs {', '.join(missing)}.", remedy=f"Write /{name} {usage}."
        )
    return given


def _usage(prompt: McpPrompt) -> Sequence[str]:
    return [f"{each.name}=…" if each.required else f"[{each.name}=…]" for each in prompt.arguments]


def _words(rest: str) -> list[str]:
    try:
        return shlex.split(rest)
    except ValueError:
        # A quote that nobody closed: an apostrophe, mostly.
        return rest.split()
