"""`plimsoll/session/*`."""

from plimsoll.context.entries import Said
from plimsoll.context.view import render, schemas
from plimsoll.lsp.convert import context, messages
from plimsoll.lsp.desk import Desk
from plimsoll.lsp.protocol import sessions as wire
from plimsoll.lsp.protocol.views import SessionSetModelResult, SessionViewResult
from plimsoll.lsp.protocol.wire import Empty
from plimsoll.session.cost import cost_rows
from plimsoll.session.environment import MODES
from plimsoll.session.events import SessionChanged
from plimsoll.session.incoming import entries_of
from plimsoll.session.inspection import pending
from plimsoll.session.session import Session


def info(session: Session) -> wire.SessionInfo:
    """The session in a list."""
    return messages.session_info(session.state.record)


async def new(desk: Desk, params: wire.SessionNewParams) -> wire.SessionNewResult:
    """Open a new session."""
    project = await desk.project(params.workspace_folder)
    session = await project.new(MODES.get(params.mode or "edit", "edit"), params.model)
    return wire.SessionNewResult(session=info(session), seq=desk.streams.seq(session.id))


async def list_sessions(desk: Desk, params: wire.SessionListParams) -> wire.SessionListResult:
    """List the sessions of a folder."""
    project = await desk.project(params.workspace_folder)
    found = await project.list(params.limit)
    return wire.SessionListResult(sessions=tuple(messages.session_info(each) for each in found))


async def load(desk: Desk, params: wire.SessionLoadParams) -> wire.SessionLoadResult:
    """Give a session back as it stands."""
    project = await desk.project(params.workspace_folder)
    session = await project.load(params.session_id)
    seq = desk.streams.seq(session.id)
    fold = session.state.log.fold
    shown = messages.conversation(fold, project.environment.tools)
    return wire.SessionLoadResult(session=info(session), messages=shown, seq=seq)


async def delete(desk: Desk, params: wire.SessionParams) -> Empty:
    """Delete a session for good."""
    project, session = await desk.find(params.session_id)
    await project.delete(session.id)
    return Empty()


async def prompt(desk: Desk, params: wire.SessionPromptParams) -> wire.SessionPromptResult:
    """Accept what a person says."""
    project, session = await desk.find(params.session_id)
    turn = await desk.speaking.say(project, session, messages.contents(params.content))
    return wire.SessionPromptResult(turn_id=turn)


async def cancel(desk: Desk, params: wire.SessionParams) -> wire.SessionCancelResult:
    """Stop the turn; answered when nothing more can take effect."""
    session = await desk.session(params.session_id)
    return wire.SessionCancelResult(cancelled=await session.cancel())


async def set_mode(desk: Desk, params: wire.SessionSetModeParams) -> wire.SessionResult:
    """Change the mode."""
    session = await desk.session(params.session_id)
    await session.set_mode(MODES[params.mode])
    return wire.SessionResult(session=info(session))


async def set_model(desk: Desk, params: wire.SessionSetModelParams) -> SessionSetModelResult:
    """Change the model."""
    session = await desk.session(params.session_id)
    await session.set_model(params.model)
    meter = context.meter(session.id, session.state.meter())
    return SessionSetModelResult(session=info(session), meter=meter)


async def rewind(desk: Desk, params: wire.SessionRewindParams) -> wire.SessionRewindResult:
    """Go back to a message."""
    session = await desk.session(params.session_id)
    edit = await session.rewind(params.message_id)
    return wire.SessionRewindResult(session=info(session), edit_id=edit)


async def fork(desk: Desk, params: wire.SessionForkParams) -> wire.SessionResult:
    """Copy a session into a new one."""
    project, session = await desk.find(params.session_id)
    copy = await project.fork(session.id, params.message_id)
    return wire.SessionResult(session=info(copy))


async def cost(desk: Desk, params: wire.SessionParams) -> wire.SessionCostResult:
    """Sum what a session used."""
    session = await desk.session(params.session_id)
    rows = tuple(
        wire.Usage(
            purpose=row.purpose,
            model=row.model,
            input=row.input,
            cached=row.cached,
            output=row.output,
        )
        for row in cost_rows(session.state.log.fold.entries)
    )
    return wire.SessionCostResult(rows=rows)


async def append(desk: Desk, params: wire.SessionAppendParams) -> wire.SessionAppendResult:
    """Take messages of an editor's own agent."""
    session = await desk.session(params.session_id)
    batch = [messages.incoming(message) for message in params.messages]
    state = session.state
    ids = await session.feed(lambda: entries_of(batch, state.log.fold, state.environment.stamps))
    given = [message.id for message in batch]
    fresh = iter(ids)
    known = {entry.id for entry in state.log.fold.entries if isinstance(entry, Said)}
    named = tuple(name if name in known and name else next(fresh) for name in given)
    desk.streams.hear(session.id, SessionChanged(state.record))
    return wire.SessionAppendResult(message_ids=named)


async def view(desk: Desk, params: wire.SessionParams) -> SessionViewResult:
    """Show the exact next request; writes nothing."""
    session = await desk.session(params.session_id)
    meter = context.meter(session.id, session.state.meter())
    with pending(session.state) as (found, planned):
        return SessionViewResult(
            messages=tuple(messages.raw_message(each) for each in render(found)),
            tools=tuple(messages.tool_schema(each) for each in schemas(found)),
            tool_choice=found.tool_choice,
            meter=meter,
            pending=tuple(context.receipt(each) for each in planned),
        )
