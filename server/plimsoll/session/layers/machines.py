"""Tells a session and its person once that it came from another machine, and what is not here."""

from urllib.parse import unquote, urlsplit

from plimsoll.context.log.entries import Entry, Slot
from plimsoll.context.log.messages import clean
from plimsoll.memory.fence import quote_line
from plimsoll.session.ports.entries import new_frame
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.session.state.held import machine_note, machines_before
from plimsoll.session.state.session_state import SessionState
from plimsoll.storage.shared.travel import CameFrom

SLOT = "machine"
"""The slot of the frame that tells the model."""
MOVED = (
    "[This session came from the machine {there}, where it worked in {folder}, to the machine "
    "{here}: it works in {own} now. Files are as they are here. Whole outputs that were kept in "
    "files on {there}, and earlier versions of files there, are not on this machine; the text of "
    "every output can be read again with the tool history.]"
)


TOLD = (
    "This session came from {there}. Whole outputs and earlier versions of files that it kept "
    "there are not on this machine."
)
"""For the person."""


async def changed_machine(state: SessionState) -> tuple[Entry, ...]:
    """Return the entries to append if another machine wrote the session last."""
    environment = state.environment
    came = await environment.travelling.came_from(state.id)
    if came is None:
        return ()
    text = environment.redact(clean(moved_text(came, environment.workspace)))
    held = state.log.fold.frames.get(SLOT)
    if held is not None and held.text == text:
        return ()
    moved = machine_note(came, state.clock)
    state.copies.left_behind = machines_before((*state.log.fold.entries, moved))
    state.voice.emit(NoticeGiven(environment.redact(TOLD.format(there=quote_line(came.machine)))))
    return (moved, new_frame(state.clock, SLOT, Slot.SYSTEM, text, place="tail"))


def moved_text(came: CameFrom, workspace: str) -> str:
    """Write the note that a session has moved from one machine to another."""
    there, here = quote_line(came.machine), quote_line(came.here)
    folder, own = _folder(came.workspace), _folder(workspace)
    return MOVED.format(there=there, folder=folder, here=here, own=own)


def _folder(uri: str) -> str:
    return quote_line(unquote(urlsplit(uri).path) or uri)
