"""Makes the part that each open folder takes in a team, of what the process has."""

import asyncio
import importlib
import platform
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from plimsoll.app.front import Front, ProcessInputs
from plimsoll.app.lazy_team import LazyTeam, LoadedTeam
from plimsoll.app.open_projects import OpenProjects
from plimsoll.context.log.traits import Tools
from plimsoll.redaction.secrets import Secrets
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.settings import Settings
from plimsoll.storage.locate import data_folder
from plimsoll.storage.machine import machine_id
from plimsoll.storage.project import ProjectStore


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderTeams:
    """Makes the ``Team`` of each folder, with the services that all of them share."""

    given: ProcessInputs
    front: Front
    projects: OpenProjects
    secrets: Secrets
    settings: Callable[[], Settings]
    passwords: Mapping[str, str] = field(repr=False)
    """Those that a client's secret store gave, by the address without a password."""
    tools: Tools
    """The traits of the tools that logs name."""

    def make(
        self,
        root: Path,
        workspace_folder: str,
        store: ProjectStore,
        *,
        memories_changed: Callable[[], Awaitable[None]],
    ) -> LazyTeam:
        """Make the part of a folder; nothing is loaded or asked for yet."""
        changed = partial(self.front.team_changed, workspace_folder)

        async def take_notice(removed: bool) -> None:
            project = self.projects.by_root.get(root)
            if project is not None:
                await project.refresh(removed=removed)
            await memories_changed()

        async def load() -> LoadedTeam:
            # On a thread: nobody's request waits for it.
            await asyncio.to_thread(importlib.import_module, "plimsoll.team.service")
            data = data_folder(self.given.variables)
            machine = await asyncio.to_thread(machine_id, data)
            from plimsoll.team.engine import PostgresEngine
            from plimsoll.team.service import FolderTeam
            from plimsoll.team.surroundings import TeamSurroundings
            from plimsoll.team.travelling.bringing import local_sessions
            from plimsoll.team.travelling.machines import machine_label

            label = machine_label(platform.node(), machine)
            engine = PostgresEngine(
                redact=self.secrets,
                machine_id=machine,
                machine_name=label,
                tools=self.tools,
            )
            return FolderTeam(
                TeamSurroundings(
                    root=root,
                    replica=store.replica,
                    engine=engine,
                    clock=self.given.clock,
                    secrets=self.secrets,
                    variables=self.given.variables,
                    passwords=self.passwords,
                    settings=self.settings,
                    changed=changed,
                    say=partial(self._say, root),
                    arrived=take_notice,
                    sessions=local_sessions(store, self.given.clock, workspace_folder, label),
                )
            )

        return LazyTeam(
            root,
            store.replica,
            self.given.clock,
            load,
            changed=changed,
            may_travel=lambda: self.settings().team.sessions,
        )

    def _say(self, root: Path, words: str) -> None:
        project = self.projects.by_root.get(root)
        if project is not None:
            project.say(NoticeGiven(words, "warning"))
