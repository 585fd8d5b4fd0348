"""Handlers of `plimsoll/team/*`: the status of a folder's team, joining it and leaving it."""

from plimsoll.lsp.features.convert import team as convert
from plimsoll.lsp.features.server_context import ServerContext
from plimsoll.lsp.wire import projects as wire
from plimsoll.lsp.wire.base import Empty
from plimsoll.lsp.wire.memories import WorkspaceParams
from plimsoll.storage.shared.team import Team


async def status(server: ServerContext, params: WorkspaceParams) -> wire.TeamStatus:
    """Return the status of a folder's team, without asking the team's server."""
    team = await _team(server, params)
    found = team.status()
    # Where none is joined a look is one at the folder's own file.
    return convert.status(found if found.project is not None else await team.look())


async def join(server: ServerContext, params: wire.TeamJoinParams) -> wire.TeamStatus:
    """Take part in a project; raises InvalidInput, NotFound or StoreError."""
    team = await _team(server, params)
    return convert.status(await team.join(params.name, params.url))


async def create(server: ServerContext, params: wire.TeamCreateParams) -> wire.TeamStatus:
    """Make a project and take part in it; raises InvalidInput or StoreError."""
    team = await _team(server, params)
    return convert.status(await team.create(params.name, params.url, write_file=params.write_file))


async def leave(server: ServerContext, params: WorkspaceParams) -> wire.TeamStatus:
    """End taking part in a project."""
    return convert.status(await (await _team(server, params)).leave())


async def accept(server: ServerContext, params: wire.TeamAcceptParams) -> Empty:
    """Let the memories of a colleague take effect; raises InvalidInput where none is joined."""
    await (await _team(server, params)).accept(params.author)
    return Empty()


async def set_password(
    server: ServerContext, params: wire.TeamSetPasswordParams
) -> wire.TeamSetPasswordResult:
    """Accept a password from the client's secret store; raises InvalidInput for no address."""
    password = params.password.get_secret_value()
    return wire.TeamSetPasswordResult(url=server.app.set_team_password(params.url, password))


async def _team(server: ServerContext, params: WorkspaceParams) -> Team:
    return (await server.project(params.workspace_folder)).environment.team
