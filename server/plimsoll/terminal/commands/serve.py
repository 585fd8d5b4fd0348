"""`plimsoll serve`: the language server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from plimsoll.lsp.main import serve as serve_client

if TYPE_CHECKING:
    from argparse import Namespace

    from plimsoll.telemetry.base import SpanSink
    from plimsoll.terminal.screen import Screen


def serve(options: Namespace, screen: Screen) -> int:
    """Serve one client; the server ends the process itself, with the exit code of its protocol."""
    del screen
    # Without a command there are no options: an editor has started plain `plimsoll`.
    config, tcp = getattr(options, "config", None), getattr(options, "tcp", None)
    sinks: tuple[SpanSink, ...] = ()
    if trace := getattr(options, "trace", None):
        from plimsoll.telemetry.trace_file import trace_sinks

        sinks = trace_sinks(trace)
    profile = getattr(options, "profile", None)
    serve_client(options.secrets, Path(config) if config else None, tcp, sinks, profile=profile)
    return 0


def schema(options: Namespace, screen: Screen) -> int:
    """Print the schema."""
    # Loaded late: the models bring pydantic, and `serve` answers `initialize` without it.
    from plimsoll.lsp.wire.schema import json_schema

    del options
    screen.line(json.dumps(json_schema(), indent=2))
    return 0
