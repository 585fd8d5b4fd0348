"""What the methods share: the app, the sessions that the client has open, and the client."""

import asyncio
import logging
import os
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

from plimsoll.acp.abilities import ClientAbilities
from plimsoll.acp.client.asking import AcpAsker
from plimsoll.acp.client.documents import AcpDocuments
from plimsoll.acp.convert.calls import Update
from plimsoll.acp.convert.content import absolute
from plimsoll.acp.convert.updates import available_commands
from plimsoll.acp.following import AcpFollowing
from plimsoll.acp.given_servers import NO_SERVERS, GivenServers, connecting, secrets_in
from plimsoll.acp.opened import OpenedSession
from plimsoll.acp.options import config_options
from plimsoll.acp.peer import Peer
from plimsoll.acp.streams import UpdateStream, UpdateStreams
from plimsoll.app.app import App
from plimsoll.app.front import Front, ProcessInputs
from plimsoll.errors import InvalidInput, NotFound, PlimsollError
from plimsoll.model_servers import connected_models
from plimsoll.redaction.secrets import Secrets
from plimsoll.session.commands.speaking import Speaking
from plimsoll.session.ports.events import NoticeGiven, TurnEnded
from plimsoll.session.ports.offered_models import ModelOffers
from plimsoll.session.project import Project
from plimsoll.session.session import Session
from plimsoll.settings import local_layers, merge
from plimsoll.storage.base import SessionRecord
from plimsoll.telemetry.base import SpanSink
from plimsoll.tools.ports.mcp import McpServer
from plimsoll.view.served_views import ServedViews

SESSION_UPDATE = "session/update"
MOST_STORED = 2_000
"""Sessions of each stored folder among which one is looked for, and that are listed."""

log = logging.getLogger(__name__)


class AcpContext:
    """One client's sessions."""

    def __init__(
        self,
        peer: Peer,
        secrets: Secrets,
        config: Path | None = None,
        sinks: tuple[SpanSink, ...] = (),
        profile: str | None = None,
    ) -> None:
        self.abilities = ClientAbilities()
        self.speaking = Speaking()
        self.streams = UpdateStreams(self._update, lambda: self.abilities)
        self.streams.on_end = self._end
        self.following = AcpFollowing(self.streams, self._last_used)
        self._peer = peer
        self._asker = AcpAsker(
            peer,
            self._root_of,
            lambda: self.app.settings.permission.timeout_seconds,
            lambda: self.abilities.fills_forms,
        )
        self._opened: dict[str, OpenedSession] = {}
        """In the order in which they were opened."""
        self._uses = count(1)
        self._load_settings = lambda: merge(local_layers(config, os.environ, profile))
        self._given = ProcessInputs(
            variables=dict(os.environ),
            secrets=secrets,
            load_settings=self._load_settings,
            sinks=sinks,
        )
        self._app: App | None = None
        self._listing: asyncio.Task[None] | None = None
        self.offers = ModelOffers()
        """The models that can be chosen, as they were last listed."""

    @property
    def app(self) -> App:
        """The app, made at its first use; raises SettingsInvalid."""
        if self._app is None:
            self._app = App(self._load_settings(), self._front(), self._given)
            self._app.probing.start()
        return self._app

    def introduce(self, params: object) -> None:
        """Store the abilities that the client declares in `initialize`."""
        self.abilities = ClientAbilities.of(params)

    async def project(self, cwd: str) -> Project:
        """Open the project of a folder; raises InvalidInput where it is none."""
        path = absolute(cwd)
        if path is None:
            raise InvalidInput(f"cwd: {cwd[:200]!r} is no absolute path.")
        return await self.app.project(path.as_uri())

    def projects(self) -> list[Project]:
        """Return the projects that are open."""
        return list(self.app.projects.by_root.values())

    async def keeper(self, session_id: str) -> Project:
        """Find the project that keeps a session, without opening that; raises NotFound.

        The folder of a session that was listed and not opened here is opened.
        """
        opened = self._opened.get(session_id)
        if opened is not None:
            return opened.project
        for project in self.projects():
            if await project.keeps(session_id):
                return project
        for record in await self.app.projects.stored_sessions(MOST_STORED):
            if record.id == session_id:
                return await self.app.project(record.workspace)
        raise no_session(session_id)

    def open(
        self, project: Project, session: Session, servers: GivenServers = NO_SERVERS
    ) -> OpenedSession:
        """Open a session for the client; nothing is sent of it before ``tell``.

        ``servers``: the MCP servers that the client gives it.
        """
        opened = self._opened.get(session.id) or OpenedSession(
            id=session.id, project=project, used=next(self._uses)
        )
        self._opened[session.id] = opened
        opened.servers = servers
        self.streams.close(session.id)
        root, money = project.environment.root, _money_of(opened)
        self.streams.open(
            session.id, UpdateStream(root=root, money=money, options=self.options_update)
        )
        return opened

    def tell(self, session: Session) -> None:
        """Send what belongs to a session that was opened, once the client knows its id."""
        opened = self._opened.get(session.id)
        if opened is None:
            return
        opened.note_shown()
        self.streams.tell(session.id, session.state.record)
        self.streams.send(session.id, available_commands())
        self.following.begin()
        for words in opened.servers.refused:
            self.streams.hear(session.id, NoticeGiven(words, "warning"))

    def require_opened(self, session_id: str) -> OpenedSession:
        """Return a session that the client has open; raises NotFound."""
        found = self._opened.get(session_id)
        if found is None:
            raise no_session(session_id)
        found.used = next(self._uses)
        return found

    def find_opened(self, session_id: str) -> OpenedSession | None:
        """Return a session that the client has open; None if it has not."""
        return self._opened.get(session_id)

    def forget(self, session_id: str) -> None:
        """Note that the client has closed a session."""
        self.streams.close(session_id)
        self._opened.pop(session_id, None)

    def hide_secrets(self, given: GivenServers) -> None:
        """Redact the secrets among a client's servers in all that is stored or shown."""
        for server in given.servers:
            for name, value in secrets_in(server).items():
                self.app.secrets.add(name, value)

    async def ask_about_servers(self, opened: OpenedSession) -> None:
        """Ask once about each server that the client gave a session, before it is needed."""
        for server in opened.undecided_servers():
            decision = await self._asker.ask(opened.id, "", connecting(server))
            (opened.allowed if decision.allowed else opened.refused).append(server)

    def options_update(self, record: SessionRecord) -> Update:
        """Return the options of a session as an update."""
        options = config_options(record, self.offers)
        return {"sessionUpdate": "config_option_update", "configOptions": options}

    async def list_models(self, *, ask: bool) -> bool:
        """List the models that can be chosen; tell whether they are others than before.

        ``ask``: ask their servers, which takes a moment; else what they listed last counts.
        """
        found = await connected_models(self.app.models, ask=ask)
        changed = found.models != self.offers.models
        self.offers = found
        return changed

    def begin_listing_models(self) -> None:
        """Ask the servers for their models in the background; clients are told of new ones."""
        if self._listing is None:
            self._listing = asyncio.create_task(self._tell_models(), name="models")

    async def _tell_models(self) -> None:
        try:
            if not await self.list_models(ask=True):
                return
        except PlimsollError as error:
            log.warning("the models are not listed: %s", error.message)
            return
        for opened in self._opened.values():
            session = opened.live()
            if session is not None:
                self.streams.send(opened.id, self.options_update(session.state.record))

    async def close(self) -> None:
        """End everything that runs."""
        if self._listing is not None:
            self._listing.cancel()
            await asyncio.wait([self._listing])
        await self.following.close()
        await self.speaking.close()
        if self._app is not None:
            await self._app.close()

    def _front(self) -> Front:
        return Front(
            asker=self._asker,
            given_servers=self._allowed_servers,
            listener=self.streams.hear,
            documents=AcpDocuments(
                client=self._peer,
                abilities=lambda: self.abilities,
                session_of=self._session_of,
                loop=asyncio.get_running_loop(),
            ),
            trusted=lambda _: True,
            workspaces=lambda: [each.environment.root for each in self.projects()],
            views=ServedViews(),
        )

    def _allowed_servers(self, root: Path) -> Sequence[McpServer]:
        """Return the servers that a person has allowed for the open sessions of a folder.

        Of several with one name it is that of the session opened first, whose turn may be using it.
        """
        found: dict[str, McpServer] = {}
        for opened in list(self._opened.values()):
            if opened.project.environment.root == root:
                for server in opened.allowed_servers():
                    found.setdefault(server.name, server)
        return tuple(found.values())

    def _root_of(self, session_id: str) -> Path:
        opened = self._opened.get(session_id)
        if opened is None:
            raise no_session(session_id)
        return opened.project.environment.root

    def _session_of(self, path: Path) -> str | None:
        """Return an open session of the folder that has a file, one whose prompt runs first."""
        here = [
            each
            for each in list(self._opened.values())
            if path.is_relative_to(each.project.environment.root)
        ]
        here.sort(key=lambda each: each.waiting is None)
        return here[0].id if here else None

    def _update(self, session_id: str, update: Update) -> None:
        self._peer.notify(SESSION_UPDATE, {"sessionId": session_id, "update": update})

    def _end(self, session_id: str, ended: TurnEnded) -> None:
        opened = self._opened.get(session_id)
        if opened is None:
            return
        opened.note_shown()
        if opened.waiting is not None:
            opened.waiting.note_end(ended)

    def _last_used(self) -> OpenedSession | None:
        return max(self._opened.values(), key=lambda each: each.used, default=None)


def _money_of(opened: OpenedSession) -> Callable[[], float | None]:
    def money() -> float | None:
        session = opened.live()
        return session.state.account.summary().money if session is not None else None

    return money


def no_session(session_id: str) -> NotFound:
    """Make the error of a session that is not open or not there."""
    return NotFound(
        "session", session_id, remedy="List the sessions of its folder, or start a new one."
    )
