"""The one wiring place: settings become models, stores and tools, and these become projects."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from plimsoll.app.front import Front, ProcessInputs
from plimsoll.app.lazy_team import LazyTeam
from plimsoll.app.lazy_trees import LazyTrees
from plimsoll.app.mcp_servers import PersonsServers
from plimsoll.app.open_projects import OpenProjects
from plimsoll.app.session_ports import SCHEMAS, file_ports
from plimsoll.app.teams import FolderTeams
from plimsoll.context.log.traits import Tools
from plimsoll.memory.service import Memories
from plimsoll.model_servers import connected_models
from plimsoll.models import OpenModels
from plimsoll.profiles import ServerProfiles
from plimsoll.redaction.secrets import Secrets, StreamRedactor
from plimsoll.redaction.variables import secrets_of
from plimsoll.rules import (
    access_of,
    command_environment,
    cost_of,
    custom_places,
    find_sandbox,
    hook_folder,
    session_rules,
    skill_folders,
    this_machine,
    web_rules,
)
from plimsoll.session.log.readings import not_kept
from plimsoll.session.model.window import follow_settings
from plimsoll.session.ports.environment import Environment, OutsidePorts, traits_of
from plimsoll.session.ports.ids import new_memory_id
from plimsoll.session.ports.written import KnownCustom, KnownSkills
from plimsoll.session.project import Project
from plimsoll.settings import Settings
from plimsoll.status import (
    AppStatus,
    StoreKind,
    Warned,
    lost_telemetry,
    no_telemetry,
    warn_in_memory,
    warn_moved,
    warn_of_team,
)
from plimsoll.storage.clock import trusted_time
from plimsoll.storage.database.units import finish
from plimsoll.storage.locate import ProjectPaths, data_folder, locate, paths_of
from plimsoll.storage.project import ProjectStore
from plimsoll.storage.registry import open_store
from plimsoll.storage.rows_file import kept_files
from plimsoll.storage.shared.team import Team
from plimsoll.storage.spill import Spills
from plimsoll.telemetry.process import ProcessTelemetry
from plimsoll.tools import (
    GitRepository,
    OfferedTools,
    Web,
    WebRules,
    open_folder_tools,
    open_tools,
    tool_traits,
)
from plimsoll.tools.editor.code_index import CodeIndex
from plimsoll.tools.editor.rightly_read import RightlyRead
from plimsoll.tools.ports.apart.own_trees import NoTrees
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.hooks import HookOutput, HookRequest
from plimsoll.tools.ports.mcp import McpHost
from plimsoll.tools.ports.tool import AnyTool
from plimsoll.tools.process.confinement.base import Access, Probed
from plimsoll.tools.process.confinement.confining import Confining, Probing
from plimsoll.tools.process.processes import Processes
from plimsoll.tools.search.ripgrep import find_ripgrep
from plimsoll.tools.search.searching import Searches


class App:
    """The services of one process, and its open projects; made once, closed once."""

    def __init__(self, settings: Settings, front: Front, given: ProcessInputs) -> None:
        self.settings = settings
        self._rules = session_rules(settings)
        self.profiles = ServerProfiles(lambda: self.settings, self.configure)
        self.front = front
        self.secrets = given.secrets or Secrets(secrets_of(given.variables))
        self._data = data_folder(given.variables)
        self.projects = OpenProjects(self._data, self._make)
        self.team_passwords: dict[str, str] = {}
        """Passwords for teams' servers that a client handed over, by address."""
        kept = kept_files(given.variables, given.store, self.projects.warnings.append)
        self.models = OpenModels(settings, given.variables, self.secrets, kept=kept)
        self._given = given
        self.probing = Probing(given.probe or self._look_for_sandbox)
        """The sandbox of this machine; begun early by whoever serves a person for long."""
        endpoint = settings.telemetry.otlp_endpoint
        self.telemetry = ProcessTelemetry(self.secrets, given.sinks, endpoint)
        self._processes = Processes(network=self.models.network.now)
        self._searches = Searches()
        self._web = self._web_rules()
        web = Web(lambda: self._web, self.models.network.now)
        services = {"processes": self._processes, "searches": self._searches, "web": web}
        self._opened = open_tools({**services, "code_index": CodeIndex(self._searches)})
        self._tools = OfferedTools(self._opened, lambda: self._web)
        self._servers = PersonsServers(
            given.variables,
            self.secrets,
            processes=self._processes,
            models=self.models,
            changed=front.mcp_changed,
            given=front.given_servers,
            load=given.load_settings,
            taken=self._take_servers,
        )
        self._servers.configure(settings)
        self._teams = FolderTeams(
            given=given,
            front=front,
            projects=self.projects,
            secrets=self.secrets,
            settings=lambda: self.settings,
            passwords=self.team_passwords,
            tools=traits_of(self._tools),
        )

    async def project(self, workspace_folder: str) -> Project:
        """Return the project of a folder, given as a URI; opened once, whatever path leads to it.

        Raises:
            InvalidInput: There is no such folder.
            StoreError: Its store cannot be opened.
        """
        return await self.projects.open(workspace_folder)

    @property
    def tools(self) -> Mapping[str, AnyTool]:
        """The tools by name."""
        return self._tools

    async def status(self) -> AppStatus:
        """Return the data folder, the number of sessions, and the warnings that need a person."""
        counts = [len(await project.list()) for project in list(self.projects.by_root.values())]
        return AppStatus(
            store_path=self._data,
            store_kind=self._store_kind(),
            sessions=sum(counts),
            warnings=tuple(await self.attention()),
            activity=self.telemetry.counts.now(),
        )

    async def sandbox(self) -> Probed:
        """Return the sandbox that confines commands on this machine; waits until one was tried."""
        return await asyncio.to_thread(self.probing.result)

    def _store_kind(self) -> StoreKind:
        if self.projects.damaged:
            return "damaged"
        return "memory" if self._given.store == "memory" or self.projects.in_memory else "disk"

    async def attention(self) -> list[Warned]:
        """List the warnings that need a person."""
        found = [
            *(Warned(w.code, w.message, w.remedy) for w in self.models.warnings),
            *(
                Warned(error.kind, error.message, error.remedy)
                for error in self.projects.failures()
            ),
            *(warn_in_memory(root) for root in sorted(self.projects.in_memory)),
        ]
        found += [no_telemetry()] if self.telemetry.missing else []
        found += [lost_telemetry(count)] if (count := self.telemetry.lost) else []
        for root in list(self.projects.by_root):
            found += [warn_moved(root, old) for old in await self.projects.moved_from(root)]
        for project in list(self.projects.by_root.values()):
            found += warn_of_team(project.environment.team.status())
        return found

    def set_key(self, provider: str, key: str, base_url: str | None = None) -> None:
        """Accept a key from the client's secret store, for one address; it stays in memory.

        Raises:
            InvalidInput: It is no address that a key may be sent to.
        """
        self.secrets.add(f"{provider} key", key)
        self.models.keys.set(provider, key, base_url)

    def set_team_password(self, url: str, password: str) -> str:
        """Accept the password for a team's server from the client's secret store.

        It stays in memory, and goes to this address alone, which is returned as it is stored.

        Raises:
            InvalidInput: It is no address of a team's server.
        """
        # Late: most people have no team.
        from plimsoll.team.addresses import read_address

        address = read_address(url)
        self.secrets.add("team password", password)
        self.team_passwords[address.url] = password
        for project in self.projects.by_root.values():
            project.environment.team.wake()
        return address.url

    async def configure(self, settings: Settings) -> None:
        """Apply new settings; live sessions keep their model, its address and window."""
        self.settings = self.profiles.with_chosen_profile(settings)
        self._rules = session_rules(self.settings)
        self._web = self._web_rules()
        self._servers.configure(self.settings)
        await self.models.configure(self.settings)
        await self.telemetry.configure(self.settings.telemetry.otlp_endpoint)
        for project in list(self.projects.by_root.values()):
            for session in list(project.live.values()):
                await follow_settings(session.state.load, session.state.voice)

    async def close(self) -> None:
        """End turns and stores, searches, child processes and connections, whatever fails."""
        async with AsyncExitStack() as ends:
            ends.push_async_callback(self.telemetry.close)
            ends.push_async_callback(self.models.close)
            ends.push_async_callback(self._processes.close)
            ends.callback(self._searches.close)
            ends.callback(self.projects.by_root.clear)
            for project in reversed(self.projects.by_root.values()):
                ends.push_async_callback(project.close)
            ends.push_async_callback(self.front.views.close)

    async def _make(self, root: Path, workspace_folder: str) -> Project:
        variables, clock, data = self._given.variables, self._given.clock, self._data
        kind = "memory" if (in_memory := root in self.projects.in_memory) else self._given.store
        # In memory, nothing is made on a disk that may be full.
        home = await asyncio.to_thread(paths_of if in_memory else locate, root, data)
        store = await open_store(
            kind, home, self.secrets, self.projects.warnings.append, tools=traits_of(self._tools)
        )
        memories = self._memories(store)
        team = self._team(root, workspace_folder, memories, store)
        spills = Spills(home, self.secrets)
        memories.upkeep.believed = await self._settle(home, spills, team, store)
        trusted = partial(self.front.trusted, root)
        host = self._servers.host_for(root, workspace_folder, home.folder, kept=kind != "memory")
        return Project(
            Environment(
                workspace=workspace_folder,
                machine=await asyncio.to_thread(this_machine, data),
                store=store,
                clock=clock,
                redact=self.secrets,
                open_stream=lambda: StreamRedactor(self.secrets),
                models=self.models,
                tools=self._tools_with(host, root),
                schemas=SCHEMAS,
                commands=self._processes,
                call_context=self._call_context(root, home.sessions, home.caches),
                files=file_ports(spills),
                outside=OutsidePorts(
                    mcp=host,
                    switch_server=self._switch_server,
                    own_trees=NoTrees() if kind == "memory" else LazyTrees(root, home, variables),
                    run_hook=self._run_hook,
                    open_view=partial(self._open_view, root),
                ),
                readings=not_kept if kind == "memory" else spills.readings,
                asker=self.front.asker,
                listener=self.front.listener,
                trusted=trusted,
                memories=memories,
                rules=lambda: self._rules,
                cost_of=lambda model, tokens: cost_of(self.models.settings_of(model).model, tokens),
                profiles=self.profiles,
                offers=partial(connected_models, self.models, ask=True),
                skills=KnownSkills(skill_folders(root, variables), store.skills, trusted),
                custom=KnownCustom(custom_places(root, variables), store.skills, trusted),
                tracer=self.telemetry.tracer,
                team=team,
                travelling=team.travelling,
            )
        )

    def _memories(self, store: ProjectStore) -> Memories:
        clock = self._given.clock
        new_id = partial(new_memory_id, clock)
        return Memories(store.memories, new_id, clock.now, joined=store.replica.read_joined)

    async def _settle(
        self, home: ProjectPaths, spills: Spills, team: LazyTeam, store: ProjectStore
    ) -> str:
        """Remove old outputs, and restore the team's status; return the trusted present time."""
        try:
            settled = await asyncio.to_thread(self._sweep, home, spills)
            await team.recall()
        except BaseException:
            # Cancelled, for one: nobody else knows of the store, which would stay open.
            await store.close()
            raise
        return settled

    def _sweep(self, home: ProjectPaths, spills: Spills) -> str:
        """Remove outputs that are past their age; return the trusted present time. Blocks."""
        settled = trusted_time(home.folder)
        spills.sweep(self.settings.truncation.keep_days, settled)
        return datetime.fromtimestamp(settled, UTC).isoformat()

    async def _open_view(self, root: Path, session_id: str) -> str:
        return await self.front.views.open(self.projects.by_root[root], session_id)

    async def _switch_server(self, server: str, tool: str | None, on: bool) -> None:
        await self.configure(await self._servers.switch(self.settings, server, tool, on=on))

    def _take_servers(self, found: Settings) -> None:
        self.settings = replace(self.settings, mcp=found.mcp)

    def _tools_with(self, host: McpHost, root: Path) -> OfferedTools:
        """Return the tools of one folder."""
        tools = {**self._opened, **open_folder_tools(host)}
        return OfferedTools(tools, lambda: self._web, partial(self._servers.are_usable, root))

    async def _run_hook(self, request: HookRequest, context: CallContext) -> HookOutput:
        # Late: most people have no hooks.
        from plimsoll.tools.process.hook_process import run_hook

        return await run_hook(self._processes, hook_folder(), request, context)

    def _team(
        self, root: Path, workspace_folder: str, memories: Memories, store: ProjectStore
    ) -> LazyTeam:
        """Make the folder's part in a team, which each change of the memories wakes."""
        told = partial(self._tell, workspace_folder, memories)
        team = self._teams.make(root, workspace_folder, store, memories_changed=told)
        memories.changed = partial(_call_and_wake, told, team)
        return team

    def _call_context(self, root: Path, sessions: Path, caches: Path) -> CallContext:
        given, folders = self._given, (root, *self.front.workspaces())
        return CallContext(
            root=root,
            documents=RightlyRead(self.front.documents),
            spill_folder=sessions,
            ripgrep=find_ripgrep(given.variables, folders, self.front.ripgrep),
            environment=command_environment(self.settings, given.variables, root),
            confining=Confining(self.probing, partial(self._access, root, caches)),
            knowledge=self.front.knowledge,
            repository=GitRepository(root, given.variables),
            trusted=lambda: self.front.trusted(root),
        )

    def _look_for_sandbox(self) -> Probed:
        given, folders = self._given, (*self.projects.by_root, *self.front.workspaces())
        data = None if given.store == "memory" else self._data
        return find_sandbox(given.variables, folders, self._processes.fork_server, data)

    def _access(self, root: Path, caches: Path, network: bool) -> Access:
        return access_of(self.settings, root, data=self._data, caches=caches, network=network)

    def _web_rules(self) -> WebRules:
        rules = web_rules(self.settings.web, self._given.variables)
        if rules.search_key:
            self.secrets.add("search key", rules.search_key)
        return rules

    async def _tell(self, workspace_folder: str, memories: Memories) -> None:
        # A cancel comes too late for what is stored: it is told all the same.
        waiting = await finish(asyncio.ensure_future(memories.inbox()))
        self.front.memories_changed(workspace_folder, len(waiting))


async def _call_and_wake(told: Callable[[], Awaitable[None]], team: Team) -> None:
    await told()
    team.wake()


def known_tools() -> Tools:
    """Return the traits of each of our tools, for a log that is read without a project."""
    return tool_traits()
