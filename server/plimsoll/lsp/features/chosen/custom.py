"""Custom commands: listed, switched, and made into the prompt that a person sees and sends."""

from plimsoll.lsp.features.convert.custom import command, expanded
from plimsoll.lsp.features.server_context import ServerContext
from plimsoll.lsp.wire import pins as wire
from plimsoll.session.commands.custom.named import expand_command, shown_commands
from plimsoll.session.commands.custom.replies import switch_custom
from plimsoll.session.commands.slash import SLASHES
from plimsoll.session.session import Session


async def list_(server: ServerContext, params: wire.CustomOwner) -> wire.CustomResult:
    """List the custom commands as they are on disk now."""
    return await _list_custom(await server.session(params.session_id))


async def set_(server: ServerContext, params: wire.CustomSwitch) -> wire.CustomResult:
    """Switch one on or off in all sessions of the folder; raises NotFound."""
    project, session = await server.find(params.session_id)
    environment = project.environment
    await switch_custom(environment, params.kind, params.name, on=params.enabled, taken=SLASHES)
    return await _list_custom(session)


async def expand(server: ServerContext, params: wire.CustomExpandParams) -> wire.CustomExpandResult:
    """Make the prompt of a custom command; raises InvalidInput where it cannot be used."""
    session = await server.session(params.session_id)
    environment = session.state.environment
    return expanded(await expand_command(environment, params.name, params.arguments))


async def _list_custom(session: Session) -> wire.CustomResult:
    found = await shown_commands(session.state, SLASHES)
    return wire.CustomResult(commands=tuple(map(command, found)))
