"""`plimsoll/status`, a moved folder, keys and trust."""

import asyncio

from plimsoll import __version__
from plimsoll.lsp.desk import Desk
from plimsoll.lsp.protocol import status as wire
from plimsoll.lsp.protocol.memories import ProjectLinkParams
from plimsoll.lsp.protocol.models import ModelSetKeyParams
from plimsoll.lsp.protocol.wire import Empty


async def status(desk: Desk, _params: Empty) -> wire.StatusResult:
    """What runs here, and what needs a person."""
    app = desk.app
    await desk.everywhere()
    found = await app.status()
    size = await asyncio.to_thread(found.store_bytes)
    return wire.StatusResult(
        version=__version__,
        model=app.models.default,
        provider=app.models.default.partition("/")[0],
        store=wire.StoreStatus(path=str(found.store_path), bytes=size),
        sessions=found.sessions,
        warnings=tuple(
            wire.StatusWarning(code=each.code, message=each.message, remedy=each.remedy)
            for each in found.warnings
        ),
    )


async def link(desk: Desk, params: ProjectLinkParams) -> Empty:
    """Take over what is stored of a folder that was moved; raises InvalidInput or NotFound."""
    await desk.app.link(params.workspace_folder, params.from_path)
    return Empty()


async def set_key(desk: Desk, params: ModelSetKeyParams) -> Empty:
    """Take a key from the client's secret store."""
    desk.app.set_key(params.provider, params.key.get_secret_value())
    return Empty()


async def did_change_trust(desk: Desk, params: wire.DidChangeTrustParams) -> None:
    """The person trusts a folder, or no longer does; what trust let in leaves at once."""
    await desk.trust(params.workspace_folder, trusted=params.trusted)
