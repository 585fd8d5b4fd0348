"""Performs operations of machines, each key once: sent again, it gets the same outcome."""

import json
from typing import assert_never
from uuid import UUID

from plimsoll.errors import InvalidInput, MemoryRefused
from plimsoll.storage.base import Redactor
from plimsoll.storage.postgres.members import membership_of
from plimsoll.storage.postgres.projects import SharedProject
from plimsoll.storage.postgres.team.memories import (
    change_memory,
    forget_memory,
    reread_outcome,
    share_memory,
)
from plimsoll.storage.postgres.team.pins import remove_pin, share_pin
from plimsoll.storage.postgres.team.session_rows import bury_session
from plimsoll.storage.shared.operations import (
    ChangeMemory,
    DeleteSession,
    Done,
    ForgetMemory,
    NotAllowed,
    Operation,
    Outcome,
    Overtaken,
    Queued,
    RemovePin,
    ShareMemory,
    SharePin,
)

_TOLD = """
SELECT outcome FROM plimsoll.operations
WHERE project = %(project)s AND role = current_user AND key = %(key)s
"""
_KEEP = """
INSERT INTO plimsoll.operations (project, key, outcome) VALUES (%(project)s, %(key)s, %(outcome)s)
"""


async def perform(project: SharedProject, queued: Queued, redact: Redactor) -> Outcome:
    """Do an operation and record its outcome by its key, both in one transaction."""
    own = await membership_of(project)
    if own.rights == "read":
        return NotAllowed(f"The role {own.role} may only read what the team has.")
    # Of two that send the same key at once, one waits here until the other is done.
    number = await project.next_change()
    key = UUID(queued.key)
    told = await project.first_row(_TOLD, key=key)
    if told is not None:
        return await _tell_outcome(project, json.loads(told[0]))
    try:
        outcome = await _do(project, queued.operation, redact, number)
    except (MemoryRefused, InvalidInput) as error:
        return NotAllowed(error.message)
    if isinstance(outcome, Done | Overtaken):
        await project.execute(_KEEP, key=key, outcome=json.dumps(_fields(outcome)))
    return outcome


async def _do(
    project: SharedProject, operation: Operation, redact: Redactor, number: int
) -> Outcome:
    match operation:
        case ShareMemory(memory):
            return await share_memory(project, memory, number)
        case ChangeMemory():
            return await change_memory(project, operation, number)
        case ForgetMemory(memory_id):
            return await forget_memory(project, memory_id, number)
        case SharePin(pin):
            return await share_pin(project, pin, redact, number)
        case RemovePin(pin_id):
            return await remove_pin(project, pin_id, number)
        case DeleteSession(session_id):
            return await bury_session(project, session_id, number)
        case _:
            assert_never(operation)


def _fields(outcome: Done | Overtaken) -> dict[str, object]:
    """Return what is kept of an outcome: never a text, which may be forgotten later."""
    if isinstance(outcome, Done):
        return {"version": outcome.version}
    return {"current": outcome.current.memory.id, "suggestion": outcome.suggestion.memory.id}


async def _tell_outcome(project: SharedProject, fields: dict[str, object]) -> Outcome:
    if "current" in fields:
        return await reread_outcome(project, str(fields["current"]), str(fields["suggestion"]))
    version = fields["version"]
    return Done(version if isinstance(version, int) else None)
