"""What follows the client's introduction: the desk, and the session to go on with."""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from pygls.exceptions import JsonRpcInvalidParams

from plimsoll.errors import NotFound, PlimsollError
from plimsoll.lsp.desk import Desk
from plimsoll.lsp.handlers.sessions import info
from plimsoll.lsp.protocol.initialize import PROTOCOL_VERSION, PlimsollOptions
from plimsoll.lsp.protocol.wire import dump
from plimsoll.lsp.registry import validate
from plimsoll.lsp.server import PlimsollServer

LATEST = "latest"

log = logging.getLogger(__name__)


def open_desk(server: PlimsollServer, options: object, config: Path | None) -> Desk:
    """The desk for this client; a plain LSP client has said nothing of itself."""
    desk = Desk(server, config)
    desk.introduce(_options(options))
    return desk


async def resumed(desk: Desk) -> object:
    """The session that the client wants to go on with, in wire form, where there is one."""
    wanted = desk.options.resume
    if wanted is None or not desk.folders():
        return None
    try:
        project = await desk.project(desk.first_folder())
        session = await project.load(None if wanted == LATEST else wanted)
    except NotFound:
        return None
    except PlimsollError as error:
        # The client starts a new session, and whatever is wrong answers its next request.
        log.warning("no session was resumed: %s", error.message)
        return None
    return cast("object", dump(info(session)))


def _options(given: object) -> PlimsollOptions:
    if not isinstance(given, Mapping):
        return PlimsollOptions(protocol_version=PROTOCOL_VERSION)
    try:
        return validate("initialize", PlimsollOptions, cast("object", given))
    except JsonRpcInvalidParams as error:
        log.warning("initializationOptions.plimsoll is left out: %s", error.data)
        return PlimsollOptions(protocol_version=PROTOCOL_VERSION)
