"""Handlers of `plimsoll/hunk/*`: what the agent changed is kept or undone where it stands."""

import asyncio
from collections.abc import Sequence

from plimsoll.lsp.features.convert.messages import path_of
from plimsoll.lsp.features.server_context import ServerContext
from plimsoll.lsp.wire import hunks as wire
from plimsoll.lsp.wire.content import Position, Range
from plimsoll.session.hunks.choosing import (
    AgentHunks,
    Chosen,
    FileLeft,
    MadeHunk,
)
from plimsoll.session.state.session_state import SessionState
from plimsoll.text.lines import split_lines, with_line_feed
from plimsoll.tools.display import escape_hidden


async def list_(server: ServerContext, params: wire.HunkOwner) -> wire.HunksResult:
    """List the hunks that nobody has kept or undone."""
    return await _list_remaining((await server.session(params.session_id)).state)


async def keep(server: ServerContext, params: wire.HunkChoice) -> wire.HunksResult:
    """Keep hunks: they stay in the file, and are marked no more."""
    state = (await server.session(params.session_id)).state
    await AgentHunks(state).keep(await _choice_of(params))
    return await _list_remaining(state)


async def undo(server: ServerContext, params: wire.HunkChoice) -> wire.HunksResult:
    """Undo hunks: the lines that stood there before come back."""
    state = (await server.session(params.session_id)).state
    left = await AgentHunks(state).undo(await _choice_of(params))
    return await _list_remaining(state, left)


async def _choice_of(params: wire.HunkChoice) -> Chosen:
    path = None
    if params.uri is not None:
        path = await asyncio.to_thread(path_of(params.uri).resolve)
    return Chosen(path, params.hunk_ids)


async def _list_remaining(state: SessionState, left: Sequence[FileLeft] = ()) -> wire.HunksResult:
    redact = state.redact

    def to_wire(hunk: MadeHunk) -> wire.MadeHunk:
        start, end = (Position(line=line, character=0) for line in (hunk.start, hunk.end))
        old = escape_hidden(redact("".join(map(with_line_feed, split_lines(hunk.old)))))
        return wire.MadeHunk(id=hunk.id, range=Range(start=start, end=end), old_text=old)

    return wire.HunksResult(
        files=tuple(
            wire.HunksOfFile(uri=file.path.as_uri(), hunks=tuple(map(to_wire, file.hunks)))
            for file in await AgentHunks(state).open_hunks()
        ),
        left=tuple(wire.FileNotUndone(uri=each.path.as_uri(), why=each.why) for each in left),
    )
