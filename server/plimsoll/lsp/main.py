"""The language server of the product: what is registered, and when it is loaded.

Start-up is a promise: until `initialize` is answered nothing is imported that it does not need.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types

from plimsoll import __version__
from plimsoll.lsp.offered import COMMANDS, METHODS, PROTOCOL_VERSION
from plimsoll.lsp.server import PlimsollServer

if TYPE_CHECKING:
    from plimsoll.lsp.desk import Desk
    from plimsoll.lsp.editing import Editing

SECTION = "plimsoll"


class Product:
    """The server and its desk, which is made once the client has said who it is."""

    def __init__(self, config: Path | None) -> None:
        self.server = PlimsollServer("plimsoll", __version__)
        self._config = config
        self._options: object = None
        self._desk: Desk | None = None
        self._editing: Editing | None = None
        self.server.on_initialize(self._initialize)
        self.server.load_later(self._load, COMMANDS)
        self.server.on_close(self._close)
        self._watch_documents()

    async def _initialize(self, params: types.InitializeParams) -> Mapping[str, object]:
        raw = params.initialization_options
        given = cast("Mapping[str, object]", raw).get(SECTION) if isinstance(raw, Mapping) else None
        self._options = given
        answer: dict[str, object] = {
            "protocolVersion": PROTOCOL_VERSION,
            "methods": METHODS,
            "commands": COMMANDS,
        }
        if isinstance(given, Mapping) and cast("Mapping[str, object]", given).get("resume"):
            from plimsoll.lsp.welcome import resumed

            session = await resumed(self._opened())
            answer |= {"session": session} if session else {}
        return {SECTION: answer}

    def _opened(self) -> Desk:
        if self._desk is None:
            from plimsoll.lsp.welcome import open_desk

            self._desk = open_desk(self.server, self._options, self._config)
        return self._desk

    def _load(self) -> None:
        """Register everything else, before any other message is read."""
        from plimsoll.lsp.editing import Editing
        from plimsoll.lsp.handlers.commands import run
        from plimsoll.lsp.handlers.service import did_change_trust
        from plimsoll.lsp.handlers.table import HANDLERS
        from plimsoll.lsp.protocol import names
        from plimsoll.lsp.protocol.methods import REQUESTS
        from plimsoll.lsp.protocol.status import DidChangeTrustParams
        from plimsoll.lsp.protocol.wire import Anything

        desk = self._opened()
        self._editing = Editing(desk)
        for name, handler in HANDLERS.items():
            model = REQUESTS[name].params
            self.server.method(name, model, cast("Any", partial(handler, desk)))
        for name in COMMANDS:

            async def command(argument: Anything, name: str = name) -> object:
                return await run(desk, name, argument.value())

            self.server.add_command(name, Anything, command)
        self.server.notification(
            names.DID_CHANGE_TRUST, DidChangeTrustParams, partial(did_change_trust, desk)
        )
        self._watch_configuration(desk)

    def _watch_documents(self) -> None:
        """Registered before `initialize`, since its answer names them."""

        @self.server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
        async def did_change(params: types.DidChangeTextDocumentParams) -> None:
            if self._editing is not None:
                self._editing.changed(params)

        @self.server.feature(types.TEXT_DOCUMENT_CODE_LENS)
        async def code_lens(params: types.CodeLensParams) -> list[types.CodeLens]:
            editing = self._editing
            return await editing.lenses(params.text_document.uri) if editing else []

        _ = did_change, code_lens

    def _watch_configuration(self, desk: Desk) -> None:
        from plimsoll.lsp.configuration import pull, register

        @self.server.feature(types.INITIALIZED)
        async def initialized(_params: types.InitializedParams) -> None:
            await register(self.server)
            await pull(desk)

        @self.server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
        async def changed(_params: types.DidChangeConfigurationParams) -> None:
            await pull(desk)

        _ = initialized, changed

    async def _close(self) -> None:
        if self._desk is not None:
            await self._desk.close()


def serve(config: Path | None = None, tcp: str | None = None) -> None:
    """Serve one client over standard streams, or over a loopback ``HOST:PORT``."""
    product = Product(config)
    if tcp is None:
        product.server.run_stdio()
    else:
        product.server.run_tcp(tcp)
