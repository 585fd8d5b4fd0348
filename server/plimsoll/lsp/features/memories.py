"""Handlers of `plimsoll/memory/*`: list, search, add, change, forget, review and audit."""

import asyncio

from plimsoll.errors import NotFound
from plimsoll.lsp.features.convert import memories as convert
from plimsoll.lsp.features.server_context import ServerContext
from plimsoll.lsp.wire import memories as wire
from plimsoll.lsp.wire.base import Empty
from plimsoll.lsp.wire.reductions import MarkdownResult
from plimsoll.memory.importing import import_document
from plimsoll.memory.service import Memories
from plimsoll.memory.types import MemoryScope, MemorySource
from plimsoll.session.commands import memory_commands
from plimsoll.session.memory.injecting import hashes_of
from plimsoll.session.project import Project
from plimsoll.session.resources.files import folder_files

FOUND = 20
"""Memories of a search that names no limit."""
MOST_FOUND = 200


async def list_(server: ServerContext, params: wire.MemoryListParams) -> wire.MemoriesResult:
    """List the memories, the newest first; without ``inbox`` those of the inbox too."""
    project = await server.project(params.workspace_folder)
    memories, waiting = _memories(project), await _waiting(project)
    page = await memories.page(convert.page_query(params))
    shown = [
        convert.memory(each, superseded=await memories.find_replaced(each), waiting=waiting)
        for each in page.memories
    ]
    return wire.MemoriesResult(memories=tuple(shown), next_cursor=page.next_cursor)


async def search(server: ServerContext, params: wire.MemorySearchParams) -> wire.MemoriesResult:
    """Search memories by a question, the best match first; those in the inbox are left out."""
    project = await server.project(params.workspace_folder)
    waiting = await _waiting(project)
    found = await _memories(project).search(params.query, min(params.limit or FOUND, MOST_FOUND))
    shown = tuple(convert.memory(each.memory, each.score, waiting=waiting) for each in found)
    return wire.MemoriesResult(memories=shown)


async def add(server: ServerContext, params: wire.MemoryAddParams) -> wire.MemoryResult:
    """Add a memory that a person wrote or selected; raises MemoryRefused."""
    project = await server.project(params.workspace_folder)
    source = await _file(project, params.source) if params.source else None
    kept = await project.environment.memories.add(convert.note(params, source))
    return wire.MemoryResult(memory=convert.memory(kept))


async def update(server: ServerContext, params: wire.MemoryUpdateParams) -> wire.MemoryResult:
    """Change some fields of a memory; raises NotFound or MemoryRefused."""
    change = convert.revision(params)
    project = await _holder(server, params.memory_id)
    return wire.MemoryResult(memory=convert.memory(await _memories(project).update(change)))


async def forget(server: ServerContext, params: wire.MemoryForgetParams) -> Empty:
    """Hide a memory at once, also from live sessions; raises NotFound."""
    project = await _holder(server, params.memory_id)
    await project.forget(params.memory_id, purge=params.purge)
    return Empty()


async def restore(server: ServerContext, params: wire.MemoryParams) -> wire.MemoryResult:
    """Bring back a forgotten memory; raises NotFound."""
    project = await _holder(server, params.memory_id)
    return wire.MemoryResult(
        memory=convert.memory(await _memories(project).restore(params.memory_id))
    )


async def review(server: ServerContext, params: wire.MemoryReviewParams) -> wire.MemoryReviewResult:
    """Apply a person's verdict on a memory; raises NotFound, or InvalidInput outside the inbox."""
    project = await _holder(server, params.memory_id)
    kept = await memory_commands.review(project, params.memory_id, accept=params.accept)
    return wire.MemoryReviewResult(memory=convert.memory(kept) if kept else None)


async def share(server: ServerContext, params: wire.MemoryShareParams) -> wire.MemoryResult:
    """Set who has a memory; raises NotFound, or InvalidInput where it cannot be shared so."""
    project = await _holder(server, params.memory_id)
    shared = await memory_commands.share(project, params.memory_id, MemoryScope(params.scope))
    waiting = await _waiting(project)
    return wire.MemoryResult(memory=convert.memory(shared, waiting=waiting))


async def export(server: ServerContext, params: wire.WorkspaceParams) -> MarkdownResult:
    """Export all memories that people see, as Markdown."""
    return MarkdownResult(markdown=await (await _of(server, params)).export())


async def import_(
    server: ServerContext, params: wire.MemoryImportParams
) -> wire.MemoryImportResult:
    """Put an exported document's memories into the inbox; raises InvalidInput if it has none."""
    done = await import_document(await _of(server, params), params.markdown, params.uri)
    return wire.MemoryImportResult(waiting=done.waiting, left_out=done.left_out)


async def audit(server: ServerContext, params: wire.MemoryAuditParams) -> wire.MemoryAuditResult:
    """List the changes of one memory, also a purged one, or of all, the oldest first."""
    events = await (await _of(server, params)).audit(params.memory_id)
    return wire.MemoryAuditResult(events=tuple(convert.event(each) for each in events))


async def _of(server: ServerContext, params: wire.WorkspaceParams) -> Memories:
    return _memories(await server.project(params.workspace_folder))


def _memories(project: Project) -> Memories:
    return project.environment.memories


async def _waiting(project: Project) -> frozenset[str]:
    """Read the ids of what waits to be sent, where the folder takes part in a team."""
    environment = project.environment
    if environment.team.status().project is None:
        return frozenset()
    return await environment.store.replica.waiting()


async def _holder(server: ServerContext, memory_id: str) -> Project:
    """Find the project of a memory by its id alone, among the open projects and folders."""
    for project in await server.everywhere():
        if await _memories(project).find(memory_id) is not None:
            return project
    raise NotFound("memory", memory_id, remedy="List the memories of the folder to see their ids.")


async def _file(project: Project, source: wire.MemoryFile) -> MemorySource:
    """Return a memory's source file with its present hash; without one if outside the folder."""
    hash_of = hashes_of(folder_files(project.environment))
    return MemorySource(uri=source.uri, sha256=await asyncio.to_thread(hash_of, source.uri))
