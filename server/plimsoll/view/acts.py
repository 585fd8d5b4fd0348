"""What a person can do in the browser: the methods of the wire that are about the context."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from pydantic import ValidationError

from plimsoll.errors import InvalidInput, NotFound
from plimsoll.lsp.features.convert import context
from plimsoll.lsp.wire import pins
from plimsoll.lsp.wire import reductions as wire
from plimsoll.lsp.wire.base import Empty, Wire
from plimsoll.lsp.wire.methods import REQUESTS
from plimsoll.session.background.between_turns import compact_in
from plimsoll.session.layers.pins import count_pin
from plimsoll.session.project import Project
from plimsoll.session.reduction import inspection, items
from plimsoll.session.reduction.undoing import undo
from plimsoll.session.session import Session

Act = Callable[[Project, Session, Any], Awaitable[Wire]]


async def perform(
    project: Project, session: Session, method: str, given: Mapping[str, object]
) -> Wire:
    """Do what a browser asks with the session that it shows, and return the method's result.

    Raises:
        InvalidInput: The method is none for a browser, or its params are wrong.
        Busy: Another process runs a turn of the session, or it is being compacted.
        PlimsollError: As the method.
    """
    act = ACTS.get(method)
    if act is None:
        raise InvalidInput(f"A browser cannot ask for {method[:80]!r}.")
    try:
        # Whatever session is named, it is the one that was shown.
        params = REQUESTS[method].params.model_validate({**given, "sessionId": session.id})
    except ValidationError as error:
        raise InvalidInput(f"The params of {method} are wrong.") from error
    return await act(project, session, params)


@asynccontextmanager
async def _writing(session: Session) -> AsyncGenerator[None]:
    """Hold the right to write the session; raises Busy while another process runs a turn of it."""
    if session.running:
        # The turn is ours, with the lease: the log takes one change after another.
        yield
        return
    async with session.holding():
        yield


async def _evict(_project: Project, session: Session, params: wire.ItemsParams) -> Wire:
    async with _writing(session):
        receipt = await items.evict(session.state, params.item_ids)
    return wire.ReceiptResult(receipt=context.receipt(receipt))


async def _restore(_project: Project, session: Session, params: wire.ItemsParams) -> Wire:
    async with _writing(session):
        receipt = await items.restore(session.state, params.item_ids)
    return wire.ReceiptResult(receipt=context.receipt(receipt))


async def _undo(_project: Project, session: Session, params: wire.EditParams) -> Wire:
    """Undo a reduction; a rewind is undone where its files are seen."""
    async with _writing(session):
        if params.edit_id not in session.state.log.fold.edits:
            raise NotFound(
                "reduction", params.edit_id, remedy="The page lists them, if not undone."
            )
        receipt = await undo(session.state, params.edit_id)
    return wire.UndoResult(receipt=context.receipt(receipt) if receipt else None)


async def _compact(_project: Project, session: Session, _params: wire.ContextCompactParams) -> Wire:
    receipt = await compact_in(session)
    return wire.ReceiptResult(receipt=context.receipt(receipt))


async def _explain(_project: Project, session: Session, params: wire.ContextExplainParams) -> Wire:
    return wire.MarkdownResult(markdown=inspection.explain(session.state.load, params.item_id))


async def _pin(_project: Project, session: Session, params: pins.PinAddParams) -> Wire:
    async with _writing(session):
        pin = await session.pin(None, params.item_id)
    return pins.PinResult(pin=context.pin(count_pin(pin, session.state.model.ledger)))


async def _unpin(project: Project, session: Session, params: pins.PinRemoveParams) -> Wire:
    async with _writing(session):
        pin = session.state.log.fold.pins.get(params.pin_id or "")
        if pin is None:
            raise NotFound("pin", params.pin_id or "", remedy="It may have been removed already.")
        if pin.scope == "session":
            await session.unpin(pin.id)
    if pin.scope != "session":
        # Each open session of the folder is told, this one too: under no lease of it.
        await project.pins.remove_from(session, pin)
    return Empty()


ACTS: Mapping[str, Act] = {
    "plimsoll/context/evict": _evict,
    "plimsoll/context/restore": _restore,
    "plimsoll/context/undo": _undo,
    "plimsoll/context/compact": _compact,
    "plimsoll/context/explain": _explain,
    "plimsoll/pin/add": _pin,
    "plimsoll/pin/remove": _unpin,
}
"""By the method; what starts a turn, changes files or names another session is not among them."""
