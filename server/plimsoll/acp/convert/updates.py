"""The updates of a session for an ACP client that are no tool calls: pure functions."""

from collections.abc import Iterable, Mapping

from plimsoll.acp.convert.calls import Update
from plimsoll.context.budget import Meter
from plimsoll.context.log.entries import Stage, TaskItem, TaskStatus, with_subtasks
from plimsoll.context.report.receipts import Receipt
from plimsoll.session.commands.markdown import receipt_markdown, receipt_words
from plimsoll.session.commands.slash import SLASHES
from plimsoll.session.ports.events import (
    CommandAnswered,
    Event,
    HookRan,
    NoticeGiven,
    ReductionApplied,
    ReductionPlanned,
    StopReason,
)
from plimsoll.storage.base import SessionRecord
from plimsoll.tools.ports.hooks import DECIDED

TASK_STATUSES: Mapping[TaskStatus, str] = {
    "pending": "pending",
    "inProgress": "in_progress",
    "completed": "completed",
    "cancelled": "completed",
}
STOP_REASONS: Mapping[StopReason, str] = {
    "endTurn": "end_turn",
    "maxTokens": "max_tokens",
    "contextLimit": "max_tokens",
    "cancelled": "cancelled",
    "interrupted": "cancelled",
    "refusal": "refusal",
    "loop": "max_turn_requests",
    "stepLimit": "max_turn_requests",
    "spendLimit": "max_turn_requests",
    "rejected": "end_turn",
}
"""What is not listed is an error, which answers the prompt."""
TOLD = frozenset({Stage.DIGEST, Stage.COMPACT, Stage.TRIM, Stage.PRUNE, Stage.EVICT, Stage.RESTORE})
"""The reductions that a person is told of; smaller ones happen with each result of a tool."""
COMPACTIONS = frozenset({Stage.DIGEST, Stage.COMPACT})
OTHER_SESSION = frozenset({"new", "resume", "sessions"})
"""Commands that open another session, which in ACP the client alone does."""
MARKS = {"info": "", "warning": "⚠ ", "error": "✗ "}


def chunk(kind: str, text: str, message: str) -> Update:
    """Make a piece of a message: of the ``user``, of the ``agent``, or an agent's ``thought``."""
    name = "agent_thought_chunk" if kind == "thought" else f"{kind}_message_chunk"
    return {
        "sessionUpdate": name,
        "messageId": message,
        "content": {"type": "text", "text": text},
    }


def plan(tasks: Iterable[TaskItem]) -> Update:
    """Convert a task list; subtasks follow their task."""
    entries = [
        {"content": each.title, "priority": "medium", "status": TASK_STATUSES[each.status]}
        for each in with_subtasks(tasks)
    ]
    return {"sessionUpdate": "plan", "entries": entries}


def usage(meter: Meter, money: float | None) -> Update:
    """Convert the load of the next request, and what the session has cost if that is known."""
    cost = {"cost": {"amount": money, "currency": "USD"}} if money else {}
    size = meter.budget.window
    return {"sessionUpdate": "usage_update", "used": meter.used, "size": size, **cost}


def notice_markdown(notice: NoticeGiven) -> str:
    """Return a notice as Markdown: the answer of a command as it is, others set apart."""
    if isinstance(notice, CommandAnswered) and notice.level == "info":
        return notice.markdown
    lines = f"{MARKS[notice.level]}{notice.markdown}".split("\n")
    return "\n".join(f"> {line}".rstrip() for line in lines)


def hook_markdown(ran: HookRan) -> str:
    """Say what a hook of the person's decided."""
    decided = DECIDED[ran.decision] if ran.decision is not None else "ran"
    return f"> {ran.event} hook `{ran.name}` {decided}."


def beside_markdown(event: Event) -> str | None:
    """Return what is said beside the conversation: a notice, a hook's decision, a reduction."""
    match event:
        case NoticeGiven():
            return notice_markdown(event)
        case HookRan() if event.decision is not None:
            return hook_markdown(event)
        case ReductionApplied() | ReductionPlanned():
            return reduction_markdown(event.receipt)
        case _:
            return None


def is_compaction(receipt: Receipt) -> bool:
    """Tell whether a reduction that was made is what ACP calls a compaction."""
    return receipt.stage in COMPACTIONS and receipt.status == "completed"


def compaction(receipt: Receipt) -> Update:
    """Convert a compaction that was made or undone, for a client that knows it."""
    return {
        "sessionUpdate": "compaction_update",
        "compactionId": receipt.id,
        "status": "cancelled" if receipt.undone else "completed",
        "summary": receipt_markdown(receipt),
    }


def reduction_markdown(receipt: Receipt) -> str | None:
    """Describe a reduction that was made or is announced; None if nobody is told of it."""
    if receipt.stage not in TOLD:
        return None
    words = receipt_words(receipt) if receipt.status == "planned" else receipt_markdown(receipt)
    return "\n".join(f"> {line}".rstrip() for line in f"⊖ {words}".split("\n"))


def session_info(record: SessionRecord) -> Update:
    """Convert the title of a session and when it was used last."""
    return {
        "sessionUpdate": "session_info_update",
        "title": record.title or None,
        "updatedAt": record.updated_at,
    }


def available_commands() -> Update:
    """List the slash commands that work in a client of ACP."""
    commands = [
        {
            "name": name,
            "description": command.help,
            **({"input": {"hint": command.arguments}} if command.arguments else {}),
        }
        for name, command in SLASHES.items()
        if name not in OTHER_SESSION
    ]
    return {"sessionUpdate": "available_commands_update", "availableCommands": commands}
