"""What the log says of turns and requests: how they ended and how long they took."""

import logging

from plimsoll.telemetry.base import CONVERSATION, PURPOSE, STOP_REASON, Span

log = logging.getLogger(__name__)


class SpanLog:
    """Logs each turn, and each request and summary that failed."""

    def keep(self, span: Span) -> None:
        """Log a span, if it is one of these."""
        seconds = (span.end - span.start) / 1e9
        if span.kind == "turn":
            session, ended = span.attributes[CONVERSATION], span.attributes.get(STOP_REASON)
            told = f"{ended}, {span.error}" if span.error else ended
            log.info("a turn of %s ended after %.1f s: %s", session, seconds, told)
        elif span.error is not None and span.kind in {"request", "compaction"}:
            what = f"{span.kind} {span.attributes.get(PURPOSE, '')}".rstrip()
            log.info("a %s failed after %.1f s: %s", what, seconds, span.error)

    def close(self) -> None:
        """Do nothing: the log goes on."""
