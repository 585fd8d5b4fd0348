"""`plimsoll team`: what a folder shares with a team, and who takes part."""

import asyncio
from argparse import Namespace
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from plimsoll.memory.types import MemoryState
from plimsoll.settings import Settings
from plimsoll.storage.shared.base import Joined
from plimsoll.storage.shared.status import TeamState, TeamStatus
from plimsoll.storage.shared.team import Team, not_joined
from plimsoll.team.addresses import ServerAddress
from plimsoll.team.administration import TeamAdministration
from plimsoll.team.checkup import RIGHTS, check_team
from plimsoll.team.surroundings import TeamSurroundings
from plimsoll.terminal.commands.stored import declining_asker, silent
from plimsoll.terminal.commands.team_data import export_folder, export_server, import_file
from plimsoll.terminal.commands.team_surroundings import surroundings_of
from plimsoll.terminal.json_lines import plain_object
from plimsoll.terminal.opening import Opened, open_project, settings_of
from plimsoll.terminal.screen import Screen
from plimsoll.text.wording import plural


@dataclass(frozen=True, slots=True)
class TeamCommand:
    """A command on the open folder."""

    options: Namespace
    screen: Screen
    opened: Opened
    settings: Settings

    @property
    def team(self) -> Team:
        """The folder's part in a team."""
        return self.opened.project.environment.team

    @property
    def around(self) -> TeamSurroundings:
        """The surroundings of parts of a team that the command uses without an app."""
        environment = self.opened.project.environment
        replica = environment.store.replica
        return surroundings_of(environment.root, replica, self.options.secrets, self.settings)

    async def require_joined(self) -> Joined:
        """Return the project that the folder takes part in; raises InvalidInput for none."""
        joined = await self.around.replica.read_joined()
        if joined is None:
            raise not_joined()
        return joined


def team(options: Namespace, screen: Screen) -> int:
    """Run the subcommand that the second word names; returns the exit code."""
    return asyncio.run(_team(options, screen))


async def _team(options: Namespace, screen: Screen) -> int:
    settings = settings_of(options)
    asker = declining_asker(screen)
    async with open_project(options, settings, asker, silent) as opened:
        action = getattr(options, "change", None) or options.action
        return await ACTIONS[action](TeamCommand(options, screen, opened, settings))


async def _create(one: TeamCommand) -> int:
    given = one.options
    status = await one.team.create(given.name, given.url, write_file=given.write_project_file)
    one.screen.line(f"The project {status.project!r} is made, and this folder takes part in it.")
    return await _show(one)


async def _join(one: TeamCommand) -> int:
    name, url = one.options.name, one.options.url
    if url is None and name is not None and "://" in name:
        # The address alone: the folder suggests the project.
        name, url = None, name
    status = await one.team.join(name, url)
    one.screen.line(f"This folder takes part in {status.project!r}.")
    return await _show(one)


async def _leave(one: TeamCommand) -> int:
    was = one.team.status().project or (await one.require_joined()).name
    await one.team.leave()
    one.screen.line(
        f"This folder takes part in {was!r} no more. What colleagues wrote is gone from here, your "
        "own stays and is private."
    )
    return 0


async def _accept(one: TeamCommand) -> int:
    await one.team.accept(one.options.author)
    one.screen.line(f"What {one.options.author!r} shares takes effect here from now on.")
    return 0


async def _show(one: TeamCommand) -> int:
    """Exchange with the server, and show the team's status; 1 if something is wrong."""
    status = await one.team.look()
    if getattr(one.options, "json", False):
        # Late: the shapes of the wire take memory that no text needs.
        from plimsoll.lsp.features.convert import team as convert

        one.screen.object(plain_object(convert.status(status)))
    else:
        one.screen.table("Team", ("what", "found"), _rows(status))
        await _tell_waiting(one)
    return 1 if status.state in {TeamState.AWAY, TeamState.REFUSED} else 0


def _rows(status: TeamStatus) -> list[tuple[str, str]]:
    if status.project is None:
        suggested = status.suggested
        hint = f"; it suggests {suggested.name!r}: `plimsoll team join`" if suggested else ""
        return [("project", f"this folder takes part in none{hint}")]
    rights = RIGHTS.get(status.rights or "", "not known yet")
    rows = [
        ("project", f"{status.project} at {status.url}"),
        ("role", f"{status.role}, {rights}" if status.role else "not known yet"),
        ("server", _STATES[status.state]),
        ("waiting to be sent", f"{status.queued:,}"),
        ("last heard", status.seen_at or "never"),
    ]
    wrong = " ".join(filter(None, (status.message, status.remedy)))
    return [*rows, ("what is wrong", wrong)] if wrong else rows


_STATES: Mapping[TeamState, str] = {
    TeamState.OFF: "none",
    TeamState.OK: "answers",
    TeamState.SLOW: "answers slowly",
    TeamState.READ_ONLY: "answers, and takes no changes",
    TeamState.AWAY: "does not answer",
    TeamState.REFUSED: "refuses",
}


async def _tell_waiting(one: TeamCommand) -> None:
    memories = await one.opened.project.environment.memories.inbox()
    waiting = [memory for memory in memories if memory.state is MemoryState.INBOX]
    if waiting:
        told = plural(len(waiting), "memory", "memories")
        one.screen.note(
            f"! Waiting for your review: {told}. `plimsoll memories --inbox` shows them.", "yellow"
        )


async def _members(one: TeamCommand) -> int:
    administration = await _administration(one)
    found = await administration.members()
    if one.options.json:
        for role, rights in found.items():
            one.screen.object({"role": role, "rights": rights})
        return 0
    rows = [(role, RIGHTS[rights]) for role, rights in found.items()]
    one.screen.table("Members", ("role", "what it may do"), rows)
    return 0


async def _add_member(one: TeamCommand) -> int:
    administration, role = await _administration(one), one.options.role
    await administration.add(role, one.options.rights)
    one.screen.line(f"The role {role!r} {RIGHTS[one.options.rights]}.")
    return 0


async def _remove_member(one: TeamCommand) -> int:
    administration, role = await _administration(one), one.options.role
    if one.options.with_what_they_wrote:
        count = await administration.forget_all_of(role)
        told = plural(count, "memory or pin", "memories and pins")
        one.screen.line(f"Removed for everybody: {told} of {role!r}.")
    await administration.remove(role)
    one.screen.line(f"The role {role!r} is no member any more.")
    return 0


async def _administration(one: TeamCommand) -> TeamAdministration:
    around, joined = one.around, await one.require_joined()
    address = await around.complete(ServerAddress(joined.url))
    return TeamAdministration(around.engine, joined, address)


async def _doctor(one: TeamCommand) -> int:
    found = [checked async for checked in check_team(one.around)]
    rows = [(each.name, each.state, each.told) for each in found]
    one.screen.table("The team's doctor", ("what", "state", "found"), rows)
    return 1 if any(each.state == "wrong" for each in found) else 0


async def _export(one: TeamCommand) -> int:
    """Print what the server has, or the folder's own store where it takes part in no project."""
    around, project, sessions = one.around, one.opened.project, one.options.sessions
    joined = await around.replica.read_joined()
    if joined is None or one.options.local:
        await export_folder(project, one.screen, sessions=sessions)
    else:
        await export_server(around, joined, one.screen, sessions=sessions)
    return 0


async def _import(one: TeamCommand) -> int:
    given, project = one.options, one.opened.project
    await import_file(project, given.file, one.screen, everybody=given.everybody)
    if await one.around.replica.read_joined() is not None:
        return await _show(one)
    return 0


ACTIONS: Mapping[str, Callable[[TeamCommand], Awaitable[int]]] = {
    "create": _create,
    "join": _join,
    "leave": _leave,
    "status": _show,
    "accept": _accept,
    "members": _members,
    "add": _add_member,
    "remove": _remove_member,
    "export": _export,
    "import": _import,
    "doctor": _doctor,
}
"""By the words behind `plimsoll team`."""
