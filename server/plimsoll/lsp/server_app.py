"""The language server of the product: what is registered, and when it is loaded."""

from __future__ import annotations

import logging
import platform
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types

from plimsoll import __version__
from plimsoll.lsp.capabilities import NAME, SECTION, introduction
from plimsoll.lsp.server import PlimsollServer
from plimsoll.lsp.wire.commands import COMMANDS
from plimsoll.lsp.wire.methods import DID_CHANGE_TRUST, REQUESTS

if TYPE_CHECKING:
    from plimsoll.app.front import BrowserViews
    from plimsoll.lsp.connection import Connection
    from plimsoll.lsp.features.editor.editing import Editing
    from plimsoll.lsp.features.server_context import ServerContext
    from plimsoll.redaction.secrets import Secrets
    from plimsoll.telemetry.base import SpanSink

log = logging.getLogger(__name__)


class ServerApp:
    """Holds the server, and the context of its handlers once the client has sent `initialize`."""

    def __init__(
        self,
        connection: Connection,
        secrets: Secrets,
        config: Path | None,
        sinks: tuple[SpanSink, ...] = (),
        profile: str | None = None,
        make_views: Callable[[], BrowserViews] | None = None,
    ) -> None:
        """``secrets`` are kept out of the log; the client's keys are added to them."""
        self.server = PlimsollServer(NAME, __version__, connection)
        self._secrets = secrets
        self._config = config
        self._sinks = sinks
        self._profile = profile
        self._make_views = make_views
        self._options: object = None
        self._context: ServerContext | None = None
        self._editing: Editing | None = None
        self.server.on_initialize(self._initialize)
        self.server.load_later(self._load, tuple(COMMANDS))
        self.server.on_close(self._close)
        self._watch_documents()

    async def _initialize(self, params: types.InitializeParams) -> Mapping[str, object]:
        raw = params.initialization_options
        given = cast("Mapping[str, object]", raw).get(SECTION) if isinstance(raw, Mapping) else None
        self._options = given
        answer = introduction()
        if isinstance(given, Mapping) and cast("Mapping[str, object]", given).get("resume"):
            from plimsoll.lsp.features.service import session_to_resume

            session = await session_to_resume(self._ensure_context())
            answer |= {"session": session} if session else {}
        return {SECTION: answer}

    def _ensure_context(self) -> ServerContext:
        if self._context is None:
            from plimsoll.lsp.features.service import open_context

            self._context = open_context(
                self.server,
                self._options,
                config=self._config,
                secrets=self._secrets,
                sinks=self._sinks,
                profile=self._profile,
                make_views=self._make_views,
            )
        return self._context

    def _load(self) -> None:
        """Register the remaining handlers, before any other message is read."""
        from plimsoll.lsp.features.commands import HANDLERS, run
        from plimsoll.lsp.features.editor.editing import Editing
        from plimsoll.lsp.features.service import did_change_trust
        from plimsoll.lsp.wire.base import Anything
        from plimsoll.lsp.wire.service import DidChangeTrustParams

        log.info("%s %s serves a client, Python %s", NAME, __version__, platform.python_version())
        context = self._ensure_context()
        self._editing = Editing(context)
        for name, handler in HANDLERS.items():
            model = REQUESTS[name].params
            self.server.method(name, model, cast("Any", partial(handler, context)))
        for name in COMMANDS:

            async def command(argument: Anything, name: str = name) -> object:
                return await run(context, name, argument.value())

            self.server.add_command(name, Anything, command)
        self.server.notification(
            DID_CHANGE_TRUST.name, DidChangeTrustParams, partial(did_change_trust, context)
        )
        self._watch_configuration(context)

    def _watch_documents(self) -> None:
        """Register the document notifications before `initialize`, since its answer names them."""

        @self.server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
        async def did_change(params: types.DidChangeTextDocumentParams) -> None:
            if self._editing is not None:
                self._editing.note_change(params)

        @self.server.feature(types.TEXT_DOCUMENT_CODE_LENS)
        async def code_lens(params: types.CodeLensParams) -> list[types.CodeLens]:
            editing = self._editing
            return await editing.lenses(params.text_document.uri) if editing else []

        _ = did_change, code_lens

    def _watch_configuration(self, context: ServerContext) -> None:
        from plimsoll.lsp.features.service import pull_configuration, register_configuration

        @self.server.feature(types.INITIALIZED)
        async def handle_initialized(_params: types.InitializedParams) -> None:
            await register_configuration(self.server)
            await pull_configuration(context)
            context.look_for_sandbox()

        @self.server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
        async def handle_configuration_change(_params: types.DidChangeConfigurationParams) -> None:
            await pull_configuration(context)

        _ = handle_initialized, handle_configuration_change

    async def _close(self) -> None:
        if self._context is not None:
            await self._context.close()
