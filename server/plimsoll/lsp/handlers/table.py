"""Which handler serves which method; what is not here is answered with -32601."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from plimsoll.lsp.desk import Desk
from plimsoll.lsp.handlers import context, memories, pins, service, sessions
from plimsoll.lsp.protocol import names

Handler = Callable[[Desk, Any], Awaitable[object]]

HANDLERS: Mapping[str, Handler] = {
    names.SESSION_NEW: sessions.new,
    names.SESSION_LIST: sessions.list_sessions,
    names.SESSION_LOAD: sessions.load,
    names.SESSION_DELETE: sessions.delete,
    names.SESSION_PROMPT: sessions.prompt,
    names.SESSION_CANCEL: sessions.cancel,
    names.SESSION_SET_MODE: sessions.set_mode,
    names.SESSION_SET_MODEL: sessions.set_model,
    names.SESSION_REWIND: sessions.rewind,
    names.SESSION_FORK: sessions.fork,
    names.SESSION_COST: sessions.cost,
    names.SESSION_APPEND: sessions.append,
    names.SESSION_VIEW: sessions.view,
    names.CONTEXT_METER: context.meter,
    names.CONTEXT_REPORT: context.report,
    names.CONTEXT_PREVIEW: context.preview,
    names.CONTEXT_COMPACT: context.compact,
    names.CONTEXT_UNDO: context.undo,
    names.CONTEXT_EVICT: context.evict,
    names.CONTEXT_RESTORE: context.restore,
    names.CONTEXT_DIFF: context.diff,
    names.CONTEXT_POSTPONE: context.postpone,
    names.CONTEXT_EXPLAIN: context.explain,
    names.CONTEXT_EXPORT: context.export,
    names.CONTEXT_IMPORT: context.import_log,
    names.PIN_ADD: pins.add,
    names.PIN_LIST: pins.list_pins,
    names.PIN_REMOVE: pins.remove,
    names.MEMORY_LIST: memories.list_memories,
    names.MEMORY_SEARCH: memories.search,
    names.MEMORY_ADD: memories.add,
    names.MEMORY_UPDATE: memories.update,
    names.MEMORY_FORGET: memories.forget,
    names.MEMORY_RESTORE: memories.restore,
    names.MEMORY_REVIEW: memories.review,
    names.MEMORY_EXPORT: memories.export,
    names.MEMORY_AUDIT: memories.audit,
    names.PROJECT_LINK: service.link,
    names.MODEL_SET_KEY: service.set_key,
    names.STATUS: service.status,
}
