"""What a command answers in words, for clients that show nothing else."""

from collections.abc import Callable, Mapping
from typing import Any

from plimsoll.lsp.protocol import context as shapes
from plimsoll.lsp.protocol import sessions as wire
from plimsoll.lsp.protocol.memories import MemoriesResult, MemoryResult, MemoryReviewResult
from plimsoll.lsp.protocol.pins import PinListResult, PinResult
from plimsoll.lsp.protocol.reductions import MarkdownResult, ReceiptResult
from plimsoll.session.memory_words import memories_markdown, memory_markdown, title_markdown


def worded(method: str, result: object) -> str:
    """A sentence or a list in Markdown."""
    for kind, words in WORDS.items():
        if isinstance(result, kind):
            return words(result)
    return f"Done: {method.rpartition('/')[2]}."


def _receipt(receipt: shapes.Receipt) -> str:
    freed = receipt.tokens_before - receipt.tokens_after
    state = "Undone" if receipt.undone else "Freed" if freed >= 0 else "Brought back"
    return f"{state}: {abs(freed):,} tokens, {len(receipt.items)} items. {receipt.why}."


def _report(report: shapes.ContextReport) -> str:
    meter = report.meter
    rows = [f"| {part.kind} | {part.tokens:,} |" for part in meter.parts]
    head = f"{meter.used:,} of {meter.effective:,} tokens ({meter.percent:g}%), {meter.zone}."
    return "\n".join([head, "", "| part | tokens |", "|---|---:|", *rows])


def _pins(found: PinListResult) -> str:
    return "\n".join(f"{pin.number}. {pin.text}" for pin in found.pins) or "Nothing is pinned."


def _sessions(found: wire.SessionListResult) -> str:
    rows = [f"- `{s.id}` {s.title or 'untitled'} ({s.model})" for s in found.sessions]
    return "\n".join(rows) or "There is no session in this folder yet."


def _session(found: wire.SessionResult) -> str:
    return f"Session `{found.session.id}`: {found.session.title or 'untitled'}."


def _memories(found: MemoriesResult) -> str:
    return memories_markdown(found.memories, "There is no such memory.")


def _reviewed(found: MemoryReviewResult) -> str:
    memory = found.memory
    return f"Accepted: **{title_markdown(memory.title)}**." if memory else "Rejected."


WORDS: Mapping[type, Callable[[Any], str]] = {
    ReceiptResult: lambda found: _receipt(found.receipt),
    shapes.ContextReport: _report,
    MarkdownResult: lambda found: found.markdown,
    PinResult: lambda found: f"Pinned as number {found.pin.number}.",
    PinListResult: _pins,
    MemoriesResult: _memories,
    MemoryResult: lambda found: memory_markdown(found.memory),
    MemoryReviewResult: _reviewed,
    wire.SessionListResult: _sessions,
    wire.SessionNewResult: _session,
    wire.SessionLoadResult: _session,
    wire.SessionResult: _session,
    wire.SessionCancelResult: lambda c: "Stopped." if c.cancelled else "Nothing was running.",
}
