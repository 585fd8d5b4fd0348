"""Handlers of `plimsoll/context/*`: measure, report, preview, compact, undo, evict, explain."""

import asyncio

from plimsoll.lsp.features.convert import context, meters
from plimsoll.lsp.features.convert.files import file_results
from plimsoll.lsp.features.server_context import ServerContext
from plimsoll.lsp.features.sessions import info
from plimsoll.lsp.wire import context as shapes
from plimsoll.lsp.wire import reductions as wire
from plimsoll.lsp.wire.base import Empty
from plimsoll.lsp.wire.content import ContentPart, TextPart
from plimsoll.lsp.wire.sessions import SessionParams, SessionResult
from plimsoll.session.background.between_turns import compact_in
from plimsoll.session.background.drafting import compact_with, draft_in
from plimsoll.session.checkpoints.wording import brought_back_markdown
from plimsoll.session.memory.injecting import expect_memories
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.session.reduction import inspection, items, previews
from plimsoll.session.reduction.rules import restore_rule as take_rule_back
from plimsoll.session.reduction.rules import rules_of
from plimsoll.session.session import Session
from plimsoll.session.state.shown import shown_note

LATER_TURNS = 3
"""Turns that "later" means."""


async def meter(server: ServerContext, params: wire.ContextMeterParams) -> shapes.Meter:
    """Measure the load of the next request, with an unsent prompt."""
    session = await server.session(params.session_id)
    tokens = await _draft_tokens(session, params.draft or ())
    return meters.meter(session.id, session.state.load.meter(tokens))


async def report(server: ServerContext, params: wire.ContextReportParams) -> shapes.ContextReport:
    """Return the context report of the next request."""
    session = await server.session(params.session_id)
    if params.turn_id is not None:
        found = inspection.report_for_turn(session.state, params.turn_id)
    else:
        tokens = await _draft_tokens(session, params.draft or ())
        found = inspection.report(session.state, tokens)
    return context.report(
        meters.meter(session.id, found.meter),
        found,
        detail=params.detail == "detail",
        offset=params.offset or 0,
        limit=params.limit,
    )


async def preview(server: ServerContext, params: wire.ContextPreviewParams) -> wire.ReceiptResult:
    """Preview a reduction; changes nothing."""
    session = await server.session(params.session_id)
    receipt = previews.preview_stage(session.state.load.next_request, params.stage)
    return wire.ReceiptResult(receipt=context.receipt(receipt))


async def draft_summary(
    server: ServerContext, params: wire.ContextDraftSummaryParams
) -> wire.SummaryDraft:
    """Draft a summary; returns when it is written."""
    session = await server.session(params.session_id)
    progress = server.editor.client_progress(params.work_done_token)
    progress.begin("Writing a summary", cancellable=True)
    try:
        draft = await draft_in(session, params.instructions or "", params.until_message_id)
    finally:
        progress.end()
    return wire.SummaryDraft(
        text=draft.text,
        kept=draft.kept,
        until_message_id=draft.until,
        tokens=draft.tokens,
        most_tokens=draft.room,
        missed=draft.missed,
        model=draft.model,
        tokens_spent=draft.spent or None,
    )


async def compact(server: ServerContext, params: wire.ContextCompactParams) -> wire.ReceiptResult:
    """Compact the session now; returns when it is done."""
    session = await server.session(params.session_id)
    progress = server.editor.client_progress(params.work_done_token)
    progress.begin("Compacting", cancellable=True)
    try:
        return await _compact(session, params)
    finally:
        progress.end()


async def _compact(session: Session, params: wire.ContextCompactParams) -> wire.ReceiptResult:
    instructions, until = params.instructions or "", params.until_message_id
    if params.summary is None:
        receipt = await compact_in(
            session, instructions, params.strategy, until, anyway=params.anyway
        )
        return wire.ReceiptResult(receipt=context.receipt(receipt))
    done = await compact_with(session, params.summary, until, instructions)
    return wire.ReceiptResult(receipt=context.receipt(done.receipt), missed=done.missed or None)


async def undo(server: ServerContext, params: wire.EditParams) -> wire.UndoResult:
    """Undo a reduction or a rewind; a rewind has no receipt."""
    session = await server.session(params.session_id)
    done = await session.undo(params.edit_id)
    if done.receipt is None:
        told = NoticeGiven(brought_back_markdown(done.restored, session.state.files.root))
        await session.note(shown_note(told, session.state.clock))
        return wire.UndoResult(session=info(session), files=file_results(done.restored))
    return wire.UndoResult(receipt=context.receipt(done.receipt))


async def evict(server: ServerContext, params: wire.ItemsParams) -> wire.ReceiptResult:
    """Take items out of the view."""
    session = await server.session(params.session_id)
    receipt = await items.evict(session.state, params.item_ids)
    return wire.ReceiptResult(receipt=context.receipt(receipt))


async def restore(server: ServerContext, params: wire.ItemsParams) -> wire.ReceiptResult:
    """Bring items back into the view."""
    session = await server.session(params.session_id)
    receipt = await items.restore(session.state, params.item_ids)
    return wire.ReceiptResult(receipt=context.receipt(receipt))


async def rules(server: ServerContext, params: SessionParams) -> wire.RulesResult:
    """List the standing instructions of a session."""
    session = await server.session(params.session_id)
    found = rules_of(session.state.log.indexes)
    return wire.RulesResult(rules=tuple(context.rule(each) for each in found))


async def restore_rule(server: ServerContext, params: wire.RuleParams) -> wire.RuleResult:
    """Restore a standing instruction that a later one ended."""
    session = await server.session(params.session_id)
    rule = await take_rule_back(session.state, params.number)
    return wire.RuleResult(rule=context.rule(rule))


async def postpone(server: ServerContext, params: wire.ContextPostponeParams) -> Empty:
    """Postpone a planned compaction."""
    session = await server.session(params.session_id)
    await session.postpone(LATER_TURNS if params.until == "later" else None)
    return Empty()


async def diff(server: ServerContext, params: wire.EditParams) -> wire.ContextDiffResult:
    """Return the view before and after a reduction."""
    session = await server.session(params.session_id)
    before, after = await asyncio.to_thread(inspection.diff, session.state.log.fold, params.edit_id)
    return wire.ContextDiffResult(before=before, after=after)


async def explain(server: ServerContext, params: wire.ContextExplainParams) -> wire.MarkdownResult:
    """Explain why an item is here, or where it went."""
    session = await server.session(params.session_id)
    return wire.MarkdownResult(markdown=inspection.explain(session.state.load, params.item_id))


async def result(
    server: ServerContext, params: wire.ContextResultParams
) -> wire.ContextResultResult:
    """Return the whole text of a tool call's result."""
    session = await server.session(params.session_id)
    return wire.ContextResultResult(text=inspection.whole_result(session.state.log, params.item_id))


async def output(
    server: ServerContext, params: wire.ContextOutputParams
) -> wire.ContextOutputResult:
    """Return the whole output of a running command so far."""
    session = await server.session(params.session_id)
    text = await inspection.output_so_far(session.state, params.tool_call_id)
    return wire.ContextOutputResult(text=text)


async def export(server: ServerContext, params: SessionParams) -> wire.ContextExportResult:
    """Return the log of a session with its texts."""
    project = await server.keeper(params.session_id)
    return wire.ContextExportResult(jsonl=await project.export(params.session_id))


async def import_(server: ServerContext, params: wire.ContextImportParams) -> SessionResult:
    """Return a new session from an export."""
    project = await server.project(params.workspace_folder)
    return SessionResult(session=info(await project.take_in(params.jsonl)))


async def _draft_tokens(session: Session, draft: tuple[ContentPart, ...]) -> int:
    """Count the tokens of a draft; a first prompt also decides which memories enter."""
    text = "\n".join(part.text for part in draft if isinstance(part, TextPart))
    await expect_memories(session.state, text)
    return session.state.model.ledger.text(text) if text else 0
