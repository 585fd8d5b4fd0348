"""Handlers of `plimsoll/permission/*`: list what is always allowed, and take one back."""

from plimsoll.lsp.features.convert.permissions import permission
from plimsoll.lsp.features.server_context import ServerContext
from plimsoll.lsp.wire import pins as wire
from plimsoll.session.commands.permission_commands import permissions_note
from plimsoll.session.ports.environment import Environment


async def list_(server: ServerContext, params: wire.PermissionOwner) -> wire.PermissionsResult:
    """List the permissions of a folder: commands and edits that are always allowed there."""
    environment = await _environment(server, params)
    found = await environment.store.permissions.permissions()
    confined = environment.rules().confined_unasked
    return wire.PermissionsResult(
        permissions=tuple(permission(each) for each in found),
        note=permissions_note(found, confined_unasked=confined),
    )


async def remove(
    server: ServerContext, params: wire.PermissionRemoveParams
) -> wire.PermissionResult:
    """Remove a permission, so that the person is asked again; raises NotFound."""
    environment = await _environment(server, params)
    gone = await environment.store.permissions.remove(params.number)
    return wire.PermissionResult(permission=permission(gone))


async def _environment(server: ServerContext, owner: wire.PermissionOwner) -> Environment:
    if owner.session_id is not None:
        return (await server.session(owner.session_id)).state.environment
    return (await server.project(owner.workspace_folder or "")).environment
