"""The answer to `initialize`: what is there, and the session to go on with."""

from collections.abc import Mapping
from pathlib import Path
from typing import cast

from lsprotocol import types

from plimsoll.errors import NotFound
from plimsoll.lsp.desk import Desk
from plimsoll.lsp.handlers.commands import served
from plimsoll.lsp.handlers.sessions import info
from plimsoll.lsp.handlers.table import HANDLERS
from plimsoll.lsp.protocol.initialize import (
    PROTOCOL_VERSION,
    PlimsollOptions,
    PlimsollServerCapabilities,
)
from plimsoll.lsp.protocol.sessions import SessionInfo
from plimsoll.lsp.protocol.wire import dump
from plimsoll.lsp.registry import validate
from plimsoll.lsp.server import PlimsollServer

LATEST = "latest"


async def welcome(
    server: PlimsollServer, params: types.InitializeParams, config: Path | None
) -> tuple[Desk, Mapping[str, object]]:
    """The desk for this client, and what stands in ``capabilities.experimental.plimsoll``."""
    desk = Desk(server, config)
    desk.introduce(options_of(params))
    answer = PlimsollServerCapabilities(
        protocol_version=PROTOCOL_VERSION,
        methods=tuple(HANDLERS),
        commands=served(),
        session=await _resumed(desk),
    )
    return desk, cast("Mapping[str, object]", dump(answer))


def options_of(params: types.InitializeParams) -> PlimsollOptions:
    """What the client said of itself; a plain LSP client has said nothing."""
    raw = params.initialization_options
    given = cast("Mapping[str, object]", raw).get("plimsoll") if isinstance(raw, Mapping) else None
    if not isinstance(given, Mapping):
        return PlimsollOptions(protocol_version=PROTOCOL_VERSION)
    return validate("initialize", PlimsollOptions, cast("object", given))


async def _resumed(desk: Desk) -> SessionInfo | None:
    """The session that the client wants to go on with, where there is one."""
    wanted = desk.options.resume
    if wanted is None or not desk.folders():
        return None
    try:
        project = await desk.project(desk.first_folder())
        return info(await project.load(None if wanted == LATEST else wanted))
    except NotFound:
        return None
