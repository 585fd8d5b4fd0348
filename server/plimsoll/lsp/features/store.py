"""The stores of folders: salvaging, doing without, forgetting; each only on a person's word."""

from plimsoll.lsp.features.server_context import ServerContext
from plimsoll.lsp.wire import projects as wire
from plimsoll.lsp.wire.base import Empty


async def salvage(server: ServerContext, params: wire.StoreParams) -> wire.StoreSalvageResult:
    """Save the readable part of a damaged store; raises Busy, InvalidInput or StoreError."""
    done = await server.app.projects.salvage(params.workspace_folder)
    return wire.StoreSalvageResult(
        sessions=done.sessions,
        entries=done.entries,
        lost=done.missing,
        memories=done.memories,
        pins=done.pins,
        damaged_path=str(done.damaged),
        left_team=done.left_team,
    )


async def use_memory(server: ServerContext, params: wire.StoreParams) -> Empty:
    """Keep the sessions of a folder in memory; raises InvalidInput where its store works."""
    await server.app.projects.use_memory(params.workspace_folder)
    return Empty()


async def forget(server: ServerContext, params: wire.StoreForgetParams) -> wire.StoreForgetResult:
    """List the stored data, or delete it when that is confirmed; raises Busy or StoreError."""
    folder = params.workspace_folder
    projects = server.app.projects
    found = await (
        projects.forget_everything(folder) if params.confirmed else projects.list_kept(folder)
    )
    return wire.StoreForgetResult(
        kept=tuple(
            wire.KeptFolder(
                path=one.root or str(one.folder),
                sessions=one.sessions,
                memories=one.memories,
                pins=one.pins,
                files=one.files,
                bytes=one.bytes,
            )
            for one in found
        )
    )
