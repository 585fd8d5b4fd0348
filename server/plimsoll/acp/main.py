"""Serving: `initialize` is answered at once, and the agent behind it is loaded afterwards.

Until then nothing is imported that the answer does not need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plimsoll.acp.peer import Handlers, Peer
from plimsoll.lsp.connection import Connection
from plimsoll.lsp.transport.lines import BY_LINE

if TYPE_CHECKING:
    from pathlib import Path

    from plimsoll.redaction.secrets import Secrets
    from plimsoll.telemetry.base import SpanSink


def serve(
    secrets: Secrets,
    config: Path | None = None,
    sinks: tuple[SpanSink, ...] = (),
    profile: str | None = None,
) -> None:
    """Serve one client over standard streams, and end the process; ``sinks`` take the spans."""
    connection = Connection(BY_LINE)

    def load(peer: Peer) -> Handlers:
        from plimsoll.acp.methods import handlers_of
        from plimsoll.acp.server_context import AcpContext

        context = AcpContext(peer, secrets, config, sinks, profile=profile)
        connection.lifecycle.on_close(context.close)
        return handlers_of(context)

    connection.run_stdio(Peer(connection, load))
