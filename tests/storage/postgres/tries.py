"""What members who speak SQL by hand try against a shared project; none of it may succeed."""

from typing import LiteralString, NamedTuple


class Try(NamedTuple):
    """Statements that a person runs in one transaction, each with the values of the world."""

    who: str
    what: str
    statements: tuple[LiteralString, ...]


def by(who: str, what: str, *statements: LiteralString) -> Try:
    return Try(who, what, statements)


_LEAK: LiteralString = """
CREATE OR REPLACE FUNCTION den.leak(text) RETURNS boolean LANGUAGE plpgsql COST 0.000001
AS 'BEGIN RAISE NOTICE ''%%'', $1; RETURN true; END'
"""
_SHARE: LiteralString = """
INSERT INTO plimsoll.memories (project, key, id, changed, type, class, title, content, author,
  trust, state, pinned, digest, created_at, scope, tags, removal, fingerprint{more})
VALUES (%({project})s, 1, '{id}', 1, '{type}', 'durable', 'Planted', 'Planted by hand', 'user',
  'user', 'active', false, false, '2026-01-01T00:00:00Z', '{scope}', '[]', false, 'x'{values})
"""


def planted(
    *,
    project: LiteralString = "project",
    name: LiteralString = "kx",
    kind: LiteralString = "project",
    scope: LiteralString = "team",
    more: LiteralString = "",
    values: LiteralString = "",
) -> LiteralString:
    return _SHARE.format(project=project, id=name, type=kind, scope=scope, more=more, values=values)


READING = (
    by("bob", "every memory", "SELECT * FROM plimsoll.memories"),
    by(
        "bob",
        "another project's memories by its id",
        "SELECT * FROM plimsoll.memories WHERE project = %(lighthouse)s",
    ),
    by(
        "bob",
        "other people's own memories",
        "SELECT * FROM plimsoll.memories WHERE owner = %(ada)s AND scope = 'mine'",
    ),
    by("bob", "a memory by its id", "SELECT content FROM plimsoll.memories WHERE id = 'k2'"),
    by("bob", "the index over words", "SELECT words FROM plimsoll.memories WHERE id = 'k2'"),
    by("bob", "all sessions", "SELECT * FROM plimsoll.sessions"),
    by("bob", "all entries", "SELECT * FROM plimsoll.entries"),
    by(
        "bob",
        "all pins",
        "SELECT * FROM plimsoll.pins WHERE scope <> 'team' OR project = %(lighthouse)s",
    ),
    by("bob", "all projects", "SELECT * FROM plimsoll.projects"),
    by(
        "bob",
        "another project's members",
        "SELECT * FROM plimsoll.members WHERE project = %(lighthouse)s",
    ),
    by("bob", "others' operations", "SELECT * FROM plimsoll.operations"),
    by("bob", "the text of a tombstone", "SELECT * FROM plimsoll.memories WHERE gone"),
    by("bob", "the audit trail", "SELECT * FROM plimsoll.memory_events"),
    by("bob", "the fingerprints of tombstones", "SELECT * FROM plimsoll.memory_tombstones"),
    by("bob", "how far sessions were read", "SELECT * FROM plimsoll.memory_cursors"),
    by("bob", "without row security", "SET row_security = off", "SELECT * FROM plimsoll.memories"),
    by("bob", "by copying a table", "COPY plimsoll.memories TO STDOUT"),
    by("bob", "by copying a query", "COPY (SELECT body FROM plimsoll.entries) TO STDOUT"),
    by(
        "bob",
        "by a view",
        "CREATE VIEW den.all_of_it AS SELECT * FROM plimsoll.memories",
        "SELECT * FROM den.all_of_it",
    ),
    by(
        "bob",
        "by a materialized view",
        "CREATE MATERIALIZED VIEW den.kept AS SELECT * FROM plimsoll.sessions",
        "SELECT * FROM den.kept",
    ),
    by(
        "bob",
        "by a function with its definer's rights",
        "CREATE FUNCTION den.all_of_it() RETURNS SETOF text LANGUAGE sql SECURITY DEFINER AS "
        "'SELECT content FROM plimsoll.memories'",
        "SELECT den.all_of_it()",
    ),
    by(
        "bob",
        "by a function that tells what it is given",
        _LEAK,
        "SELECT id FROM plimsoll.memories WHERE den.leak(content)",
    ),
    by(
        "bob",
        "by the same over sessions",
        _LEAK,
        "SELECT id FROM plimsoll.sessions WHERE den.leak(title) AND den.leak(preview)",
    ),
    by(
        "bob",
        "by an operator that tells what it is given",
        _LEAK,
        "CREATE FUNCTION den.tell(text, text) RETURNS boolean LANGUAGE sql AS "
        "'SELECT den.leak($1)'",
        "CREATE OPERATOR den.=== (LEFTARG = text, RIGHTARG = text, FUNCTION = den.tell)",
        "SELECT id FROM plimsoll.memories WHERE content OPERATOR(den.===) 'x'",
    ),
    by(
        "bob",
        "by an error",
        "SELECT CAST(content AS integer) FROM plimsoll.memories WHERE scope = 'mine'",
    ),
    by(
        "bob",
        "by the plan of a query",
        "EXPLAIN (ANALYZE, VERBOSE) SELECT content FROM plimsoll.memories WHERE scope = 'mine'",
    ),
    by(
        "bob",
        "by the statistics",
        "SELECT tablename, most_common_vals::text, "
        "histogram_bounds::text FROM pg_catalog.pg_stats WHERE schemaname = 'plimsoll'",
    ),
    by("bob", "by the statistics themselves", "SELECT * FROM pg_catalog.pg_statistic"),
    by(
        "bob",
        "by a cursor kept over a change of role",
        "DECLARE held CURSOR WITH HOLD FOR SELECT content FROM plimsoll.memories",
        "FETCH ALL FROM held",
    ),
    by(
        "bob",
        "by a join with what may be read",
        "SELECT other.* FROM plimsoll.memories AS seen "
        "JOIN plimsoll.memories AS other ON other.owner = seen.owner AND other.scope = 'mine'",
    ),
    by(
        "bob",
        "by what an update returns",
        "UPDATE plimsoll.memories SET changed = changed, "
        "written_by = current_user WHERE id = 'k2' RETURNING content",
    ),
    by(
        "bob",
        "by what an insert runs into",
        planted(name="k2") + " ON CONFLICT (project, id) "
        "DO UPDATE SET title = 'x' RETURNING content",
    ),
    by("bob", "by what a delete returns", "DELETE FROM plimsoll.entries RETURNING body"),
    by("bob", "by locking", "SELECT * FROM plimsoll.sessions FOR UPDATE"),
    by("bob", "by the rows of another's transaction", "SELECT pg_catalog.lo_import('/etc/passwd')"),
    by("bob", "by the files of the server", "SELECT pg_catalog.pg_read_file('PG_VERSION')"),
    by(
        "bob",
        "by what others run",
        "SELECT query FROM pg_catalog.pg_stat_activity WHERE usename = %(ada)s",
    ),
    by(
        "cy",
        "other people's own, as a reader",
        "SELECT * FROM plimsoll.memories WHERE owner = %(ada)s AND scope = 'mine'",
    ),
    by("dee", "everything, as no member", "SELECT * FROM plimsoll.memories"),
    by("dee", "the projects, as no member", "SELECT name FROM plimsoll.projects"),
    by("dee", "the members, as no member", "SELECT rights FROM plimsoll.members"),
    by("dee", "the pins, as no member", "SELECT text FROM plimsoll.pins"),
    by(
        "owner",
        "other people's own, as the tables' owner",
        "SELECT * FROM plimsoll.memories WHERE scope = 'mine'",
        "SELECT * FROM plimsoll.sessions",
        "SELECT * FROM plimsoll.entries",
    ),
)

BEING_ANOTHER = (
    by("bob", "to be another by SET ROLE", "SET ROLE {ada}", "SELECT * FROM plimsoll.memories"),
    by("bob", "to be another by SET SESSION AUTHORIZATION", "SET SESSION AUTHORIZATION {ada}"),
    by("bob", "to be a member of another's role", "GRANT {ada} TO {bob}"),
    by("bob", "to be a superuser", "ALTER ROLE {bob} SUPERUSER"),
    by("bob", "to pass by row security", "ALTER ROLE {bob} BYPASSRLS"),
    by("bob", "to have another's password", "ALTER ROLE {ada} PASSWORD 'x'"),
    by("bob", "to take the name of another", "ALTER ROLE {bob} RENAME TO admin_of_all"),
    by(
        "bob",
        "to be admin",
        "UPDATE plimsoll.members SET rights = rights || "
        "jsonb_build_object(current_user::text, 'admin')",
    ),
    by(
        "bob",
        "to be admin of another project",
        "INSERT INTO plimsoll.members (project, rights) "
        "VALUES (%(lighthouse)s, jsonb_build_object(current_user::text, 'admin'))",
    ),
    by(
        "cy",
        "to write, as a reader",
        "UPDATE plimsoll.members SET rights = rights || "
        "jsonb_build_object(current_user::text, 'write')",
    ),
    by(
        "dee",
        "to be a member",
        "UPDATE plimsoll.members SET rights = rights || "
        "jsonb_build_object(current_user::text, 'write')",
    ),
    by("bob", "to leave the project without an admin", "DELETE FROM plimsoll.members"),
    by(
        "bob",
        "to make a project",
        "INSERT INTO plimsoll.projects (id, name, fingerprint_key) "
        "VALUES (gen_random_uuid(), 'den', '')",
    ),
    by(
        "bob",
        "another meaning of a word",
        "SET search_path = den, pg_catalog",
        "CREATE FUNCTION den.current_user() RETURNS text LANGUAGE sql AS $$SELECT 'x'$$",
        "CREATE FUNCTION den.eq(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
        "CREATE OPERATOR den.= (LEFTARG = text, RIGHTARG = text, FUNCTION = den.eq)",
        "SELECT content FROM plimsoll.memories WHERE scope OPERATOR(pg_catalog.=) 'mine'",
    ),
    by(
        "bob",
        "a table before the real one",
        "CREATE TEMP TABLE members (project uuid)",
        "INSERT INTO members VALUES (%(lighthouse)s)",
        "SELECT * FROM plimsoll.memories WHERE project = %(lighthouse)s",
    ),
)

WRITING = (
    by("bob", "a row in another's name", planted(more=", owner", values=", %(ada)s")),
    by("bob", "a text in another's name", planted(more=", written_by", values=", %(ada)s")),
    by(
        "bob",
        "a change in another's name",
        "UPDATE plimsoll.memories SET content = 'Planted' WHERE id = 'k1'",
    ),
    by(
        "bob",
        "a change signed with another's name",
        "UPDATE plimsoll.memories SET content = 'Planted', written_by = %(ada)s WHERE id = 'k1'",
    ),
    by(
        "bob",
        "another's memory as his own",
        "UPDATE plimsoll.memories SET "
        "owner = current_user, written_by = current_user WHERE id = 'k1'",
    ),
    by(
        "bob",
        "another's memory under another id",
        "UPDATE plimsoll.memories SET id = 'kz', written_by = current_user WHERE id = 'k1'",
    ),
    by(
        "bob",
        "another's memory to another project",
        "UPDATE plimsoll.memories SET "
        "project = %(lighthouse)s, written_by = current_user WHERE id = 'k1'",
    ),
    by(
        "bob",
        "another's memory away from the team",
        "UPDATE plimsoll.memories SET scope = 'mine', written_by = current_user WHERE id = 'k1'",
    ),
    by(
        "bob",
        "another's memory forgotten",
        "UPDATE plimsoll.memories SET gone = true, title = '', "
        "content = '', tags = '[]', fingerprint = '', supersedes = NULL, expires_at = NULL, "
        "written_by = current_user WHERE id = 'k1'",
    ),
    by("bob", "others' memories deleted", "DELETE FROM plimsoll.memories"),
    by("bob", "a table emptied", "TRUNCATE plimsoll.memories"),
    by("bob", "a table dropped", "DROP TABLE plimsoll.memories"),
    by(
        "bob",
        "others' own memories changed",
        "UPDATE plimsoll.memories SET content = 'Planted', "
        "written_by = current_user WHERE scope = 'mine'",
    ),
    by(
        "bob",
        "a tombstone with a text again",
        "UPDATE plimsoll.memories SET gone = false, "
        "content = 'Planted', written_by = current_user WHERE id = 'k3'",
    ),
    by(
        "ada",
        "one's own tombstone with a text again",
        "UPDATE plimsoll.memories SET gone = false, "
        "content = 'Planted', written_by = current_user WHERE id = 'k3'",
    ),
    by("ada", "a tombstone's id again", planted(name="k3")),
    by("ada", "a tombstone deleted", "DELETE FROM plimsoll.memories WHERE id = 'k3'"),
    by(
        "ada",
        "a tombstone that has its text",
        "UPDATE plimsoll.memories SET gone = true, written_by = current_user WHERE id = 'k1'",
    ),
    by("bob", "a memory in another project", planted(project="lighthouse")),
    by("bob", "what is said of a person, for the team", planted(kind="user")),
    by("cy", "a memory, as a reader", planted(name="kc")),
    by(
        "cy",
        "a pin, as a reader",
        "INSERT INTO plimsoll.pins (project, id, changed, at, text, "
        "scope) VALUES (%(project)s, 'pc', 1, 'now', 'Planted', 'team')",
    ),
    by(
        "cy",
        "a change, as a reader",
        "UPDATE plimsoll.memories SET content = 'Planted', written_by = current_user",
    ),
    by("dee", "a memory, as no member", planted(name="kd")),
    by("bob", "another's pin removed", "UPDATE plimsoll.pins SET text = NULL WHERE id = 'p1'"),
    by("bob", "another's pin changed", "UPDATE plimsoll.pins SET text = 'Planted'"),
    by(
        "bob",
        "a pin in another's name",
        "INSERT INTO plimsoll.pins (project, id, changed, at, "
        "text, scope, owner) VALUES (%(project)s, 'px', 1, 'now', 'Planted', 'team', %(ada)s)",
    ),
    by(
        "bob",
        "an entry in another's session",
        "INSERT INTO plimsoll.entries (project, session, "
        "place, body) SELECT %(project)s, %(session)s, 99, 'Planted'",
    ),
    by(
        "bob",
        "an entry as another",
        "INSERT INTO plimsoll.entries (project, owner, "
        "session, "
        "place, body) SELECT %(project)s, %(ada)s, %(session)s, 99, 'Planted'",
    ),
    by("ada", "an entry that was written, changed", "UPDATE plimsoll.entries SET body = 'Planted'"),
    by("bob", "another's lease", "UPDATE plimsoll.sessions SET holder = 'x', fence = fence + 1"),
    by("bob", "another's session deleted", "DELETE FROM plimsoll.sessions"),
    by(
        "bob",
        "an operation in another's name",
        "INSERT INTO plimsoll.operations (project, role, "
        "key, outcome) VALUES (%(project)s, %(ada)s, gen_random_uuid(), '{{}}')",
    ),
    by("bob", "an operation undone", "DELETE FROM plimsoll.operations"),
    by("ada", "an operation told otherwise", "UPDATE plimsoll.operations SET outcome = 'x'"),
    by("bob", "the project's name", "UPDATE plimsoll.projects SET name = 'den'"),
    by(
        "bob",
        "the project's key of fingerprints",
        "UPDATE plimsoll.projects SET fingerprint_key = ''",
    ),
    by("bob", "the project", "DELETE FROM plimsoll.projects"),
    by("bob", "the version of the tables", "INSERT INTO plimsoll.versions (version) VALUES (99)"),
    by("bob", "the policies", "DROP POLICY reading ON plimsoll.memories"),
    by("bob", "a policy of his own", "CREATE POLICY mine ON plimsoll.memories USING (true)"),
    by("bob", "row security", "ALTER TABLE plimsoll.memories DISABLE ROW LEVEL SECURITY"),
    by(
        "bob",
        "a trigger",
        "CREATE TRIGGER t AFTER INSERT ON plimsoll.memories FOR EACH ROW "
        "EXECUTE FUNCTION plimsoll.count_on()",
    ),
    by("bob", "a rule", "CREATE RULE r AS ON INSERT TO plimsoll.memories DO NOTHING"),
    by("bob", "a table in our schema", "CREATE TABLE plimsoll.den (x integer)"),
    by("bob", "rows by copying them in", "COPY plimsoll.memories FROM STDIN"),
    by("bob", "a lock on everybody", "LOCK TABLE plimsoll.memories IN ACCESS EXCLUSIVE MODE"),
    by("bob", "a right for somebody else", "GRANT ALL ON plimsoll.memories TO {dee}"),
)
