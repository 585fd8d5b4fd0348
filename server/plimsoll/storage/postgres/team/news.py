"""What has changed in a project since a machine asked last, read in one snapshot."""

from psycopg.sql import SQL

from plimsoll.storage.postgres.projects import SharedProject, no_project
from plimsoll.storage.postgres.team.rows import (
    MEMORY_COLUMNS,
    PIN_COLUMNS,
    SESSION_COLUMNS,
    shared_memory,
    shared_pin,
    shared_session,
)
from plimsoll.storage.shared.news import News

_CLOCK = "SELECT clock FROM plimsoll.projects WHERE id = %(project)s"
_BRANCH = SQL("""
(SELECT changed FROM plimsoll.{} WHERE project = %(project)s AND changed > %(since)s
 ORDER BY changed LIMIT %(limit)s)
""")
_REACHED = SQL("""
SELECT max(changed), count(*) FROM (
  SELECT changed FROM ({}) AS every ORDER BY changed LIMIT %(limit)s) AS first
""").format(
    SQL(" UNION ALL ").join(_BRANCH.format(SQL(each)) for each in ("memories", "pins", "sessions"))
)
_SPAN = "project = %(project)s AND changed > %(since)s AND changed <= %(position)s"
_MEMORIES = SQL("SELECT {} FROM plimsoll.memories WHERE {} ORDER BY changed").format(
    MEMORY_COLUMNS, SQL(_SPAN)
)
_PINS = SQL("SELECT {} FROM plimsoll.pins WHERE {} ORDER BY changed").format(
    SQL(PIN_COLUMNS), SQL(_SPAN)
)
_SESSIONS = SQL("SELECT gone, {} FROM plimsoll.sessions WHERE {} ORDER BY changed").format(
    SESSION_COLUMNS, SQL(_SPAN)
)


async def read_news(project: SharedProject, since: int, limit: int) -> News:
    """Read the changes after a position; raises NotFound if the project is gone."""
    row = await project.first_row(_CLOCK)
    if row is None:
        raise no_project(str(project.id))
    clock = int(row[0])
    if clock == since:
        return News(position=since)
    # A server that was set back to an earlier state tells everything once more.
    since = since if since < clock else 0
    reached = await project.first_row(_REACHED, since=since, limit=limit)
    assert reached is not None
    position = clock if reached[1] < limit else min(clock, int(reached[0]))
    return await _between(project, since, position, more=position < clock)


async def _between(project: SharedProject, since: int, position: int, *, more: bool) -> News:
    span = {"since": since, "position": position}
    memories = await project.named_rows(_MEMORIES, **span)
    pins = await project.all_rows(_PINS, **span)
    sessions = await project.all_rows(_SESSIONS, **span)
    told = (shared_memory(row) for row in memories if not row["gone"])
    return News(
        position=position,
        memories=[each for each in told if each is not None],
        forgotten=[row["id"] for row in memories if row["gone"]],
        pins=[shared_pin(row) for row in pins if row[2] is not None],
        removed_pins=[row[0] for row in pins if row[2] is None],
        sessions=[shared_session(row) for gone, *row in sessions if not gone],
        deleted_sessions=[row[0] for gone, *row in sessions if gone],
        more=more,
    )
