"""The one wiring place: settings become models, stores and tools, and these become projects."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from plimsoll.context.log.traits import Tools
from plimsoll.errors import InvalidInput, StoreDamaged, StoreError
from plimsoll.folders import folder_of, local_path
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
    find_sandbox,
    session_rules,
    skill_folders,
    this_machine,
)
from plimsoll.session.log.readings import not_kept
from plimsoll.session.model.window import follow_settings
from plimsoll.session.ports.environment import Asker, Clock, Environment, SystemClock, traits_of
from plimsoll.session.ports.events import Listener
from plimsoll.session.ports.known_skills import KnownSkills
from plimsoll.session.project import Project
from plimsoll.settings import Settings
from plimsoll.status import (
    AppStatus,
    StoreKind,
    Warned,
    forgetful,
    lost_telemetry,
    moved,
    no_telemetry,
)
from plimsoll.storage.clock import settled_time
from plimsoll.storage.database.units import finish
from plimsoll.storage.forgetting import Kept, forget_everything, kept
from plimsoll.storage.locate import data_folder, locate, looks_moved, paths_of
from plimsoll.storage.registry import open_store
from plimsoll.storage.rows_file import kept_files
from plimsoll.storage.salvage import Salvaged, require_damage, salvage
from plimsoll.storage.spill import Spills
from plimsoll.telemetry.base import SpanSink
from plimsoll.telemetry.process import ProcessTelemetry
from plimsoll.tools import FilesPutBack, GitRepository, open_tools, tool_traits
from plimsoll.tools.base import AnyTool, CallContext, Documents
from plimsoll.tools.brief import BRIEF_SCHEMAS
from plimsoll.tools.editor.code_index import CodeIndex
from plimsoll.tools.editor.knowledge import EditorKnowledge, NoKnowledge
from plimsoll.tools.editor.rightly_read import RightlyRead
from plimsoll.tools.files.file_read import workspace_text
from plimsoll.tools.process.confinement.base import Access, Probe, Probed
from plimsoll.tools.process.confinement.confining import Confining, Probing
from plimsoll.tools.process.processes import Processes
from plimsoll.tools.search.folder import attached
from plimsoll.tools.search.ripgrep import find_ripgrep
from plimsoll.tools.search.searching import Searches


def _nobody(_workspace_folder: str, _waiting: int) -> None:
    """Do nothing: nobody is shown how many memories wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Front:
    """Whoever shows the product to a person: an editor's client, or a terminal."""

    asker: Asker
    listener: Listener
    documents: Documents
    trusted: Callable[[Path], bool]
    ripgrep: str | None = None
    workspaces: Callable[[], Sequence[Path]] = tuple
    """Returns the folders that are open."""
    knowledge: EditorKnowledge = field(default_factory=NoKnowledge)
    memories_changed: Callable[[str, int], None] = _nobody
    """Called with a folder's URI and the number of its memories that wait for a review."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What the process was started with: variables, store, clock, and the secrets it knows."""

    variables: Mapping[str, str] = field(repr=False)
    store: str = "sqlite"
    """``memory`` keeps nothing beyond the process."""
    clock: Clock = field(default_factory=SystemClock)
    secrets: Secrets | None = None
    """Shared with the log, so that keys that come later are known there; none: of the variables."""
    probe: Probe | None = None
    """Finds another sandbox than the one of the machine."""
    sinks: tuple[SpanSink, ...] = ()
    """Take the spans of what is done; closed with the app."""


class App:
    """Everything of one process; made once, closed once."""

    def __init__(self, settings: Settings, front: Front, surroundings: Surroundings) -> None:
        self.settings = settings
        self._rules = session_rules(settings)
        self.profiles = ServerProfiles(lambda: self.settings, self.configure)
        self.front = front
        self.secrets = surroundings.secrets or Secrets(secrets_of(surroundings.variables))
        self.projects: dict[Path, Project] = {}
        self.warnings: list[StoreError] = []
        """What the stores found wrong in the background."""
        self.unopened: dict[Path, StoreError] = {}
        """The folders whose store could not be opened, and why."""
        kept = kept_files(surroundings.variables, surroundings.store, self.warnings.append)
        self.models = OpenModels(settings, surroundings.variables, self.secrets, kept=kept)
        self._in_memory: set[Path] = set()
        """The folders of which a person wants nothing kept beyond this process."""
        self._surroundings = surroundings
        self._data = data_folder(surroundings.variables)
        self.probing = Probing(surroundings.probe or self._look_for_sandbox)
        """The sandbox of this machine; begun early by whoever serves a person for long."""
        endpoint = settings.telemetry.otlp_endpoint
        self.telemetry = ProcessTelemetry(self.secrets, surroundings.sinks, endpoint)
        self._processes = Processes(network=self.models.network.now)
        self._searches = Searches()
        services = {"processes": self._processes, "searches": self._searches}
        self._tools = open_tools({**services, "code_index": CodeIndex(self._searches)})
        self._opening = asyncio.Lock()

    async def project(self, workspace_folder: str) -> Project:
        """Return the project of a folder, given as a URI; opened once, whatever path leads to it.

        Raises:
            InvalidInput: There is no such folder.
            StoreError: Its store cannot be opened.
        """
        root = folder_of(workspace_folder)
        async with self._opening:
            if root not in self.projects:
                self.projects[root] = await self._opened(root, workspace_folder)
            return self.projects[root]

    async def salvage(self, workspace_folder: str) -> Salvaged:
        """Save what can be read of a folder's damaged store into a new one, on a person's word.

        Sessions that are kept in memory meanwhile stay there until the process ends.

        Raises:
            Busy: Another process has the store open.
            InvalidInput: There is no store, it is whole, or nothing in it can be read.
            StoreError: The new store cannot be written.
        """
        root = folder_of(workspace_folder)
        folder = paths_of(root, self._data).folder
        async with self._opening:
            await asyncio.to_thread(require_damage, folder)
            if root in self.projects and root not in self._in_memory:
                await self.projects.pop(root).close()
            done = await asyncio.to_thread(salvage, folder)
            self.unopened.pop(root, None)
            self.warnings.clear()
        return done

    async def use_memory(self, workspace_folder: str) -> None:
        """Keep a folder's sessions in memory, where its store cannot be used.

        Raises:
            InvalidInput: The store works, or there is no such folder.
        """
        root = folder_of(workspace_folder)
        with suppress(StoreError):
            project = await self.project(workspace_folder)
            # A full disk can still be read, so a store that opened may be of no use.
            await project.environment.store.require_writable()
            if root not in self._in_memory:
                raise InvalidInput(
                    f"The store of {str(root)!r} works.", remedy="Its sessions are kept on disk."
                )
        async with self._opening:
            if root in self.projects and root not in self._in_memory:
                await self.projects.pop(root).close()
            self._in_memory.add(root)
        await self.project(workspace_folder)

    async def forget_everything(self, workspace_folder: str | None) -> list[Kept]:
        """Remove all that is kept of a folder, or of all, and return what it was.

        Raises:
            Busy: Another process has one of the stores open; nothing was removed.
            StoreUnavailable: Some of it cannot be removed.
        """
        root = None if workspace_folder is None else local_path(workspace_folder).resolve()
        async with self._opening:
            for one in list(self.projects) if root is None else [root]:
                if one in self.projects:
                    await self.projects.pop(one).close()
            gone = await asyncio.to_thread(kept, self._data, root)
            await asyncio.to_thread(forget_everything, self._data, root)
        return gone

    async def kept(self, workspace_folder: str | None) -> list[Kept]:
        """List what is kept of a folder, or of all."""
        root = None if workspace_folder is None else local_path(workspace_folder).resolve()
        return await asyncio.to_thread(kept, self._data, root)

    async def moved_from(self, root: Path) -> list[Path]:
        """Find folders that are gone and look like this one; only to be offered."""
        return await asyncio.to_thread(looks_moved, root, self._data)

    async def link(self, workspace_folder: str, from_path: str) -> None:
        """Take over what is stored of a folder that was moved; both are URIs.

        Raises:
            Busy: A process has the old store open.
            InvalidInput: A URI is no folder here, or there still is one at the old path.
            NotFound: Nothing is stored of the old path.
            StoreError: One of the stores cannot be used.
        """
        old = local_path(from_path).resolve()
        project = await self.project(workspace_folder)
        async with self._opening:
            if old in self.projects and not old.exists():
                # It was moved while it was open: its store must be closed to be taken over.
                await self.projects.pop(old).close()
            environment = project.environment
            await environment.store.take_over(old, environment.root, self._data)
        await project.spread()
        await environment.memories.changed()

    @property
    def tools(self) -> Mapping[str, AnyTool]:
        """The tools by name."""
        return self._tools

    async def status(self) -> AppStatus:
        """Return where the data is, how many sessions there are, and what needs a person."""
        counts = [len(await project.list()) for project in list(self.projects.values())]
        return AppStatus(
            store_path=self._data,
            store_kind=self._store_kind(),
            sessions=sum(counts),
            warnings=tuple(await self.attention()),
            activity=self.telemetry.counts.now(),
        )

    async def sandbox(self) -> Probed:
        """Return what confines commands on this machine; waits until that has been tried."""
        return await asyncio.to_thread(self.probing.found)

    def _store_kind(self) -> StoreKind:
        if any(isinstance(error, StoreDamaged) for error in self._failures()):
            return "damaged"
        return "memory" if self._surroundings.store == "memory" or self._in_memory else "disk"

    def _failures(self) -> list[StoreError]:
        failed = [e for root, e in self.unopened.items() if root not in self._in_memory]
        return [*self.warnings, *failed]

    async def attention(self) -> list[Warned]:
        """List what needs a person."""
        found = [
            *(Warned(w.code, w.message, w.remedy) for w in self.models.warnings),
            *(Warned(error.kind, error.message, error.remedy) for error in self._failures()),
            *(forgetful(root) for root in sorted(self._in_memory)),
        ]
        found += [no_telemetry()] if self.telemetry.missing else []
        found += [lost_telemetry(count)] if (count := self.telemetry.lost) else []
        for root in list(self.projects):
            found += [moved(root, old) for old in await self.moved_from(root)]
        return found

    def set_key(self, provider: str, key: str, base_url: str | None = None) -> None:
        """Take a key from the client's secret store, for one address; it stays in memory.

        Raises:
            InvalidInput: It is no address that a key may be sent to.
        """
        self.secrets.add(f"{provider} key", key)
        self.models.set_key(provider, key, base_url)

    async def configure(self, settings: Settings) -> None:
        """Take other settings; live sessions keep their model, its address and window."""
        self.settings = self.profiles.applied(settings)
        self._rules = session_rules(self.settings)
        await self.models.configure(self.settings)
        await self.telemetry.configure(self.settings.telemetry.otlp_endpoint)
        for project in list(self.projects.values()):
            for session in list(project.live.values()):
                await follow_settings(session.state)

    async def close(self) -> None:
        """End turns and stores, searches, child processes and connections, whatever fails."""
        async with AsyncExitStack() as ends:
            ends.push_async_callback(self.telemetry.close)
            ends.push_async_callback(self.models.close)
            ends.push_async_callback(self._processes.close)
            ends.callback(self._searches.close)
            ends.callback(self.projects.clear)
            for project in reversed(self.projects.values()):
                ends.push_async_callback(project.close)

    async def _opened(self, root: Path, workspace_folder: str) -> Project:
        try:
            opened = await self._open(root, workspace_folder)
        except StoreError as error:
            self.unopened[root] = error
            raise
        self.unopened.pop(root, None)
        return opened

    async def _open(self, root: Path, workspace_folder: str) -> Project:
        variables, clock = self._surroundings.variables, self._surroundings.clock
        in_memory, data = root in self._in_memory, data_folder(variables)
        kind = "memory" if in_memory else self._surroundings.store
        # In memory, nothing is made on a disk that may be full.
        home = await asyncio.to_thread(paths_of if in_memory else locate, root, data)
        store = await open_store(
            kind, home, self.secrets, self.warnings.append, tools=traits_of(self._tools)
        )
        memories = Memories(store.memories, lambda: clock.new_id("k"), clock.now)
        memories.changed = partial(self._tell, workspace_folder, memories)
        spills = Spills(home, self.secrets)
        try:
            settled = await asyncio.to_thread(settled_time, home.folder)
            await asyncio.to_thread(spills.sweep, self.settings.truncation.keep_days, settled)
        except BaseException:
            # Cancelled, for one: nobody else knows of the store, which would stay open.
            await store.close()
            raise
        memories.believed = datetime.fromtimestamp(settled, UTC).isoformat()
        trusted = partial(self.front.trusted, root)
        return Project(
            Environment(
                workspace=workspace_folder,
                machine=await asyncio.to_thread(this_machine, data),
                store=store,
                clock=clock,
                redact=self.secrets,
                open_stream=lambda: StreamRedactor(self.secrets),
                models=self.models,
                tools=self._tools,
                brief_schemas=BRIEF_SCHEMAS,
                commands=self._processes,
                call_context=self._call_context(root, home.sessions, home.caches),
                spill=spills.of,
                blobs=spills.blobs,
                readings=not_kept if kind == "memory" else spills.readings,
                restorer=FilesPutBack(),
                asker=self.front.asker,
                listener=self.front.listener,
                trusted=trusted,
                memories=memories,
                rules=lambda: self._rules,
                cost_of=lambda model, tokens: cost_of(self.models.settings_of(model).model, tokens),
                profiles=self.profiles,
                offers=partial(connected_models, self.models, ask=True),
                skills=KnownSkills(skill_folders(root, variables), store.skills, trusted),
                read_attachment=attached,
                read_text=workspace_text,
                tracer=self.telemetry.tracer,
            )
        )

    def _call_context(self, root: Path, sessions: Path, caches: Path) -> CallContext:
        given, folders = self._surroundings, (root, *self.front.workspaces())
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
        given, folders = self._surroundings, (*self.projects, *self.front.workspaces())
        data = None if given.store == "memory" else self._data
        return find_sandbox(given.variables, folders, self._processes.fork_server, data)

    def _access(self, root: Path, caches: Path, network: bool) -> Access:
        return access_of(self.settings, root, data=self._data, caches=caches, network=network)

    async def _tell(self, workspace_folder: str, memories: Memories) -> None:
        # A cancel comes too late for what is stored: it is told all the same.
        waiting = await finish(asyncio.ensure_future(memories.inbox()))
        self.front.memories_changed(workspace_folder, len(waiting))


def known_tools() -> Tools:
    """Return what each of our tools is, for a log that is read without a project."""
    return tool_traits()
