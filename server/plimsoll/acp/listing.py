"""The list of sessions: those of a folder, or of every folder that is known here, in pages."""

from pathlib import Path

from plimsoll.acp.params import ListParams
from plimsoll.acp.server_context import MOST_STORED, AcpContext
from plimsoll.errors import InvalidInput
from plimsoll.folders import local_path
from plimsoll.session.listing import list_used
from plimsoll.session.ports.content import is_used
from plimsoll.storage.base import Redactor, SessionRecord

PAGE = 50
"""Sessions of one answer."""
MOST = 1_000
"""Sessions of a folder that are listed."""


async def list_sessions(server: AcpContext, params: ListParams) -> dict[str, object]:
    """List the sessions in which something was said, the one used last first."""
    start = _start_of(params.cursor)
    used = await (_of_all(server) if params.cwd is None else _of_folder(server, params.cwd))
    found = sorted(used.values(), key=lambda record: record.updated_at, reverse=True)
    page = found[start : start + PAGE]
    listed = [_session_info(record, server.app.secrets) for record in page]
    more = start + PAGE < len(found)
    return {"sessions": listed, **({"nextCursor": str(start + PAGE)} if more else {})}


async def _of_folder(server: AcpContext, cwd: str) -> dict[str, SessionRecord]:
    project = await server.project(cwd)
    return {each.record.id: each.record for each in await list_used(project, MOST)}


async def _of_all(server: AcpContext) -> dict[str, SessionRecord]:
    """Return the sessions of all that is stored here, and those that open folders know besides."""
    await server.project(str(Path.cwd()))
    stored = await server.app.projects.stored_sessions(MOST_STORED)
    found = {record.id: record for record in stored if is_used(record)}
    for project in server.projects():
        found |= {each.record.id: each.record for each in await list_used(project, MOST)}
    return found


def _session_info(record: SessionRecord, redact: Redactor) -> dict[str, object]:
    return {
        "sessionId": record.id,
        "cwd": str(local_path(record.workspace)),
        "title": redact(record.title) or None,
        "updatedAt": record.updated_at,
    }


def _start_of(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not cursor.isdecimal():
        raise InvalidInput("The cursor is none that was given here.", remedy="List from the start.")
    return int(cursor)
