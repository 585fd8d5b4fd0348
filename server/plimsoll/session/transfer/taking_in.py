"""Taking in an export: its conversation under our own frames, looked at before it is kept."""

import asyncio
from collections.abc import Sequence
from functools import partial

from plimsoll.context.log.entries import Said
from plimsoll.context.log.notes import IMPORT
from plimsoll.session.opening import foreseen, look_at, make_first_entries, not_importable
from plimsoll.session.ports.content import preview_of
from plimsoll.session.ports.entries import new_note
from plimsoll.session.ports.environment import Environment
from plimsoll.session.ports.ids import new_pin_id, new_session_id
from plimsoll.session.state.session_state import SessionState
from plimsoll.session.transfer.exports import parse_export
from plimsoll.session.transfer.imports import Destination, admit_entries
from plimsoll.storage.base import SessionRecord
from plimsoll.storage.chosen.base import WorkspacePin


async def taken_in(
    jsonl: str, environment: Environment, pins: Sequence[WorkspacePin]
) -> SessionState:
    """Return the state of a session with the conversation of an export; nothing is kept yet.

    ``pins``: the folder's pins.

    Raises:
        LogInvalid: It cannot be read or opened.
    """
    found = await asyncio.to_thread(parse_export, jsonl)
    opened = await environment.models.open(environment.models.default)
    now = environment.clock.now()
    texts = {pin.id: pin.text for pin in pins}
    folder = Destination(now, texts, partial(new_pin_id, environment.clock))
    conversation = await asyncio.to_thread(admit_entries, found.entries, folder)
    said = sum(isinstance(entry, Said) for entry in conversation)
    record = SessionRecord(
        id=new_session_id(environment.clock),
        workspace=environment.workspace,
        title=preview_of(found.title),
        mode="edit",
        model=opened.id,
        created_at=now,
        updated_at=now,
        turns=min(max(found.turns, 0), said),
        preview=preview_of(found.preview),
    )
    # From then on its notes are nobody's own words.
    note = new_note(environment.clock, IMPORT)
    entries = (*await make_first_entries(environment, "edit", opened), note, *conversation)
    with foreseen(not_importable):
        return await asyncio.to_thread(partial(look_at, opened, environment), record, entries)
