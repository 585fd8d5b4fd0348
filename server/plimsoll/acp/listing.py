"""The list of sessions: those of a folder, or of the folders that are known here, in pages."""

from collections.abc import Sequence
from pathlib import Path

from plimsoll.acp.params import ListParams
from plimsoll.acp.server_context import AcpContext
from plimsoll.errors import InvalidInput
from plimsoll.folders import local_path
from plimsoll.session.listing import list_used
from plimsoll.session.project import Project
from plimsoll.storage.base import SessionRecord

PAGE = 50
"""Sessions of one answer."""
MOST = 1_000
"""Sessions of a folder that are listed."""


async def list_sessions(server: AcpContext, params: ListParams) -> dict[str, object]:
    """List the sessions in which something was said, the one used last first."""
    start = _start_of(params.cursor)
    projects = await _projects(server, params.cwd)
    found = [each.record for project in projects for each in await list_used(project, MOST)]
    found.sort(key=lambda record: record.updated_at, reverse=True)
    page = found[start : start + PAGE]
    listed = [_session_info(record) for record in page]
    more = start + PAGE < len(found)
    return {"sessions": listed, **({"nextCursor": str(start + PAGE)} if more else {})}


async def _projects(server: AcpContext, cwd: str | None) -> Sequence[Project]:
    """Return the folder's project; without a folder, all open ones and the working directory's."""
    if cwd is not None:
        return [await server.project(cwd)]
    await server.project(str(Path.cwd()))
    return server.projects()


def _session_info(record: SessionRecord) -> dict[str, object]:
    return {
        "sessionId": record.id,
        "cwd": str(local_path(record.workspace)),
        "title": record.title or None,
        "updatedAt": record.updated_at,
    }


def _start_of(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not cursor.isdecimal():
        raise InvalidInput("The cursor is none that was given here.", remedy="List from the start.")
    return int(cursor)
