"""`plimsoll/pin/*`."""

from plimsoll.errors import InvalidInput, NotFound
from plimsoll.lsp.convert import context
from plimsoll.lsp.desk import Desk
from plimsoll.lsp.protocol import pins as wire
from plimsoll.lsp.protocol.wire import Empty
from plimsoll.session.session import Session


async def add(desk: Desk, params: wire.PinAddParams) -> wire.PinResult:
    """Pin a text or an item."""
    session = await _owner(desk, params.session_id)
    pin = await session.pin(params.text, params.item_id)
    return wire.PinResult(pin=context.pin(pin, session.state.model.ledger))


async def list_pins(desk: Desk, params: wire.PinOwner) -> wire.PinListResult:
    """List the pins."""
    session = await _owner(desk, params.session_id)
    pins = session.state.log.fold.pins.values()
    ledger = session.state.model.ledger
    return wire.PinListResult(pins=tuple(context.pin(pin, ledger) for pin in pins))


async def remove(desk: Desk, params: wire.PinRemoveParams) -> Empty:
    """Let a pin go."""
    session = await _holder(desk, params)
    pins = session.state.log.fold.pins.values()
    found = next((p for p in pins if params.pin_id == p.id or params.number == p.number), None)
    if found is None:
        name = params.pin_id or str(params.number)
        raise NotFound("pin", name, remedy="List the pins to see their ids and numbers.")
    await session.unpin(found.id)
    return Empty()


async def _holder(desk: Desk, params: wire.PinRemoveParams) -> Session:
    """The session of a pin; a pin's id alone finds it among the open ones."""
    if params.session_id is None and params.pin_id is not None:
        for project in desk.app.projects.values():
            for session in project.live.values():
                if params.pin_id in session.state.log.fold.pins:
                    return session
    return await _owner(desk, params.session_id)


async def _owner(desk: Desk, session_id: str | None) -> Session:
    if session_id is None:
        raise InvalidInput("Pins belong to a session here.", remedy="Give a sessionId.")
    return await desk.session(session_id)
