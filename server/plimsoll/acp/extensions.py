"""Methods of our own for what ACP has no word for; their shapes are those of docs/wire.md."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from plimsoll.acp.server_context import AcpContext
from plimsoll.lsp.features.convert import context, meters, notices
from plimsoll.lsp.wire import context as shapes
from plimsoll.lsp.wire import reductions as wire
from plimsoll.lsp.wire.base import Wire, dump
from plimsoll.lsp.wire.sessions import SessionCostResult, SessionParams
from plimsoll.session.reduction import inspection, items
from plimsoll.session.session import Session
from plimsoll.session.state.cost import cost_rows


async def report(server: AcpContext, params: wire.ContextReportParams) -> object:
    """Return the context report of the next request, or of a turn's."""
    session = await _session(server, params.session_id)
    found = (
        inspection.report(session.state)
        if params.turn_id is None
        else inspection.report_for_turn(session.state, params.turn_id)
    )
    shown: shapes.ContextReport = context.report(
        meters.meter(session.id, found.meter),
        found,
        detail=params.detail == "detail",
        offset=params.offset or 0,
        limit=params.limit,
    )
    return dump(shown)


async def undo(server: AcpContext, params: wire.EditParams) -> object:
    """Undo a reduction or a rewind."""
    session = await _session(server, params.session_id)
    done = await session.undo(params.edit_id)
    return dump(wire.UndoResult(receipt=context.receipt(done.receipt) if done.receipt else None))


async def evict(server: AcpContext, params: wire.ItemsParams) -> object:
    """Take items out of the view."""
    session = await _session(server, params.session_id)
    receipt = await items.evict(session.state, params.item_ids)
    return dump(wire.ReceiptResult(receipt=context.receipt(receipt)))


async def restore(server: AcpContext, params: wire.ItemsParams) -> object:
    """Bring items back into the view."""
    session = await _session(server, params.session_id)
    receipt = await items.restore(session.state, params.item_ids)
    return dump(wire.ReceiptResult(receipt=context.receipt(receipt)))


async def cost(server: AcpContext, params: SessionParams) -> object:
    """Sum the tokens and money that a session used."""
    session = await _session(server, params.session_id)
    rows = tuple(notices.usage(row) for row in cost_rows(session.state.log.fold.entries))
    total = context.spending_of(session.state.account.summary())
    return dump(SessionCostResult(rows=rows, total=total))


async def _session(server: AcpContext, session_id: str) -> Session:
    return await server.require_opened(session_id).load()


EXTENSIONS: Mapping[str, tuple[type[Wire], Callable[[AcpContext, Any], Awaitable[object]]]] = {
    "_plimsoll/context/report": (wire.ContextReportParams, report),
    "_plimsoll/context/undo": (wire.EditParams, undo),
    "_plimsoll/context/evict": (wire.ItemsParams, evict),
    "_plimsoll/context/restore": (wire.ItemsParams, restore),
    "_plimsoll/session/cost": (SessionParams, cost),
}
