"""Operations on shared pins, each inside the operation's transaction."""

from psycopg.sql import SQL

from plimsoll.context.log.messages import clean
from plimsoll.memory.types import MemoryScope
from plimsoll.storage.base import Redactor
from plimsoll.storage.chosen.base import WorkspacePin
from plimsoll.storage.postgres.members import membership_of
from plimsoll.storage.postgres.projects import SharedProject
from plimsoll.storage.shared.operations import Done, Gone, KnownAs, NotAllowed, Outcome

_SELECT = """
SELECT text, owner, owner = current_user FROM plimsoll.pins
WHERE project = %(project)s AND id = %(id)s
"""
_SAME = """
SELECT id FROM plimsoll.pins
WHERE project = %(project)s AND text = %(text)s AND (scope = 'team' OR %(scope)s = 'mine')
ORDER BY changed LIMIT 1
"""
_INSERT = """
INSERT INTO plimsoll.pins (project, id, changed, at, text, scope)
VALUES (%(project)s, %(id)s, %(changed)s, %(at)s, %(text)s, %(scope)s) ON CONFLICT DO NOTHING
"""
_EMPTY = SQL("""
UPDATE plimsoll.pins SET text = NULL, changed = %(changed)s
WHERE project = %(project)s AND id = %(id)s
""")


async def share_pin(
    project: SharedProject, pin: WorkspacePin, redact: Redactor, number: int
) -> Outcome:
    """Store a pin that is new to the server."""
    if pin.sharing.scope is MemoryScope.PRIVATE:
        return NotAllowed("A private pin is not shared.")
    held = await project.first_row(_SELECT, id=pin.id)
    if held is not None:
        return Gone() if held[0] is None else Done()
    text = redact(clean(pin.text))
    values = {"id": pin.id, "at": pin.at, "text": text, "scope": pin.sharing.scope}
    known = await project.first_row(_SAME, **values)
    if known is not None:
        return KnownAs(str(known[0]))
    done = await project.execute(_INSERT, changed=number, **values)
    return Done() if done else NotAllowed("The server has another pin with this id.")


async def remove_pin(project: SharedProject, pin_id: str, number: int) -> Outcome:
    """Remove the text of a pin; its id is never used again."""
    held = await project.first_row(_SELECT, id=pin_id)
    if held is None or held[0] is None:
        return Done()
    _, owner, is_own = held
    if not is_own and (await membership_of(project)).rights != "admin":
        return NotAllowed(f"Only {owner}, who shared it, can remove it for everyone.")
    await project.execute(_EMPTY, id=pin_id, changed=number)
    return Done()
