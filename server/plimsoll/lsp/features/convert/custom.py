"""Custom commands and agents in their wire form."""

from plimsoll.lsp.wire import pins as wire
from plimsoll.session.agents.listing import CustomAgentShown
from plimsoll.session.commands.custom.named import CommandShown, ExpandedCommand
from plimsoll.session.commands.slash import escape_prompt


def command(found: CommandShown) -> wire.CustomCommand:
    """Convert a custom command."""
    return wire.CustomCommand(
        name=found.name,
        description=found.description,
        argument_hint=found.hint or None,
        source=found.source,
        path=found.path,
        tokens=found.tokens,
        enabled=found.enabled,
        problem=found.problem,
    )


def agent(found: CustomAgentShown) -> wire.CustomAgent:
    """Convert a custom agent."""
    return wire.CustomAgent(
        name=found.name,
        description=found.description,
        source=found.source,
        path=found.path,
        tokens=found.tokens,
        enabled=found.enabled,
        shortened=found.shortened,
        tools=found.tools,
        model=found.model,
        unknown=found.unknown,
        problem=found.problem,
    )


def expansion(found: ExpandedCommand) -> wire.CustomExpandResult:
    """Convert the prompt of a custom command, so that it is text, whatever it looks like."""
    prompt = found.prompt.with_text(escape_prompt(found.prompt.text))
    return wire.CustomExpandResult(
        text=prompt.text, pasted=prompt.told_ranges or (), remarks=found.remarks
    )
