"""Handlers of `plimsoll/pin/*`: add, list and remove pins."""

from collections.abc import Mapping

from plimsoll.context.log.entries import Pinned
from plimsoll.errors import InvalidInput, NotFound
from plimsoll.lsp.features.convert import context
from plimsoll.lsp.features.server_context import ServerContext
from plimsoll.lsp.wire import pins as wire
from plimsoll.lsp.wire.base import Empty
from plimsoll.memory.types import MemoryScope
from plimsoll.session.layers.pins import count_pin, text_of
from plimsoll.session.project import Project
from plimsoll.session.session import Session

_OF_FOLDER: Mapping[str | None, MemoryScope] = {
    "workspace": MemoryScope.PRIVATE,
    "mine": MemoryScope.MINE,
    "team": MemoryScope.TEAM,
}
"""The scopes of pins of a folder: with whom each is shared."""


async def add(server: ServerContext, params: wire.PinAddParams) -> wire.PinResult:
    """Pin a text or an item in a session, or in all of a folder's if only a folder is named."""
    if params.session_id is None:
        return await _add_to_folder(server, params)
    project, session = await server.find(params.session_id)
    if params.scope in _OF_FOLDER:
        fold = session.state.log.fold
        text = params.text if params.text is not None else text_of(fold, params.item_id or "")
        return await _pin_in_folder(project, text, params.scope)
    pin = await session.pin(params.text, params.item_id)
    return wire.PinResult(pin=context.pin(count_pin(pin, session.state.model.ledger)))


async def list_(server: ServerContext, params: wire.PinOwner) -> wire.PinListResult:
    """List the pins of a session, those of its folder included, or of a folder alone."""
    if params.session_id is None:
        project = await server.project(params.workspace_folder or "")
        pins = [await context.folder_pin(pin, project) for pin in await project.pins.all()]
        return wire.PinListResult(pins=tuple(pins))
    session = await server.session(params.session_id)
    held = session.state.log.fold.pins.values()
    ledger = session.state.model.ledger
    kept = await session.state.environment.store.pins.pins()
    sharing = {pin.id: pin.sharing for pin in kept}
    return wire.PinListResult(
        pins=tuple(
            context.pin(count_pin(pin, ledger), sharing.get(pin.id, context.ONE_MACHINE))
            for pin in held
        )
    )


async def remove(server: ServerContext, params: wire.PinRemoveParams) -> Empty:
    """Remove a pin; a folder's pin leaves all of the folder's sessions."""
    if params.session_id is not None:
        project, session = await server.find(params.session_id)
        await project.pins.remove_from(session, _find_pin(session, params))
    elif params.workspace_folder is not None:
        project = await server.project(params.workspace_folder)
        await project.pins.remove(await _of_folder(project, params))
    else:
        await _remove_by_id(server, params)
    return Empty()


async def _add_to_folder(server: ServerContext, params: wire.PinAddParams) -> wire.PinResult:
    if params.text is None:
        raise InvalidInput(
            "The session of the item is not named.", remedy="Give its sessionId, or pin a text."
        )
    if params.scope == "session":
        raise InvalidInput("No session is named to pin it in.", remedy="Give a sessionId.")
    project = await server.project(params.workspace_folder or "")
    return await _pin_in_folder(project, params.text, params.scope)


async def _pin_in_folder(project: Project, text: str, scope: str | None) -> wire.PinResult:
    pin = await project.pins.add(text, _OF_FOLDER.get(scope or "workspace", MemoryScope.PRIVATE))
    return wire.PinResult(pin=await context.folder_pin(pin, project))


async def _remove_by_id(server: ServerContext, params: wire.PinRemoveParams) -> None:
    """Remove a pin by its id alone, found among the open sessions and folders."""
    if params.pin_id is None:
        raise InvalidInput(
            "A number means a pin of one session or folder.",
            remedy="Give a sessionId or a workspaceFolder.",
        )
    for project in server.app.projects.by_root.values():
        for session in project.live.values():
            if (pin := session.state.log.fold.pins.get(params.pin_id)) is not None:
                await project.pins.remove_from(session, pin)
                return
    for project in await server.everywhere():
        if any(pin.id == params.pin_id for pin in await project.pins.all()):
            await project.pins.remove(params.pin_id)
            return
    raise _missing(params)


def _find_pin(session: Session, params: wire.PinRemoveParams) -> Pinned:
    pins = session.state.log.fold.pins.values()
    found = next((p for p in pins if params.pin_id == p.id or params.number == p.number), None)
    if found is None:
        raise _missing(params)
    return found


async def _of_folder(project: Project, params: wire.PinRemoveParams) -> str:
    pins = await project.pins.all()
    found = next((p for p in pins if params.pin_id == p.id or params.number == p.number), None)
    if found is None:
        raise _missing(params)
    return found.id


def _missing(params: wire.PinRemoveParams) -> NotFound:
    name = params.pin_id or str(params.number)
    return NotFound("pin", name, remedy="List the pins to see their ids and numbers.")
