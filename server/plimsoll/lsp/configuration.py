"""The client's settings: pulled when it starts and whenever it says that they changed."""

import logging
from collections.abc import Mapping
from typing import cast

from plimsoll.errors import PlimsollError, SettingsInvalid
from plimsoll.lsp.desk import Desk
from plimsoll.lsp.protocol import names
from plimsoll.lsp.protocol.status import DidChangeStatusParams
from plimsoll.lsp.protocol.wire import dump
from plimsoll.lsp.server import PlimsollServer

SECTION = "plimsoll"

log = logging.getLogger(__name__)


async def register(server: PlimsollServer) -> None:
    """Ask to be told of changes, where the client can."""
    workspace = server.client_capabilities.workspace
    dynamic = workspace and workspace.did_change_configuration
    if not dynamic or not dynamic.dynamic_registration:
        return
    registration = {
        "id": "plimsoll-configuration",
        "method": "workspace/didChangeConfiguration",
        "registerOptions": {"section": SECTION},
    }
    try:
        await server.request("client/registerCapability", {"registrations": [registration]})
    except PlimsollError as error:
        log.warning("the editor does not tell of changed settings: %s", error.message)


async def pull(desk: Desk) -> None:
    """Take the client's settings; what is wrong with them is shown, and the old ones stay."""
    workspace = desk.server.client_capabilities.workspace
    if workspace is None or not workspace.configuration:
        return
    try:
        raw = await desk.server.request(
            "workspace/configuration", {"items": [{"section": SECTION}]}
        )
    except PlimsollError as error:
        log.warning("the editor's settings could not be read: %s", error.message)
        return
    found = cast("list[object]", raw)[0] if isinstance(raw, list) and raw else None
    try:
        await desk.configure(
            cast("Mapping[str, object]", found)
            if isinstance(found, Mapping)
            else dict[str, object]()
        )
    except SettingsInvalid as error:
        remedy = f" {error.remedy}" if error.remedy else ""
        status = DidChangeStatusParams(kind="error", message=f"{error.message}{remedy}")
        desk.server.notify(names.DID_CHANGE_STATUS, dump(status))
