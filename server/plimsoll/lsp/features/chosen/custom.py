"""Custom commands and agents: listed and switched; a command becomes a prompt to be sent."""

from plimsoll.lsp.features.convert.custom import agent, command, expansion
from plimsoll.lsp.features.server_context import ServerContext
from plimsoll.lsp.wire import pins as wire
from plimsoll.session.agents.listing import shown_agents
from plimsoll.session.commands.custom.named import shown_commands
from plimsoll.session.commands.custom.replies import switch_custom
from plimsoll.session.commands.slash import SLASHES, expand_called
from plimsoll.session.session import Session


async def list_(server: ServerContext, params: wire.CustomOwner) -> wire.CustomResult:
    """List the custom commands and agents as they are on disk now."""
    return await _list_custom(await server.session(params.session_id))


async def set_(server: ServerContext, params: wire.CustomSwitch) -> wire.CustomResult:
    """Switch one on or off in all sessions of the folder; raises NotFound."""
    project, session = await server.find(params.session_id)
    environment = project.environment
    taken = SLASHES if params.kind == "command" else ()
    await switch_custom(environment, params.kind, params.name, on=params.enabled, taken=taken)
    if params.kind == "agent":
        await project.sessions.spread()
    return await _list_custom(session)


async def expand(server: ServerContext, params: wire.CustomExpandParams) -> wire.CustomExpandResult:
    """Make the prompt of a custom command or an MCP server; raises InvalidInput."""
    session = await server.session(params.session_id)
    environment = session.state.environment
    return expansion(await expand_called(params.name, params.arguments, environment))


async def _list_custom(session: Session) -> wire.CustomResult:
    state = session.state
    await state.environment.custom.agents()
    return wire.CustomResult(
        commands=tuple(map(command, await shown_commands(state, SLASHES))),
        agents=tuple(map(agent, shown_agents(state))),
    )
