"""The spans of edits: each reduction that is kept is told as one of no length, by counts alone."""

from collections.abc import Sequence

from plimsoll.context.log.entries import Edited, Entry
from plimsoll.telemetry import base as names
from plimsoll.telemetry.base import Tracer


def note_edits(tracer: Tracer, entries: Sequence[Entry]) -> None:
    """Record a span of no length for each edit among appended entries."""
    for edit in (entry for entry in entries if isinstance(entry, Edited)):
        stage = edit.stage.value
        attributes = {
            names.STAGE: stage,
            names.EDIT: edit.id,
            names.TOKENS_BEFORE: edit.before,
            names.TOKENS_AFTER: edit.after,
        }
        with tracer.span("stage", f"stage {stage}", attributes):
            pass
