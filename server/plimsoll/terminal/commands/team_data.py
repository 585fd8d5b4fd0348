"""`plimsoll team export` and `import`: what is shared, as lines of JSON."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from plimsoll.errors import InvalidInput
from plimsoll.session.project import Project
from plimsoll.storage.shared.base import Joined
from plimsoll.team.addresses import ServerAddress
from plimsoll.team.moving import (
    Row,
    TeamImport,
    TeamImported,
    read_rows,
    rows_of_folder,
    rows_of_server,
)
from plimsoll.team.surroundings import TeamSurroundings
from plimsoll.terminal.screen import Screen
from plimsoll.text.wording import plural


async def export_server(
    around: TeamSurroundings, joined: Joined, screen: Screen, *, sessions: bool
) -> None:
    """Print all that the role sees of a project at its server."""
    way = await around.complete(ServerAddress(joined.url))
    server = await around.engine.open(way, joined.project)
    try:
        await _print(rows_of_server(server, sessions=sessions), screen)
    finally:
        await server.close()


async def export_folder(project: Project, screen: Screen, *, sessions: bool) -> None:
    """Print all memories and pins of a folder's own store."""
    await _print(rows_of_folder(project, sessions=sessions), screen)


async def import_file(project: Project, named: str, screen: Screen, *, everybody: bool) -> None:
    """Import an export into a folder, and print the counts.

    Raises:
        InvalidInput: The file cannot be read.
    """
    rows = read_rows(_lines(named))
    screen.line(_describe_counts(await TeamImport(project, everybody=everybody).take_in(rows)))


def _lines(named: str) -> Iterator[str]:
    path = Path(named).expanduser()
    try:
        with path.open(encoding="utf-8") as file:
            yield from file
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(
            f"{path} cannot be read: {error}.", remedy="Name the file of an export."
        ) from error


def _describe_counts(done: TeamImported) -> str:
    """Write the counts of imported rows as a sentence."""
    parts = [
        plural(done.memories, "memory", "memories"),
        plural(done.pins, "pin"),
        *([plural(done.sessions, "session")] if done.sessions else []),
    ]
    waiting = f" Waiting for your review: {done.waiting:,}." if done.waiting else ""
    left = f" Left out, as it is here already or not your own: {done.left_out:,}."
    return f"Came in: {', '.join(parts)}.{waiting}{left if done.left_out else ''}"


async def _print(rows: AsyncIterator[Row], screen: Screen) -> None:
    count = -1
    async for row in rows:
        screen.object(row)
        count += 1
    screen.note(f"· {plural(count, 'row')}")
