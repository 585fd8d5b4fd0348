"""What the handlers share: the app, open sessions with their update streams, the client."""

import asyncio
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from plimsoll.app.app import App
from plimsoll.app.front import BrowserViews, Front, NoBrowserViews, ProcessInputs
from plimsoll.errors import InvalidInput, NotFound, PlimsollError, SettingsInvalid
from plimsoll.folders import folder_of, is_here, local_path
from plimsoll.lsp.features.client_ports import ClientAsker, ClientWindow, MovedFolders
from plimsoll.lsp.features.editor.documents import ClientDocuments
from plimsoll.lsp.features.editor.knowledge import ClientKnowledge
from plimsoll.lsp.features.following import Following
from plimsoll.lsp.features.resuming import Resuming
from plimsoll.lsp.features.streams import Streams
from plimsoll.lsp.features.team_changes import TeamChanges
from plimsoll.lsp.server import PlimsollServer
from plimsoll.lsp.wire import methods
from plimsoll.lsp.wire.base import dump
from plimsoll.lsp.wire.memories import MemoryDidChangeParams
from plimsoll.lsp.wire.outside.mcp import McpDidChangeParams
from plimsoll.lsp.wire.service import PlimsollOptions
from plimsoll.redaction.secrets import Secrets
from plimsoll.session.commands.speaking import Speaking
from plimsoll.session.project import Project
from plimsoll.session.session import Session
from plimsoll.settings import Settings, client_layer, local_layers, merge
from plimsoll.telemetry.base import SpanSink

log = logging.getLogger(__name__)


class ServerContext:
    """One client's sessions."""

    def __init__(
        self,
        editor: PlimsollServer,
        secrets: Secrets,
        config: Path | None = None,
        sinks: tuple[SpanSink, ...] = (),
        profile: str | None = None,
        make_views: Callable[[], BrowserViews] | None = None,
    ) -> None:
        """``make_views`` makes the server for browsers; None: there is none."""
        self.editor = editor
        self.speaking = Speaking()
        self.resuming = Resuming()
        self.options = PlimsollOptions(protocol_version=1)
        self._secrets = secrets
        self._config = config
        self._sinks = sinks
        self._profile = profile
        self._make_views = make_views or NoBrowserViews
        self._client_tree: Mapping[str, object] = {}
        self._trusted: dict[Path, bool] = {}
        self._app: App | None = None
        self._leaving: asyncio.Future[None] | None = None
        self._asker = ClientAsker(editor, lambda: self.app.settings.permission.timeout_seconds)
        self._knowledge = ClientKnowledge(editor)
        self._moved = MovedFolders(editor, lambda: self.app)
        self.streams = Streams(self._notify, lambda: editor.waiting)
        self._window = ClientWindow(editor)
        self._team_changes = TeamChanges(self._notify)
        self.following = Following(
            self.streams, self.shown_session, self.live, self._window.is_present
        )

    @property
    def app(self) -> App:
        """The app, made at its first use; raises SettingsInvalid."""
        if self._app is None:
            given = ProcessInputs(
                variables=dict(os.environ),
                secrets=self._secrets,
                load_settings=self._load_settings,
                sinks=self._sinks,
            )
            self._app = App(self._load_settings(), self._front(), given)
        return self._app

    def look_for_sandbox(self) -> None:
        """Start to find the sandbox in the background, before the first command waits for it."""
        # What is wrong with the settings is told when they are asked for something.
        with suppress(SettingsInvalid):
            self.app.probing.start()

    def introduce(self, options: PlimsollOptions) -> None:
        """Apply the options that the client gave in ``initialize``."""
        self.options = options
        self._asker.permission = options.capabilities.permission
        self._knowledge.able = options.capabilities.editor_knowledge
        self._asker.plans = options.capabilities.plans
        self._window.tells = options.capabilities.presence
        self._team_changes.shown = options.capabilities.team
        self.streams.updates = options.capabilities.session_updates

    async def configure(self, tree: Mapping[str, object]) -> None:
        """Apply the client's settings; raises SettingsInvalid."""
        self._client_tree = tree
        if self._app is not None:
            await self._app.configure(self._load_settings())

    async def reread_settings(self) -> None:
        """Apply the person's file as it is now; raises SettingsInvalid."""
        await self.configure(self._client_tree)

    async def trust(self, workspace_folder: str, *, trusted: bool) -> None:
        """Set a folder's trust; without it, its instructions and permissions leave at once."""
        root = folder_of(workspace_folder)
        self._trusted[root] = trusted
        project = self._app.projects.by_root.get(root) if self._app is not None else None
        if project is not None and not trusted:
            self._leaving = asyncio.ensure_future(project.sessions.lose_trust())
            await self._leaving

    async def project(self, workspace_folder: str) -> Project:
        """Open the project of a folder."""
        await self._wait_for_leaving()
        project = await self.app.project(workspace_folder)
        if self.options.window_name is not None:
            project.environment.store.writers.announce(self.options.window_name)
            self.following.begin()
        self._moved.offer(project.environment.root)
        return project

    async def find(self, session_id: str) -> tuple[Project, Session]:
        """Find a session and its project, opening it if need be; raises NotFound."""
        await self._wait_for_leaving()
        for project in self.app.projects.by_root.values():
            if session_id in project.live:
                return project, project.live[session_id]
        for project in await self.everywhere():
            try:
                return project, await project.load(session_id)
            except NotFound:
                continue
        raise _no_session(session_id)

    async def keeper(self, session_id: str) -> Project:
        """Find the project that keeps a session, without opening it; raises NotFound."""
        for project in await self.everywhere():
            if await project.keeps(session_id):
                return project
        raise _no_session(session_id)

    async def everywhere(self) -> list[Project]:
        """Open the projects of the editor's folders, and list all open projects."""
        await self._wait_for_leaving()
        for folder in self.present():
            await self.project(folder)
        return list(self.app.projects.by_root.values())

    async def session(self, session_id: str) -> Session:
        """Find a session by id; raises NotFound."""
        return (await self.find(session_id))[1]

    async def current(self, workspace_folder: str | None) -> tuple[Project, Session]:
        """Return the session for a command that names none."""
        project = await self.project(workspace_folder or self.first_folder())
        await self.resuming.wait_until_opened()
        return project, await project.current()

    def live(self) -> list[Session]:
        """Return every session that is open in this process."""
        projects = self._app.projects.by_root.values() if self._app is not None else ()
        return [session for project in projects for session in project.live.values()]

    def shown_session(self) -> Session | None:
        """Return the session that the editor shows: the one used last."""
        live = {each.id: each for each in self.live() if each.state.caller is None}
        order = [*self.streams.list_by_use(), *reversed(live)]
        return next((live[name] for name in order if name in live), None)

    async def refresh_lenses(self) -> None:
        """Let the editor ask for its lenses again, where it can."""
        workspace = self.editor.client_capabilities.workspace
        lens = workspace.code_lens if workspace is not None else None
        if not self.options.capabilities.lenses or lens is None or not lens.refresh_support:
            return
        try:
            await self.editor.request("workspace/codeLens/refresh", None)
        except PlimsollError as error:
            log.warning("the editor did not refresh its lenses: %s", error.message)

    def folders(self) -> Sequence[str]:
        """Return the folders that are open, as URIs."""
        return [folder.uri for folder in self.editor.folders]

    def present(self) -> Sequence[str]:
        """Return the open folders that exist on disk."""
        return [uri for uri in self.folders() if is_here(uri)]

    def acts(self) -> bool:
        """Tell whether servers may be asked in a person's name: a folder is trusted, or none open.

        Until then nothing is asked of any server.
        """
        folders = self.present()
        return not folders or any(
            self._trusted.get(folder_of(uri), self.options.trusted) for uri in folders
        )

    def first_folder(self) -> str:
        """Return the first open folder; raises InvalidInput when there is none."""
        folders = self.folders()
        if not folders:
            raise InvalidInput("No folder is open.", remedy="Open a folder, or name one.")
        return folders[0]

    async def close(self) -> None:
        """End everything that runs."""
        await self.resuming.close()
        await self.following.close()
        await self._moved.close()
        # Before the store: a command that goes on would write into what is closed.
        await self.speaking.close()
        if self._app is not None:
            await self._app.close()

    async def _wait_for_leaving(self) -> None:
        """Wait until sessions have dropped the texts and permissions of folders that lost trust."""
        if self._leaving is not None:
            await asyncio.wait([self._leaving])

    def _load_settings(self) -> Settings:
        """Read and merge the settings as they are now; raises SettingsInvalid."""
        own = self.options.settings
        return merge(
            [
                *local_layers(self._config, os.environ, self._profile),
                client_layer(own, "initializationOptions"),
                client_layer(self._client_tree),
            ]
        )

    def _front(self) -> Front:
        return Front(
            asker=self._asker,
            listener=self.streams.hear,
            documents=ClientDocuments(self.editor),
            knowledge=self._knowledge,
            trusted=lambda root: self._trusted.get(root, self.options.trusted),
            ripgrep=self.options.ripgrep_path,
            workspaces=lambda: [local_path(uri) for uri in self.present()],
            memories_changed=self._memories_changed,
            team_changed=self._team_changes.tell,
            views=self._make_views(),
            mcp_changed=self._mcp_changed,
        )

    def _memories_changed(self, workspace_folder: str, waiting: int) -> None:
        params = MemoryDidChangeParams(workspace_folder=workspace_folder, inbox_count=waiting)
        self._notify(methods.MEMORY_DID_CHANGE.name, dump(params), f"memories {workspace_folder}")

    def _mcp_changed(self, workspace_folder: str) -> None:
        params = McpDidChangeParams(workspace_folder=workspace_folder)
        self._notify(methods.MCP_DID_CHANGE.name, dump(params), f"mcp {workspace_folder}")

    def _notify(self, method: str, params: object, key: str | None) -> None:
        self.editor.notify(method, params, key)


def _no_session(session_id: str) -> NotFound:
    return NotFound(
        "session", session_id, remedy="List the sessions of the folder, or start a new one."
    )
