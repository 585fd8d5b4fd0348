"""Who may read and write which row of a shared PostgreSQL, checked by the engine itself.

A role may use the columns that are granted here to everyone, in the rows that a policy shows it: a
role that is a member of no project sees nothing. The tables' owner is bound by the policies too.
"""

from collections.abc import Sequence
from typing import LiteralString

_ALL: Sequence[LiteralString] = (
    *("versions", "projects", "members", "memories", "memory_events", "memory_tombstones"),
    *("memory_cursors", "pins", "sessions", "entries", "operations"),
)
_MEMBER = "(SELECT project FROM plimsoll.members)"
"""The projects of the role: of the table of members it sees these alone."""
_WRITER = (
    "(SELECT project FROM plimsoll.members "
    "WHERE rights ->> current_user::text IN ('admin', 'write'))"
)
_ADMIN = "(SELECT project FROM plimsoll.members WHERE rights ->> current_user::text = 'admin')"
_IS_ADMIN = "rights ->> current_user::text = 'admin'"
_SHOWN = "(scope = 'team' OR owner = current_user)"


def _protect(table: LiteralString) -> Sequence[LiteralString]:
    return (
        "ALTER TABLE plimsoll." + table + " ENABLE ROW LEVEL SECURITY",
        "ALTER TABLE plimsoll." + table + " FORCE ROW LEVEL SECURITY",
        "REVOKE ALL ON plimsoll." + table + " FROM PUBLIC",
    )


_PROJECTS: Sequence[LiteralString] = (
    "CREATE POLICY reading ON plimsoll.versions FOR SELECT USING (true)",
    "CREATE POLICY updating ON plimsoll.versions FOR INSERT WITH CHECK (true)",
    "GRANT SELECT ON plimsoll.versions TO PUBLIC",
    "CREATE POLICY reading ON plimsoll.projects FOR SELECT USING (id IN " + _MEMBER + ")",
    "CREATE POLICY counting ON plimsoll.projects FOR UPDATE USING (id IN " + _WRITER + ")",
    # No right to do it is granted to everyone: to make a project is for whom the owner trusts.
    "CREATE POLICY making ON plimsoll.projects FOR INSERT WITH CHECK (true)",
    "CREATE POLICY removing ON plimsoll.projects FOR DELETE USING (id IN " + _ADMIN + ")",
    "GRANT SELECT, UPDATE (clock) ON plimsoll.projects TO PUBLIC",
    "CREATE POLICY reading ON plimsoll.members FOR SELECT USING (rights ? current_user::text)",
    # An admin who removes everybody else stays one: a project is never without.
    "CREATE POLICY changing ON plimsoll.members FOR UPDATE USING (" + _IS_ADMIN + ")",
    "CREATE POLICY making ON plimsoll.members FOR INSERT WITH CHECK (" + _IS_ADMIN + ")",
    "GRANT SELECT, UPDATE (rights) ON plimsoll.members TO PUBLIC",
    "REVOKE ALL ON FUNCTION plimsoll.count_on() FROM PUBLIC",
)
_MEMORIES: Sequence[LiteralString] = (
    "CREATE POLICY reading ON plimsoll.memories FOR SELECT USING (project IN "
    + _MEMBER
    + " AND "
    + _SHOWN
    + ")",
    "CREATE POLICY sharing ON plimsoll.memories FOR INSERT WITH CHECK (project IN "
    + _WRITER
    + " AND owner = current_user AND written_by = current_user AND NOT gone)",
    # What is gone is never changed again, and only its owner or an admin lets it go.
    "CREATE POLICY changing ON plimsoll.memories FOR UPDATE USING (NOT gone AND project IN "
    + _WRITER
    + " AND "
    + _SHOWN
    + ") WITH CHECK (written_by = current_user AND project IN "
    + _WRITER
    + " AND "
    + _SHOWN
    + " AND (NOT gone OR owner = current_user OR project IN "
    + _ADMIN
    + "))",
    """
GRANT SELECT,
  INSERT (project, key, id, version, changed, type, class, title, content, author, trust, state,
    pinned, digest, created_at, expires_at, supersedes, scope, importance, tags, removal,
    fingerprint),
  UPDATE (written_by, version, changed, gone, type, class, title, content, state, pinned,
    expires_at, supersedes, scope, importance, tags, fingerprint)
ON plimsoll.memories TO PUBLIC
""",
)
_PINS: Sequence[LiteralString] = (
    "CREATE POLICY reading ON plimsoll.pins FOR SELECT USING (project IN "
    + _MEMBER
    + " AND "
    + _SHOWN
    + ")",
    "CREATE POLICY sharing ON plimsoll.pins FOR INSERT WITH CHECK (project IN "
    + _WRITER
    + " AND owner = current_user AND text IS NOT NULL)",
    "CREATE POLICY removing ON plimsoll.pins FOR UPDATE USING (text IS NOT NULL AND project IN "
    + _WRITER
    + " AND (owner = current_user OR project IN "
    + _ADMIN
    + ")) WITH CHECK (text IS NULL)",
    """
GRANT SELECT, INSERT (project, id, changed, at, text, scope), UPDATE (text, changed)
ON plimsoll.pins TO PUBLIC
""",
)
_SESSIONS: Sequence[LiteralString] = (
    "CREATE POLICY reading ON plimsoll.sessions FOR SELECT USING (owner = current_user "
    "AND project IN " + _MEMBER + ")",
    "CREATE POLICY sending ON plimsoll.sessions FOR INSERT WITH CHECK (owner = current_user "
    "AND NOT gone AND project IN " + _WRITER + ")",
    "CREATE POLICY writing ON plimsoll.sessions FOR UPDATE USING (owner = current_user "
    "AND NOT gone AND project IN " + _WRITER + ") WITH CHECK (owner = current_user)",
    """
GRANT SELECT,
  INSERT (project, key, id, changed, workspace, title, mode, model, created_at, updated_at, turns,
    parent_id, preview, agent, depth, addresses, length, written, machine),
  UPDATE (changed, gone, workspace, title, mode, model, created_at, updated_at, turns, parent_id,
    preview, agent, depth, addresses, length, written, machine, fence, holder, holder_id,
    held_until)
ON plimsoll.sessions TO PUBLIC
""",
    "CREATE POLICY reading ON plimsoll.entries FOR SELECT USING (owner = current_user "
    "AND project IN " + _MEMBER + ")",
    "CREATE POLICY appending ON plimsoll.entries FOR INSERT WITH CHECK (owner = current_user "
    "AND project IN " + _WRITER + ")",
    "CREATE POLICY deleting ON plimsoll.entries FOR DELETE USING (owner = current_user "
    "AND project IN " + _WRITER + ")",
    "GRANT SELECT, DELETE, INSERT (project, session, place, body) ON plimsoll.entries TO PUBLIC",
)
_OPERATIONS: Sequence[LiteralString] = (
    "CREATE POLICY reading ON plimsoll.operations FOR SELECT USING (role = current_user "
    "AND project IN " + _MEMBER + ")",
    "CREATE POLICY keeping ON plimsoll.operations FOR INSERT WITH CHECK (role = current_user "
    "AND project IN " + _WRITER + ")",
    "GRANT SELECT, INSERT (project, key, outcome) ON plimsoll.operations TO PUBLIC",
)

POLICIES: Sequence[LiteralString] = (
    *(statement for table in _ALL for statement in _protect(table)),
    *_PROJECTS,
    *_MEMORIES,
    *_PINS,
    *_SESSIONS,
    *_OPERATIONS,
    "GRANT USAGE ON SCHEMA plimsoll TO PUBLIC",
)
"""The statements that protect the tables; of the tables that none names here nobody has a right."""
