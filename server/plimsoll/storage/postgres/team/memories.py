"""Operations on shared memories: statements and rules, each inside the operation's transaction."""

import secrets
from dataclasses import replace

from psycopg.sql import SQL, Identifier, Placeholder

from plimsoll.memory.changes import claim, fingerprint
from plimsoll.memory.types import Memory, MemoryScope, MemoryState
from plimsoll.storage.memories.columns import columns_of
from plimsoll.storage.postgres.members import membership_of
from plimsoll.storage.postgres.projects import SharedProject
from plimsoll.storage.postgres.team.rows import MEMORY_COLUMNS, check_shared, shared_memory
from plimsoll.storage.shared.operations import (
    ChangeMemory,
    Done,
    Gone,
    KnownAs,
    NotAllowed,
    Outcome,
    Overtaken,
    SharedMemory,
)

_SENT = ("type", "class", "title", "content", "pinned", "expires_at", "supersedes", "scope")
_SENT_TOO = ("importance", "tags", "fingerprint", "state", "version", "changed")
_CHANGED = (*_SENT, *_SENT_TOO)
_NEW = ("key", "id", "author", "trust", "digest", "created_at", "removal", *_CHANGED)
_SELECT = SQL("""
SELECT {} FROM plimsoll.memories WHERE project = %(project)s AND id = %(id)s
""").format(MEMORY_COLUMNS)
_INSERT = SQL("""
INSERT INTO plimsoll.memories (project, {}) VALUES (%(project)s, {}) ON CONFLICT DO NOTHING
""").format(SQL(", ").join(map(Identifier, _NEW)), SQL(", ").join(map(Placeholder, _NEW)))
_UPDATE = SQL("""
UPDATE plimsoll.memories SET written_by = current_user, ({}) = ROW ({})
WHERE project = %(project)s AND id = %(id)s
""").format(SQL(", ").join(map(Identifier, _CHANGED)), SQL(", ").join(map(Placeholder, _CHANGED)))
_EMPTY = """
UPDATE plimsoll.memories SET gone = true, written_by = current_user, changed = %(changed)s,
  title = '', content = '', tags = '[]', fingerprint = '', expires_at = NULL, supersedes = NULL
WHERE project = %(project)s AND id = %(id)s
"""
_SAME = """
SELECT id FROM plimsoll.memories
WHERE project = %(project)s AND fingerprint = %(fingerprint)s AND NOT gone
  AND (scope = 'team' OR %(scope)s = 'mine') AND state = 'active'
ORDER BY changed LIMIT 1
"""
_SUGGESTED = """
SELECT id FROM plimsoll.memories
WHERE project = %(project)s AND fingerprint = %(fingerprint)s AND NOT gone
  AND supersedes = %(id)s AND state = 'inbox' AND owner = current_user
"""
_KEY = "SELECT fingerprint_key FROM plimsoll.projects WHERE id = %(project)s"


async def share_memory(project: SharedProject, memory: Memory, number: int) -> Outcome:
    """Store a memory that is new to the server; ``number`` is that of the change."""
    held = await _find(project, memory.id)
    if isinstance(held, SharedMemory):
        # Sent before under another key, or a suggestion that somebody accepts.
        waits = held.memory.state is MemoryState.INBOX
        return await _change(project, held, ChangeMemory(memory, held.version * waits), number)
    return held or await _insert(project, memory, number)


async def change_memory(project: SharedProject, change: ChangeMemory, number: int) -> Outcome:
    """Change a memory, unless somebody has changed it since: then this becomes a suggestion."""
    held = await _find(project, change.memory.id)
    if isinstance(held, SharedMemory):
        return await _change(project, held, change, number)
    if held is None and change.memory.author_name is None:
        # The server was set back to an earlier state: the person's own memory is shared again.
        return await _insert(project, change.memory, number, version=change.base + 1)
    return Gone()


async def forget_memory(project: SharedProject, memory_id: str, number: int) -> Outcome:
    """Remove the text of a memory; its id is never used again."""
    held = await _find(project, memory_id)
    if held is None or isinstance(held, Gone):
        return Done()
    if not isinstance(held, SharedMemory):
        return held
    if not held.is_own and (await membership_of(project)).rights != "admin":
        return NotAllowed(f"Only {held.author_name}, who shared it, can forget it for everyone.")
    await project.execute(_EMPTY, id=memory_id, changed=number)
    return Done()


async def reread_outcome(project: SharedProject, current: str, suggestion: str) -> Outcome:
    """Read again what an operation that was overtaken has come to; Gone if either was forgotten."""
    ours, theirs = await _find(project, suggestion), await _find(project, current)
    if isinstance(ours, SharedMemory) and isinstance(theirs, SharedMemory):
        return Overtaken(theirs, ours)
    return Gone()


async def _find(project: SharedProject, memory_id: str) -> SharedMemory | Gone | NotAllowed | None:
    """Read a memory; Gone for a tombstone, None for one that the role does not see."""
    for row in await project.named_rows(_SELECT, id=memory_id):
        if row["gone"]:
            return Gone()
        return shared_memory(row) or NotAllowed("The server's copy of it cannot be read.")
    return None


async def _insert(
    project: SharedProject, memory: Memory, number: int, *, version: int = 1
) -> Outcome:
    checked = check_shared(replace(memory, state=MemoryState.ACTIVE))
    fields = await _columns(project, checked, version, number)
    known = await project.first_row(_SAME, **fields)
    if known is not None:
        return KnownAs(str(known[0]))
    return Done(version) if await _put(project, fields, number) else _refuse_taken_id()


async def _change(
    project: SharedProject, held: SharedMemory, change: ChangeMemory, number: int
) -> Outcome:
    memory, current = change.memory, held.memory
    if current.scope is MemoryScope.TEAM and memory.scope is not MemoryScope.TEAM:
        return NotAllowed("What the team has cannot be taken back to one person's machines alone.")
    if memory.scope is not current.scope and not held.is_own:
        return NotAllowed(f"Only {held.author_name}, who shared it, can change who sees it.")
    checked = check_shared(replace(memory, id=current.id, state=MemoryState.ACTIVE))
    sent = await _columns(project, checked, held.version + 1, number)
    if current.state is MemoryState.ACTIVE and _is_same(sent, columns_of(current)):
        return Done(held.version)
    if change.base == held.version:
        await project.execute(_UPDATE, **sent)
        return Done(held.version + 1)
    return await _suggest(project, checked, held, number)


async def _suggest(
    project: SharedProject, checked: Memory, held: SharedMemory, number: int
) -> Outcome:
    """Store a text as a suggestion, which waits in every inbox; once for each role."""
    memory = replace(
        checked,
        id=f"k{secrets.token_hex(8)}",
        state=MemoryState.INBOX,
        scope=held.memory.scope,
        supersedes=held.memory.id,
    )
    fields = await _columns(project, memory, 1, number)
    known = await project.first_row(_SUGGESTED, **{**fields, "id": held.memory.id})
    if known is None and not await _put(project, fields, number):
        return _refuse_taken_id()
    return await reread_outcome(
        project, held.memory.id, memory.id if known is None else str(known[0])
    )


async def _put(project: SharedProject, fields: dict[str, object], number: int) -> bool:
    """Insert a row; return whether its id was free."""
    return bool(await project.execute(_INSERT, **{**fields, "key": number}))


async def _columns(
    project: SharedProject, memory: Memory, version: int, number: int
) -> dict[str, object]:
    row = await project.first_row(_KEY)
    assert row is not None
    mark = fingerprint(bytes(row[0]), claim(memory))
    own = {"fingerprint": mark, "version": version, "changed": number}
    return {**columns_of(memory), **own}


def _is_same(sent: dict[str, object], held: dict[str, object]) -> bool:
    return all(sent[name] == held[name] for name in (*_SENT, "importance", "tags"))


def _refuse_taken_id() -> NotAllowed:
    return NotAllowed("The server has another memory with this id.")
