"""Handlers of `plimsoll/session/*`: open, list, prompt, cancel, rewind, fork, delete."""

from collections.abc import Iterable
from heapq import merge
from itertools import islice
from typing import assert_never

from plimsoll.context.view.request_messages import render
from plimsoll.lsp.features.convert import context, conversations, messages, meters, notices, updates
from plimsoll.lsp.features.convert.files import file_results
from plimsoll.lsp.features.convert.messages import lines_of, path_of
from plimsoll.lsp.features.convert.session_infos import (
    elsewhere_info,
    listed_info,
    session_info,
)
from plimsoll.lsp.features.server_context import ServerContext
from plimsoll.lsp.wire import content
from plimsoll.lsp.wire import sessions as wire
from plimsoll.lsp.wire.base import Empty
from plimsoll.lsp.wire.updates import SessionLoadResult
from plimsoll.session.asking.gate import accept_set
from plimsoll.session.background.commit_message import write_commit_message
from plimsoll.session.checkpoints.rewinding import preview
from plimsoll.session.checkpoints.wording import rewind_markdown
from plimsoll.session.commands.searching import MOST_FOUND, search_sessions
from plimsoll.session.memory.injecting import expect_memories
from plimsoll.session.ports.content import (
    Content,
    Excerpt,
    FileRef,
    ImageData,
    PromptText,
    RepositoryChanges,
    Selection,
)
from plimsoll.session.ports.environment import MODES
from plimsoll.session.project import Project
from plimsoll.session.reduction.inspection import pending
from plimsoll.session.session import Session
from plimsoll.session.state.cost import cost_rows
from plimsoll.session.state.shown import rewind_note, shown_earlier
from plimsoll.session.transfer.incoming import entries_of


def info(session: Session, held_by: str | None = None) -> wire.SessionInfo:
    """Convert a session for a list, with the name of another process that writes it."""
    state = session.state
    return session_info(state.record, held_by, runs_there=state.has_open_turn)


async def new(server: ServerContext, params: wire.SessionNewParams) -> wire.SessionNewResult:
    """Open a new session."""
    project = await server.project(params.workspace_folder)
    await server.resuming.wait_until_opened()
    session = await project.new(MODES.get(params.mode or "edit", "edit"), params.model)
    return wire.SessionNewResult(session=info(session), seq=server.streams.seq(session.id))


async def list_(server: ServerContext, params: wire.SessionListParams) -> wire.SessionListResult:
    """List the sessions of a folder."""
    project = await server.project(params.workspace_folder)
    found = await project.list(params.limit, params.parent_id)
    live, unread = project.live, server.streams.is_unread
    here = [listed_info(each, live.get(each.id), unread=unread(each.id)) for each in found]
    away = () if params.parent_id else map(elsewhere_info, await project.elsewhere())
    both = merge(here, away, key=lambda each: each.updated_at, reverse=True)
    return wire.SessionListResult(sessions=tuple(islice(both, params.limit)))


async def load(server: ServerContext, params: wire.SessionLoadParams) -> SessionLoadResult:
    """Return a session with its conversation, as a client shows it."""
    project = await server.project(params.workspace_folder)
    session = await _load_or_resume(server, project, params.session_id)
    held_by = await server.following.tell_after_release(session)
    seq = server.streams.seq(session.id)
    shown = conversations.conversation(session.state.log.fold)
    listed = session.state.log.fold.frames.get("tasks")
    return SessionLoadResult(
        session=info(session, held_by),
        messages=shown,
        seq=seq,
        shown=tuple(map(updates.shown_earlier, shown_earlier(session.state.log.fold))),
        running_turn_id=session.turn_id if session.running else None,
        answer=server.streams.answer(session.id),
        queued=tuple(updates.queued_prompt(each) for each in session.state.queue.entries),
        tasks=tuple(map(updates.task, listed.tasks)) if listed else (),
    )


async def _load_or_resume(
    server: ServerContext, project: Project, session_id: str | None
) -> Session:
    """Load a session by id, or the latest; a resuming client gets a new one if that fails.

    Raises:
        NotFound: There is none.
        SessionUnreadable: It cannot be opened, and it was named or the client does not resume.
    """
    if session_id is not None or server.options.resume is None:
        return await project.load(session_id)
    await server.resuming.wait_until_opened()
    return await project.resume()


async def take_over(
    server: ServerContext, params: wire.SessionParams
) -> wire.SessionTakeOverResult:
    """Become the writer of a session that another process has written so far."""
    project = await server.keeper(params.session_id)
    session = await project.take_over(params.session_id)
    held_by = server.following.tell(session)
    seq = server.streams.seq(session.id)
    return wire.SessionTakeOverResult(session=info(session, held_by), seq=seq)


async def delete(server: ServerContext, params: wire.SessionParams) -> Empty:
    """Delete a session for good."""
    project = await server.keeper(params.session_id)
    await project.delete(params.session_id)
    return Empty()


async def prompt(
    server: ServerContext, params: wire.SessionPromptParams
) -> wire.SessionPromptResult:
    """Accept a prompt from a person."""
    project, session = await server.find(params.session_id)
    content = _contents(params.content)
    if params.accept_address:
        await accept_set(session.state)
    accepted = await server.speaking.say(project, session, content, params.when)
    return wire.SessionPromptResult(turn_id=accepted.turn, queued_id=accepted.queued)


async def unqueue(server: ServerContext, params: wire.SessionUnqueueParams) -> Empty:
    """Take a prompt back before it is said."""
    session = await server.session(params.session_id)
    session.state.queue.unqueue(params.queued_id)
    return Empty()


async def prompt_content(
    server: ServerContext, params: wire.SessionPromptContentParams
) -> wire.SessionPromptContentResult:
    """Return the content of an earlier prompt, so that it can be edited and sent again."""
    session = await server.session(params.session_id)
    state = session.state
    sent = messages.contents_of(state.log.fold, params.message_id, state.files.root)
    return wire.SessionPromptContentResult(content=tuple(map(messages.content_part, sent)))


async def cancel(server: ServerContext, params: wire.SessionParams) -> wire.SessionCancelResult:
    """Stop the running turn or slash command; returns when nothing of it can take effect."""
    session = await server.session(params.session_id)
    stopped = await session.cancel(), await server.speaking.cancel(session.id)
    return wire.SessionCancelResult(cancelled=any(stopped))


async def set_mode(server: ServerContext, params: wire.SessionSetModeParams) -> wire.SessionResult:
    """Change the mode."""
    session = await server.session(params.session_id)
    await session.set_mode(MODES[params.mode])
    return wire.SessionResult(session=info(session))


async def set_model(
    server: ServerContext, params: wire.SessionSetModelParams
) -> wire.SessionSetModelResult:
    """Change the model."""
    session = await server.session(params.session_id)
    await session.set_model(params.model)
    meter = meters.meter(session.id, session.state.load.meter())
    return wire.SessionSetModelResult(session=info(session), meter=meter)


async def rewind(
    server: ServerContext, params: wire.SessionRewindParams
) -> wire.SessionRewindResult:
    """Go back to a message."""
    session = await server.session(params.session_id)
    done = await session.rewind(
        params.message_id, files=params.restore_files or False, before=params.before
    )
    restored = done.restored
    if params.restore_files is not None:
        told = rewind_markdown(restored, session.state.files.root, before=params.before)
        await session.note(rewind_note(done.id, told, session.state.clock))
    return wire.SessionRewindResult(
        session=info(session),
        edit_id=done.id,
        files=file_results(restored),
        commands=None if restored is None else restored.commands,
    )


async def checkpoint(
    server: ServerContext, params: wire.SessionCheckpointParams
) -> wire.SessionCheckpointResult:
    """Return what going back to a message would do to each file."""
    session = await server.session(params.session_id)
    found = await preview(session.state, params.message_id)
    files = file_results(found) or ()
    return wire.SessionCheckpointResult(files=files, commands=found.commands)


async def fork(server: ServerContext, params: wire.SessionForkParams) -> wire.SessionResult:
    """Copy a session into a new one."""
    project, session = await server.find(params.session_id)
    copy = await project.fork(session.id, params.message_id)
    return wire.SessionResult(session=info(copy))


async def rename(server: ServerContext, params: wire.SessionRenameParams) -> wire.SessionResult:
    """Give a session another title."""
    session = await server.session(params.session_id)
    await session.rename(params.title)
    return wire.SessionResult(session=info(session))


async def search(
    server: ServerContext, params: wire.SessionSearchParams
) -> wire.SessionSearchResult:
    """Find sessions by their titles and by what was said in them."""
    project = await server.project(params.workspace_folder)
    found = await search_sessions(project.environment, params.query, params.limit or MOST_FOUND)
    return wire.SessionSearchResult(
        matches=tuple(
            wire.SessionMatch(
                session=session_info(each.record),
                snippet=each.snippet,
                message_id=each.message,
                role=each.role,
            )
            for each in found
        )
    )


async def commit_message(
    server: ServerContext, params: wire.SessionCommitMessageParams
) -> wire.SessionCommitMessageResult:
    """Write a commit message."""
    session = await server.session(params.session_id)
    written = await write_commit_message(session, params.beginning or "")
    return wire.SessionCommitMessageResult(message=written.text, staged=written.staged)


async def cost(server: ServerContext, params: wire.SessionParams) -> wire.SessionCostResult:
    """Sum the tokens and money that a session used."""
    session = await server.session(params.session_id)
    rows = tuple(notices.usage(row) for row in cost_rows(session.state.log.fold.entries))
    return wire.SessionCostResult(
        rows=rows, total=context.spending_of(session.state.account.summary())
    )


async def append(
    server: ServerContext, params: wire.SessionAppendParams
) -> wire.SessionAppendResult:
    """Append messages of an editor's own agent."""
    session = await server.session(params.session_id)
    batch = [messages.incoming(message) for message in params.messages]
    state = session.state
    ids = await session.feed(lambda: entries_of(batch, state.log.fold, state.clock))
    given = [message.id for message in batch]
    fresh = iter(ids)
    known = state.log.fold.group_of_message
    named = tuple(name if name and known(name) else next(fresh) for name in given)
    server.streams.hear(session.id, state.changed_event())
    return wire.SessionAppendResult(message_ids=named)


async def view(server: ServerContext, params: wire.SessionParams) -> wire.SessionViewResult:
    """Return the exact next request; writes nothing."""
    session = await server.session(params.session_id)
    await expect_memories(session.state)
    meter = meters.meter(session.id, session.state.load.meter())
    with pending(session.state.load) as (found, planned):
        return wire.SessionViewResult(
            messages=tuple(messages.raw_message(each) for each in render(found)),
            tools=tuple(messages.tool_schema(each) for each in found.schemas),
            tool_choice=found.tool_choice,
            meter=meter,
            pending=tuple(context.receipt(each) for each in planned),
        )


def _contents(parts: Iterable[content.ContentPart]) -> list[Content]:
    """Convert the parts of a prompt from the wire: text, files, images, selections."""
    return [_content(part) for part in parts]


def _content(part: content.ContentPart) -> Content:
    match part:
        case content.TextPart():
            return PromptText.from_client(part.text, part.pasted)
        case content.FilePart():
            return FileRef(path_of(part.uri), lines_of(part.range))
        case content.ImagePart():
            return ImageData(part.mime_type, part.data)
        case content.SelectionPart():
            lines = lines_of(part.range) or (1, 1)
            return Selection(path_of(part.uri), lines, part.text)
        case content.ExcerptPart():
            return Excerpt(part.title, part.text)
        case content.ChangesPart():
            return RepositoryChanges()
        case _:
            assert_never(part)
