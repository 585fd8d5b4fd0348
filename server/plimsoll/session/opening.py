"""Opens logs that are stored, imported, or written by another process.

Whatever such a log does to us, it must not keep a person from working: what is unforeseen becomes
an error that says which log it was, and the place of the defect goes to the server's log.
"""

import asyncio
import logging
import traceback
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Entry, Framed
from plimsoll.context.log.notes import unreadable_notes
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.frames import is_readable
from plimsoll.context.view.ledger import violations
from plimsoll.context.view.request_messages import render
from plimsoll.errors import Busy, LogInvalid, PlimsollError, SessionUnreadable
from plimsoll.session.agents.charging import charge_what_is_missing
from plimsoll.session.layers.custom_agents import opening_agents
from plimsoll.session.layers.instructions import opening_frames
from plimsoll.session.layers.mcp import opening_servers
from plimsoll.session.layers.skills import opening_skills
from plimsoll.session.log.readings import KeptReading
from plimsoll.session.log.session_log import SessionLog
from plimsoll.session.memory.recall import keep_exchanges
from plimsoll.session.model.profile import first_entries, missing_tools
from plimsoll.session.ports.environment import Environment, Mode
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.session.ports.model import Model
from plimsoll.session.reduction.inspection import report
from plimsoll.session.state.session_state import SessionState
from plimsoll.session.turn.closing import close_turn
from plimsoll.storage.base import SessionRecord

log = logging.getLogger(__name__)


@contextmanager
def foreseen(make: Callable[[str], PlimsollError]) -> Generator[None]:
    """Translate any error that a damaged log raises in the block into that of ``make``."""
    try:
        yield
    except LogInvalid as error:
        raise make(error.message) from error
    except PlimsollError:
        raise
    except Exception as error:
        _log_place(error)
        raise make(f"{type(error).__name__}; the server's log tells where") from error


def _log_place(error: Exception) -> None:
    # Its text may quote what a person wrote and stays out.
    frames = "".join(traceback.format_tb(error.__traceback__))
    log.error("a log cannot be opened: %s\n%s", type(error).__name__, frames)


async def mend(state: SessionState) -> None:
    """Repair a log after a crash: close its open turn and calls; add tools that are new since.

    While another process writes the session or runs a turn of it, this is that one's task.
    """
    if state.writing.claim() is not None:
        return
    try:
        lease = await state.writing.acquire()
    except Busy:
        return
    try:
        await state.log.refresh()
        if state.has_open_turn:
            await charge_what_is_missing(state)
        await close_turn(state)
        fresh = missing_tools(state)
        if fresh:
            await state.log.append(*fresh)
        await keep_exchanges(state.recall, state.log, state.voice, behind=True)
    finally:
        await state.writing.release(lease)


async def follow(state: SessionState) -> bool:
    """Read another process's new entries and record of a session; tell whether there are any."""
    found = await state.log.before_request(())
    return state.take_record(found.record) or bool(found.entries)


def unreadable(session_id: str, why: str) -> SessionUnreadable:
    """Make the error of a stored session that cannot be opened."""
    return SessionUnreadable(
        f"The session {session_id!r} cannot be opened: {why}.",
        remedy="It is kept as it is: export it to have its text, and report this bug.",
        data={"sessionId": session_id},
    )


def not_importable(why: str) -> LogInvalid:
    """Make the error of an export that can be read and not be opened."""
    return LogInvalid(
        f"The export cannot be opened as a session: {why}.",
        remedy="Nothing was imported; export the session again, or report this bug.",
    )


def opening_notices(
    entries: Sequence[Entry], environment: Environment, alone: bool
) -> list[NoticeGiven]:
    """Return the notices of a log that is opened; blocks.

    They are of unreadable notes, half written files, and of agents' trees after a crash.

    ``alone``: it is no session of a subagent, whose notices nobody would see.
    """
    left_out = notice_of_left_out(entries)
    restorer, context = environment.files.restorer, environment.call_context
    own_trees = environment.outside.own_trees
    told = (
        (*restorer.half_written(context), *(tree.words for tree in own_trees.sweep()))
        if alone
        else ()
    )
    notices = [NoticeGiven(environment.redact(words), "warning") for words in told]
    return notices if left_out is None else [left_out, *notices]


def notice_of_left_out(entries: Sequence[Entry]) -> NoticeGiven | None:
    """Return the notice of how many notes of a log are unreadable, None if none; blocks."""
    frames = [each for each in entries if isinstance(each, Framed) and not is_readable(each)]
    found = len(frames) + len(unreadable_notes(entries))
    if not found:
        return None
    return NoticeGiven(
        f"{found:,} of this session's notes cannot be read: they are kept and have no effect. "
        "A later version of Plimsoll may have written them, or the file was damaged.",
        "warning",
    )


def fold_log(
    entries: Sequence[Entry],
    model: Model,
    environment: Environment,
    kept_as: str | None = None,
) -> Indexes:
    """Fold a log, build its first view, and read its texts; blocks.

    ``kept_as``: the id of the session that keeps the log's readings; None: they are not kept.
    """
    # All of it here, where a defect in it is foreseen and nobody waits on the event loop.
    indexes = Indexes(Fold(model.ledger, entries, environment.traits))
    counter = model.counter
    if counter is None or kept_as is None:
        indexes.read_all()
        return indexes
    reading = KeptReading(entries, counter, indexes.names, environment.readings(kept_as))
    known = reading.take_known()
    indexes.read_all()
    reading.keep_read(known)
    return indexes


def look_at(
    model: Model, environment: Environment, record: SessionRecord, entries: Sequence[Entry]
) -> SessionState:
    """Open a log on trial and build its first request, before it is stored; blocks.

    Returns the session's state as it would be live.

    Raises:
        LogInvalid: No request could be made of it.
    """
    indexes = fold_log(entries, model, environment)
    fold = indexes.fold
    broken = violations(render(fold.view), fold.pins.values(), 0, 0)
    if broken:
        reasons = "; ".join(each.message for each in broken[:3])
        raise LogInvalid(f"no request can be made of it: {reasons}")
    log = SessionLog(record.id, environment.store, indexes)
    state = SessionState(record, log, model, environment)
    render(state.load.plan().view)
    report(state)
    return state


async def make_first_entries(
    environment: Environment, mode: Mode, model: Model
) -> tuple[Entry, ...]:
    """Make the first entries of a session in the folder, before any message."""
    await environment.custom.agents()
    first = await asyncio.to_thread(first_entries, mode, model, environment)
    first += await opening_frames(environment, model)
    first += await opening_skills(first, environment, model)
    first += opening_agents(first, environment, model)
    return first + opening_servers(first, environment, model)
