"""Finds custom commands by their names, lists them, and makes the prompt of one."""

from collections.abc import Container
from dataclasses import dataclass

from plimsoll.errors import InvalidInput
from plimsoll.session.commands.custom.expanding import expand, remarks_on
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.environment import Environment
from plimsoll.session.ports.written import ListedCustom
from plimsoll.session.state.session_state import SessionState
from plimsoll.tools.ports.written import CustomSource

LEAVING = frozenset({"quit", "exit"})
"""What leaves a chat, so that no custom command has such a name."""
SHADOWS = "has the name of a command of Plimsoll"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandShown:
    """A custom command, for people."""

    name: str
    description: str
    hint: str
    source: CustomSource
    path: str
    tokens: int
    """Of its text, once it is sent; it costs nothing before."""
    enabled: bool
    problem: str | None
    """Why it cannot be used, in words that follow the path."""


@dataclass(frozen=True, slots=True)
class ExpandedCommand:
    """A custom command as the prompt that a person may send."""

    name: str
    prompt: PromptText
    remarks: tuple[str, ...]


async def list_commands(
    environment: Environment, taken: Container[str]
) -> tuple[ListedCustom, ...]:
    """Find the commands whose names are free; ``taken``: the names of Plimsoll's own."""
    listed = await environment.custom.commands()
    return tuple(one for one in listed if not _is_taken(one.file.name, taken))


async def shown_commands(state: SessionState, taken: Container[str]) -> tuple[CommandShown, ...]:
    """List the commands for people, with those that cannot be used."""
    redact, count = state.redact, state.model.ledger.bare
    return tuple(
        CommandShown(
            name=one.file.name,
            description=redact(one.file.description),
            hint=redact(one.file.hint),
            source=one.file.source,
            path=one.file.shown,
            tokens=0 if one.file.problem else count(one.file.text),
            enabled=one.enabled,
            problem=one.file.problem or (SHADOWS if _is_taken(one.file.name, taken) else None),
        )
        for one in await state.environment.custom.commands()
    )


async def expand_command(name: str, arguments: str, environment: Environment) -> ExpandedCommand:
    """Make the prompt of a command; raises InvalidInput if there is none of this name."""
    listed = await environment.custom.commands()
    found = next((one for one in listed if one.file.name == name), None)
    if found is None:
        raise InvalidInput(
            f"There is no command `/{name[:80]}`.",
            remedy=f"`/help` lists them; to send text that begins with a slash, write `//{name}`.",
        )
    if found.file.problem is not None:
        raise InvalidInput(
            f"`/{name}` cannot be used: {found.file.shown} {found.file.problem}.",
            remedy="Put it right; the file is read each time.",
        )
    if not found.enabled:
        raise InvalidInput(
            f"`/{name}` is switched off.", remedy=f"`/commands on {name}` switches it on."
        )
    return ExpandedCommand(name, expand(found.file.text, arguments), _remarks(found))


def _remarks(found: ListedCustom) -> tuple[str, ...]:
    file = found.file
    model = (f"It asks for the model {file.models[0]}: `/model` sets one.",) if file.models else ()
    tools = ("It asks for tools, which it is not given: you decide.",) if file.tools else ()
    return (*remarks_on(file.text), *model, *tools)


def _is_taken(name: str, taken: Container[str]) -> bool:
    return name.casefold() in taken or name.casefold() in LEAVING
