"""Writes what became of an operation into the folder's database, inside one transaction."""

import sqlite3
from dataclasses import replace
from typing import assert_never

from plimsoll.memory.applying import Needed, Put, Record
from plimsoll.memory.types import Action, Author, Memory, MemoryEvent, MemoryScope
from plimsoll.storage.memories.applying import read_keys, read_needed, write_all
from plimsoll.storage.replica.outbox import drop_texts, enqueue, rebase, redirect, take_off
from plimsoll.storage.replica.taking_in import remove_pin, write_arrivals
from plimsoll.storage.shared.arriving import Acceptance, Arrived
from plimsoll.storage.shared.operations import (
    ChangeMemory,
    Done,
    ForgetMemory,
    Gone,
    KnownAs,
    NotAllowed,
    Outcome,
    Overtaken,
    Queued,
    ShareMemory,
    SharePin,
)
from plimsoll.storage.shared.sharing import NOT_THERE

_SEEN = """
INSERT INTO memory_sharing (memory, version) SELECT key, ?2 FROM memories WHERE id = ?1
ON CONFLICT (memory) DO UPDATE SET version = ?2
"""
_PRIVATE_PIN = """
DELETE FROM pin_sharing WHERE pin = (SELECT number FROM workspace_pins WHERE id = ?)
"""


def settle(connection: sqlite3.Connection, queued: Queued, outcome: Outcome, at: str) -> None:
    """Take an operation off the queue and write what became of it."""
    operation = queued.operation
    if not take_off(connection, queued.key):
        if isinstance(outcome, Overtaken):
            # Purged here while it was sent: its text must not stay there as a suggestion.
            enqueue(connection, [ForgetMemory(outcome.suggestion.memory.id)])
    elif isinstance(operation, ShareMemory):
        _settle_memory(connection, ChangeMemory(operation.memory, NOT_THERE), outcome, at)
    elif isinstance(operation, ChangeMemory):
        _settle_memory(connection, operation, outcome, at)
    elif isinstance(operation, SharePin):
        _settle_pin(connection, operation.pin.id, outcome)


def _settle_memory(
    connection: sqlite3.Connection, change: ChangeMemory, outcome: Outcome, at: str
) -> None:
    memory_id, base = change.memory.id, change.base
    match outcome:
        case Done(version):
            if version is not None:
                connection.execute(_SEEN, (memory_id, version))
                rebase(connection, memory_id, base, version)
        case Overtaken():
            _keep_both(connection, memory_id, outcome, at)
        case Gone():
            drop_texts(connection, memory_id)
            gone = Arrived(forgotten=(memory_id,), at=at)
            write_arrivals(connection, gone, Acceptance())
        case KnownAs() | NotAllowed():
            if base == NOT_THERE:
                drop_texts(connection, memory_id)
                _make_private(connection, memory_id, at)
        case _:
            assert_never(outcome)


def _keep_both(connection: sqlite3.Connection, memory_id: str, outcome: Overtaken, at: str) -> None:
    """Store the text that another member changed first; the text sent from here waits."""
    suggestion = outcome.suggestion
    last = redirect(connection, memory_id, suggestion.memory, suggestion.version)
    both = (outcome.current, replace(suggestion, memory=last))
    write_arrivals(connection, Arrived(memories=both, at=at), Acceptance())


def _make_private(connection: sqlite3.Connection, memory_id: str, at: str) -> None:
    """Make a memory private again that the server has refused."""
    keys = read_keys(connection)
    known = read_needed(connection, Needed(frozenset({memory_id}), frozenset()))
    memory = known.memories.get(memory_id)
    if memory is None or memory.scope is MemoryScope.PRIVATE:
        return
    mark = keys.of(memory)
    event = MemoryEvent(
        at=at,
        memory_id=memory_id,
        action=Action.UPDATED,
        author=Author.AGENT,
        reason="not shared",
        fingerprint=mark,
    )
    private: Memory = replace(memory, scope=MemoryScope.PRIVATE)
    write_all(connection, (Record(event), Put(private, mark, memory)))


def _settle_pin(connection: sqlite3.Connection, pin_id: str, outcome: Outcome) -> None:
    if isinstance(outcome, Gone):
        remove_pin(connection, pin_id)
    elif isinstance(outcome, NotAllowed):
        connection.execute(_PRIVATE_PIN, (pin_id,))
